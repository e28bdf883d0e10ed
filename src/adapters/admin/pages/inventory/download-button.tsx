import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { showProblem } from '../calls/use-call.ts';

interface DownloadButtonProps {
  readonly provider: string;
  /** Restricts the variables to this host. */
  readonly host?: string;
}

/** The document as consumers get it, as a file. */
export function DownloadButton({ provider, host }: DownloadButtonProps) {
  const save = useMutation<void, CallError>({
    mutationFn: () =>
      host === undefined
        ? download('inventory/render-inventory', { provider }, `${provider}.json`)
        : download('inventory/render-inventory', { provider, host }, `${host}.json`),
    onError: showProblem,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      <Trans>Download JSON</Trans>
    </Button>
  );
}
