import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardText, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { MOST_UPLOADED_CHARACTERS } from '../../../../../kit/words/uploads.ts';
import { may, useSession } from '../../calls/session.ts';
import { useAction } from '../../calls/use-call.ts';
import { numberText } from '../../language/numbers.ts';
import { Problem } from '../../parts/problem.tsx';
import { useAccountFiles } from '../use-account-files.ts';
import { fileNameOf, withoutEnd } from './columns.ts';

interface GiveFileProps {
  readonly end: 'csv' | 'json' | 'yaml';
  /** Name of the account. */
  readonly name: string;
  /** The path that the account names by now. */
  readonly path: string;
  /** The account whose uploaded file it takes the place of; absent: a file of its own. */
  readonly replaces?: string;
  /** Time when the source was last read; clears an earlier refusal. */
  readonly readAt?: number;
  /** Called with the path at which the service keeps the file, and its name on the reader's machine. */
  readonly onPath: (path: string, file?: string) => void;
  /** Called when storing begins and ends. */
  readonly onStoring?: (isStoring: boolean) => void;
}

/** A file of the reader's own machine, or a pasted text, instead of a path of the service's machine. */
export function GiveFile({ end, name, path: named, replaces, readAt = 0, onPath, onStoring }: GiveFileProps) {
  const [isPasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const [given, setGiven] = useState<{ readonly file: string; readonly path: string }>();
  const [refused, setRefused] = useState<{ readonly error: Error; readonly step: string }>();
  const files = useAccountFiles();
  const folders = files?.sources.map(({ path }) => path) ?? [];
  // A user who has chosen another way no longer needs to see the failure.
  const step = `${readAt} ${named}`;
  const upload = useAction('accounts/upload-file', { changes: [], showsProblem: true });
  if (!may(useSession(), 'accounts/upload-file')) return null;

  function refuse(error: Error): void {
    setRefused({ error, step });
  }

  /** A file that cannot fit is not read into the browser. A character takes up to four bytes. */
  async function keepFile(file: File): Promise<void> {
    if (file.size > 4 * MOST_UPLOADED_CHARACTERS) refuse(tooLarge(file.size, folders));
    else if (end === 'csv' && (await isWorkbook(file))) keep(await base64Of(file), file.name, 'xlsx');
    else keep(await file.text(), file.name);
  }

  function keep(content: string, file?: string, kept: 'xlsx' | typeof end = end): void {
    setRefused(undefined);
    if (content.length > MOST_UPLOADED_CHARACTERS) {
      refuse(tooLarge(new Blob([content]).size, folders));
      return;
    }
    onStoring?.(true);
    upload.mutate(
      {
        name: fileNameOf(name || withoutEnd(file ?? '')),
        end: kept,
        text: content,
        ...(replaces !== undefined && { replaces }),
      },
      {
        onError: refuse,
        onSuccess({ path }) {
          setPasting(false);
          setText('');
          setGiven(file === undefined ? undefined : { file, path });
          onPath(path, file);
        },
        onSettled: () => onStoring?.(false),
      },
    );
  }

  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton
          accept={`.${end},.txt,.tsv,.yml,.jsonl${end === 'csv' ? ',.xlsx' : ''}`}
          onChange={(file) => {
            if (file !== null) void keepFile(file);
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
              {replaces === undefined ? t`Upload a file` : t`Replace file…`}
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
          {replaces === undefined ? t`Paste` : t`Paste its content`}
        </Button>
        <Text size="xs" c="dimmed" role="status" className="wrap-anywhere">
          {replaces !== undefined
            ? named
            : given === undefined
              ? files?.of_one_node
                ? t`Stored on this node only, as a new file. Other nodes can read it if they share the folder.`
                : t`Stored on the server as a new file.`
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
      {refused?.step === step && <Problem error={refused.error} />}
    </Stack>
  );
}

const MEGABYTE = 1_000_000;

function tooLarge(bytes: number, folders: readonly string[]): Error {
  const size = numberText(Math.ceil(bytes / MEGABYTE));
  const most = numberText(MOST_UPLOADED_CHARACTERS / MEGABYTE);
  const [folder] = folders;
  return new Error(
    folder === undefined
      ? t`This is too large to upload: ${size} MB, and at most ${most} MB can be. Put the file on the machine of the service, into a folder that the setting FILE_SOURCE_DIRS names, and enter its path.`
      : t`This is too large to upload: ${size} MB, and at most ${most} MB can be. Copy the file into ${folder} on the machine of the service; then choose it here, or enter its path.`,
  );
}

/** Workbooks are ZIP archives, whatever their name. */
async function isWorkbook(file: File): Promise<boolean> {
  return (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
}

async function base64Of(file: File): Promise<string> {
  const pieces: string[] = [];
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(''));
}
