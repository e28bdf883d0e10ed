import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Done } from '../parts/done.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { allCounts, countsByType, type ImportAnswer, type ImportCounts } from './import-counts.ts';

type Problem = ImportAnswer['details'][number];

interface ImportReportProps {
  readonly answer: ImportAnswer;
  /** False for a preview. */
  readonly isDone: boolean;
  /** True if the import replaced differing rules; a preview replaces nothing. */
  readonly replaces: boolean;
  /** Number of rules that were kept although others were replaced. */
  readonly left?: number;
  /** Shown after the counts. */
  readonly children?: ReactNode;
}

/** Shows what an import did, or would do. */
export function ImportReport({ answer, isDone, replaces, left = 0, children }: ImportReportProps) {
  const rows = countsByType(answer, replaces);
  const counted = allCounts(answer, replaces);
  const all = { ...counted, uncompared: counted.uncompared - left };
  const added = (answer.changes ?? []).filter(({ change }) => change === 'new');
  const kept = Object.entries(answer.kept ?? {});
  return (
    <Stack gap="sm">
      {isDone ? (
        <Done title={doneWords(all, replaces, left)} />
      ) : (
        <>
          <Title order={2} size="h4">
            <Trans>Planned changes</Trans>
          </Title>
          <Text size="sm">{foundWords(all)}</Text>
        </>
      )}
      {children}
      <DataTable
        caption={t`Rules by type`}
        columns={all.uncompared > 0 ? [...COLUMNS, UNCOMPARED] : COLUMNS}
        rows={rows}
        rowKey={({ type }) => type}
        empty={t`The text has no rules.`}
      />
      {kept.length > 0 && (
        <Alert color="yellow" icon={<IconArchive />} title={t`Kept without effect`}>
          {isDone
            ? t`Nothing acts on documents of these types yet, so they are stored and do nothing:`
            : t`Nothing acts on documents of these types yet, so they would be stored and do nothing:`}
          <List size="sm" mt={4}>
            {kept.map(([type, count]) => (
              <List.Item key={type} className="wrap-anywhere">
                {t`${type} (${{ count: numberText(count) }} new)`}: they {answer.waits_for?.[type]}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Problems title={t`Invalid: not stored`} problems={answer.details} />
      <Problems title={t`Cannot work: stored as they are`} problems={answer.cannot_work ?? []} />
      <Problems title={t`Warnings: stored anyway`} problems={answer.warnings} />
      {added.length > 0 && !isDone && (
        <section aria-label={t`New rules`}>
          <Title order={3} size="h5" mb={4}>
            <Trans>New rules</Trans>
          </Title>
          <PagesOf rows={added} label={t`new rules`}>
            {(shown) => (
              <List size="sm">
                {shown.map(({ rule_type, name }) => (
                  <List.Item key={`${rule_type} ${name}`} className="wrap-anywhere">
                    {name}{' '}
                    <Text span size="sm" c="dimmed">
                      {rule_type}
                    </Text>
                  </List.Item>
                ))}
              </List>
            )}
          </PagesOf>
        </section>
      )}
    </Stack>
  );
}

/** Describes the content of the file, compared with the stored rules. */
function foundWords({ added, same, different, uncompared, invalid }: ImportCounts): string {
  const parts = [
    plural(added, { one: '# rule is new', other: '# rules are new' }),
    plural(same, { one: '# is the same as here', other: '# are the same as here' }),
    plural(different, { one: '# differs from what is here', other: '# differ from what is here' }),
  ];
  if (uncompared > 0)
    parts.push(plural(uncompared, { one: '# host is here already', other: '# hosts are here already' }));
  if (invalid > 0) parts.push(plural(invalid, { one: '# is invalid', other: '# are invalid' }));
  return `${parts.join(', ')}.`;
}

function doneWords({ added, same, different, uncompared }: ImportCounts, replaces: boolean, left: number): string {
  const parts = [plural({ count: added }, { one: '# rule is imported.', other: '# rules are imported.' })];
  if (different > 0 && replaces) parts.push(plural(different, { one: '# is replaced.', other: '# are replaced.' }));
  if (different > 0 && !replaces)
    parts.push(plural(different, { one: '# differs and stays as it is.', other: '# differ and stay as they are.' }));
  if (left > 0)
    parts.push(plural(left, { one: '# differs and stays as it is.', other: '# differ and stay as they are.' }));
  if (same > 0) parts.push(plural(same, { one: '# was the same already.', other: '# were the same already.' }));
  if (uncompared > 0)
    parts.push(plural(uncompared, { one: '# host stays as it is.', other: '# hosts stay as they are.' }));
  return parts.join(' ');
}

type Row = ReturnType<typeof countsByType>[number];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'type',
    header: t`Type`,
    cell: ({ type }) => (
      <TextLink to="/rules/$type" params={{ type }} size="sm">
        {type}
      </TextLink>
    ),
  },
  { id: 'added', header: t`New`, alignRight: true, cell: ({ added }) => numberText(added) },
  { id: 'same', header: t`Same as here`, alignRight: true, cell: ({ same }) => numberText(same) },
  { id: 'different', header: t`Different`, alignRight: true, cell: ({ different }) => numberText(different) },
  {
    id: 'invalid',
    header: t`Invalid`,
    alignRight: true,
    cell: ({ invalid }) => (
      <Text span size="sm" {...(invalid > 0 ? { c: 'red' } : {})}>
        {numberText(invalid)}
      </Text>
    ),
  },
];

const UNCOMPARED: Column<Row> = {
  id: 'uncompared',
  header: t`Here already`,
  alignRight: true,
  cell: ({ uncompared }) => numberText(uncompared),
};

function Problems({ title, problems }: { readonly title: string; readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      <PagesOf rows={problems} label={title}>
        {(shown) => (
          <List size="sm">
            {shown.map(({ rule_type, index, line, name, path, message }) => (
              <List.Item key={`${rule_type} ${index} ${line} ${path} ${message}`} className="wrap-anywhere">
                {rule_type} {name === '' ? placeOf(index, line) : t`“${name}”`}: {path === '' ? '' : `${path}: `}
                {message}
              </List.Item>
            ))}
          </List>
        )}
      </PagesOf>
    </section>
  );
}

function placeOf(index: number, line: number | undefined): string {
  return line === undefined ? t`number ${{ number: index + 1 }}` : t`line ${line}`;
}
