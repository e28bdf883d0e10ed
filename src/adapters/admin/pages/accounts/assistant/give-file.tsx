import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardText, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../../calls/session.ts';
import { useAction } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { fileNameOf, withoutEnd } from './columns.ts';

interface GiveFileProps {
  readonly end: 'csv' | 'json' | 'yaml';
  /** Of the account. */
  readonly name: string;
  /** Told where the service keeps it, and what it was called on the reader's machine. */
  readonly onPath: (path: string, file?: string) => void;
}

/** A file of the reader's own machine, or a pasted text, instead of a path of the service's machine. */
export function GiveFile({ end, name, onPath }: GiveFileProps) {
  const [isPasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const [given, setGiven] = useState<{ readonly file: string; readonly path: string }>();
  const upload = useAction('accounts/upload-file', { changes: [], showsProblem: true });
  if (!may(useSession(), 'accounts/upload-file')) return null;

  function keep(content: string, file?: string): void {
    upload.mutate(
      { name: fileNameOf(name || withoutEnd(file ?? '')), end, text: content },
      {
        onSuccess({ path }) {
          setPasting(false);
          setText('');
          setGiven(file === undefined ? undefined : { file, path });
          onPath(path, file);
        },
      },
    );
  }

  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton
          accept={`.${end},.txt,.tsv,.yml,.jsonl`}
          onChange={(file) => {
            if (file !== null) void file.text().then((content) => keep(content, file.name));
          }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} aria-hidden />}
              loading={upload.isPending && !isPasting}
            >
              <Trans>Upload a file</Trans>
            </Button>
          )}
        </FileButton>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isPasting}
          leftSection={<IconClipboardText size={14} aria-hidden />}
          onClick={() => setPasting(!isPasting)}
        >
          <Trans>Paste</Trans>
        </Button>
        <Text size="xs" c="dimmed" role="status" className="wrap-anywhere">
          {given === undefined
            ? t`Kept on this service, as a file of its own; nothing is replaced.`
            : t`${{ file: given.file }} is kept as ${{ path: given.path }}.`}
        </Text>
      </Group>
      {isPasting && (
        <Group align="flex-end" gap="xs">
          <Textarea
            label={t`Content`}
            flex="1 1 20rem"
            autosize
            minRows={4}
            maxRows={12}
            styles={{ input: { fontFamily: 'monospace' } }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button size="xs" loading={upload.isPending} disabled={text.trim() === ''} onClick={() => keep(text)}>
            <Trans>Use this</Trans>
          </Button>
        </Group>
      )}
      {upload.isError && <Problem error={upload.error} />}
    </Stack>
  );
}
