import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';
import { Breaking } from '../parts/breaking.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { RunList } from './run-rows.tsx';

type Document = NonNullable<OfferedOutput<'exports/export-account'>['documents']>[number];

const DONE = { created: t`created`, changed: t`changed`, deleted: t`deleted`, left: t`left` } as const;
const WOULD_BE = {
  created: t`would be created`,
  changed: t`would be changed`,
  deleted: t`would be deleted`,
  left: t`would be left`,
} as const;

interface ExportedFilesProps {
  readonly documents: readonly Document[];
  readonly total: number;
  readonly isDry: boolean;
}

/** Shows what an export did to each file, or would do; for a dry run also how the first of them would begin. */
export function ExportedFiles({ documents, total, isDry }: ExportedFilesProps) {
  const words = isDry ? WOULD_BE : DONE;
  const begun = documents.filter(({ beginning }) => beginning !== undefined).length;
  const isCut = begun > 0 && documents.some(({ change, beginning }) => isWritten(change) && beginning === undefined);
  return (
    <RunList title={isDry ? t`Files that would change` : t`Files that changed`} shown={documents.length} total={total}>
      {isCut && (
        <Text size="xs" c="dimmed" mt="xs">
          <Trans>
            How a file would begin is shown of the first {begun} that change. The others are written in the same way.
          </Trans>
        </Text>
      )}
      <PagesOf rows={documents} label={t`files`}>
        {(page) => (
          <Stack gap="xs" mt="xs">
            {page.map(({ name, change, beginning, lines }) => (
              <div key={name}>
                <Group gap="xs">
                  <Text size="sm">
                    <Breaking text={name} />
                  </Text>
                  <Badge variant="light" color={change === 'deleted' ? 'red' : 'gray'}>
                    {words[change]}
                  </Badge>
                </Group>
                {lines !== undefined && (
                  <Text size="xs" c="dimmed">
                    {changesText(lines)}
                  </Text>
                )}
                {change === 'left' && (
                  <Text size="xs" c="dimmed">
                    <Trans>No rule makes it any more, but it was edited there.</Trans>
                  </Text>
                )}
                {beginning !== undefined && beginning !== '' && (
                  <details open={page.length === 1}>
                    <summary>
                      <Trans>How it would begin</Trans>
                    </summary>
                    <ScrollArea.Autosize
                      mah={320}
                      viewportProps={{ tabIndex: 0, 'aria-label': t`Beginning of ${name}`, role: 'region' }}
                    >
                      <Code block>{beginning}</Code>
                    </ScrollArea.Autosize>
                  </details>
                )}
              </div>
            ))}
          </Stack>
        )}
      </PagesOf>
    </RunList>
  );
}

function isWritten(change: Document['change']): boolean {
  return change === 'created' || change === 'changed';
}

/** Describes lines added to existing ones, in a file that the account wrote itself. */
function changesText({ added, removed, kept }: NonNullable<Document['lines']>): string {
  const more = plural(added, { one: '# new line', other: '# new lines' });
  return t`${{ more }}, ${{ removed: numberText(removed) }} would go, ${{ kept: numberText(kept) }} would stay`;
}
