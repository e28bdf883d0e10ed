import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardText, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../../calls/session.ts';
import { useAction } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { fileNameOf } from './columns.ts';

interface GiveFileProps {
  readonly end: 'csv' | 'json' | 'yaml';
  /** Of the account. */
  readonly name: string;
  /** Told where the service keeps it. */
  readonly onPath: (path: string) => void;
}

/** A file of the reader's own machine, or a pasted text, instead of a path of the service's machine. */
export function GiveFile({ end, name, onPath }: GiveFileProps) {
  const [isPasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const upload = useAction('accounts/upload-file', { changes: [], showsProblem: true });
  if (!may(useSession(), 'accounts/upload-file')) return null;

  function keep(content: string): void {
    upload.mutate(
      { name: fileNameOf(name), end, text: content },
      {
        onSuccess({ path }) {
          setPasting(false);
          setText('');
          onPath(path);
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
            if (file !== null) void file.text().then(keep);
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
              Upload a file
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
          Paste
        </Button>
        <Text size="xs" c="dimmed">
          Kept on this service, as a file of its own; nothing is replaced.
        </Text>
      </Group>
      {isPasting && (
        <Group align="flex-end" gap="xs">
          <Textarea
            label="Content"
            flex="1 1 20rem"
            autosize
            minRows={4}
            maxRows={12}
            styles={{ input: { fontFamily: 'monospace' } }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button size="xs" loading={upload.isPending} disabled={text.trim() === ''} onClick={() => keep(text)}>
            Use this
          </Button>
        </Group>
      )}
      {upload.isError && <Problem error={upload.error} />}
    </Stack>
  );
}
