import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { OfferedInput } from '../../offered-operations.ts';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { showProblem } from '../calls/use-call.ts';

type Asked = OfferedInput<'search/host-table'>;

/** Saves all found hosts with the chosen columns, as files. */
export function DownloadHosts({ asked }: { readonly asked: Asked }) {
  const save = useMutation<void, CallError, 'csv' | 'json'>({
    mutationFn: (format) => download('search/host-table', { ...asked, format }, `hosts.${format}`),
    onError: showProblem,
  });
  return (
    <Button.Group>
      {(['csv', 'json'] as const).map((format) => {
        const name = format.toUpperCase();
        return (
          <Button
            key={format}
            variant="default"
            px="sm"
            loading={save.isPending && save.variables === format}
            aria-label={t`Download ${name}`}
            onClick={() => save.mutate(format)}
          >
            {format === 'csv' && <IconDownload size={16} aria-hidden />}
            <Text span inherit ml={format === 'csv' ? 6 : 0}>
              {name}
            </Text>
          </Button>
        );
      })}
    </Button.Group>
  );
}
