import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { addressBelow } from '../calls/below.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';

type File = OfferedOutput<'exports/list-published'>['files'][number];

/** Shows the files that an account publishes over HTTP; nothing if it publishes none. */
export function PublishedFiles({ account }: { readonly account: string }) {
  const published = useAnswer('exports/list-published', { account }, { everySeconds: 60 });
  const [opened, setOpened] = useState<string>();
  const files = published.data?.files ?? [];
  if (files.length === 0) return null;
  const file = files.find(({ name }) => name === opened);
  return (
    <Section title={t`Published files`}>
      <Text size="sm" c="dimmed">
        <Trans>
          Output of the last export, for programs that read it over HTTP; their users need the role automation.
        </Trans>
      </Text>
      <PagesOf rows={files} label={t`files`} size={20}>
        {(rows) => (
          <DataTable
            caption={t`Published files`}
            minWidth={280}
            columns={columnsOf(account, opened, setOpened)}
            rows={rows}
            rowKey={({ name }) => name}
            empty={t`Nothing is published.`}
          />
        )}
      </PagesOf>
      {file !== undefined && <Contents key={file.sha256} account={account} file={file.name} />}
    </Section>
  );
}

function columnsOf(
  account: string,
  opened: string | undefined,
  open: (name: string | undefined) => void,
): readonly Column<File>[] {
  return [
    {
      id: 'name',
      header: t`File`,
      cell: ({ name, bytes, published_at }) => (
        <Stack gap={4}>
          <div>
            <Text size="sm" fw={500} className="wrap-anywhere">
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              <Trans>
                <Plural value={bytes} one="# byte" other="# bytes" />, <When at={published_at} />
              </Trans>
            </Text>
          </div>
          <CopyLine value={addressOf(account, name)} label={t`address of ${name}`} />
        </Stack>
      ),
    },
    cell.act('show', t`Contents`, ({ name }) => (
      <Button
        size="xs"
        variant="default"
        aria-expanded={name === opened}
        aria-label={name === opened ? t`Hide ${name}` : t`Show ${name}`}
        onClick={() => open(name === opened ? undefined : name)}
      >
        {name === opened ? t`Hide` : t`Show`}
      </Button>
    )),
  ];
}

function addressOf(account: string, name: string): string {
  return addressBelow(`/api/v1/published/${encodeURIComponent(account)}/${encodeURIComponent(name)}`);
}

function Contents({ account, file }: { readonly account: string; readonly file: string }) {
  const contents = useAnswer('exports/show-published', { account, file });
  return (
    <Answer of={contents}>
      {({ text, next_start }) => (
        <Stack gap="xs">
          <Code
            block
            mah={400}
            tabIndex={0}
            role="region"
            aria-label={t`Contents of ${file}`}
            style={{ overflow: 'auto' }}
          >
            {text}
          </Code>
          {next_start !== null && (
            <Text size="sm" c="dimmed">
              {t`These are the first ${{ count: numberText(next_start) }} characters; the address has all.`}
            </Text>
          )}
        </Stack>
      )}
    </Answer>
  );
}
