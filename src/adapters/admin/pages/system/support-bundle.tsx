import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { showProblem } from '../calls/use-call.ts';
import { Section } from '../parts/section.tsx';

/** Saves the information that support needs, as a file. */
export function SupportBundle() {
  const save = useMutation<void, CallError>({
    mutationFn: () => download('system/support-bundle', {}, 'muster-support.json'),
    onError: showProblem,
  });
  return (
    <Section title={t`Support bundle`}>
      <Text size="sm" maw={720}>
        <Trans>
          One JSON file with versions, changed configuration, these findings, plugins, sizes, and errors of the log. It
          has no secrets, but names accounts, rules and hosts: read it before you send it.
        </Trans>
      </Text>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        <Trans>Download support bundle</Trans>
      </Button>
    </Section>
  );
}
