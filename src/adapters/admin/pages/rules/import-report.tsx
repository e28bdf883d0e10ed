import { Accordion, Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconArchive, IconCheck } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { Changes } from '../parts/changes.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pages-of.tsx';

type Answer = OfferedOutput<'rules/import-rules'>;
type Problem = Answer['details'][number];

/** How many documents an import stores, those of types that nobody knows too. */
export function newRules(answer: Answer): number {
  const unknown = Object.entries(answer.kept ?? {}).filter(([type]) => answer.imported[type] === undefined);
  return unknown.reduce((sum, [, count]) => sum + count, answer.total);
}

interface ImportReportProps {
  readonly answer: Answer;
  /** False for a preview. */
  readonly isDone: boolean;
}

/** What an import did, or would do. */
export function ImportReport({ answer, isDone }: ImportReportProps) {
  const rows = Object.keys(answer.duplicate).map((type) => ({
    type,
    imported: answer.imported[type] ?? answer.kept?.[type] ?? 0,
    duplicate: answer.duplicate[type] ?? 0,
    invalid: answer.invalid[type] ?? 0,
  }));
  const changes = answer.changes ?? [];
  const kept = Object.entries(answer.kept ?? {});
  return (
    <Stack gap="sm">
      {isDone ? (
        <Alert color="green" icon={<IconCheck />}>
          {newRules(answer).toLocaleString('en')} {newRules(answer) === 1 ? 'rule is' : 'rules are'} imported.
        </Alert>
      ) : (
        <Title order={2} size="h4">
          What it would do
        </Title>
      )}
      <DataTable
        caption="Rules by type"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ type }) => type}
        empty="The text has no rules."
      />
      {kept.length > 0 && (
        <Alert color="yellow" icon={<IconArchive />} title="Kept without effect">
          Nothing acts on documents of these types yet, so they {isDone ? 'are' : 'would be'} stored and do nothing:
          <List size="sm" mt={4}>
            {kept.map(([type, count]) => (
              <List.Item key={type} className="wrap-anywhere">
                {type} ({count.toLocaleString('en')} new): they {answer.waits_for?.[type]}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Problems title="Invalid: not stored" problems={answer.details} />
      <Problems title="Cannot work: stored as they are" problems={answer.cannot_work ?? []} />
      <Problems title="Warnings: stored anyway" problems={answer.warnings} />
      {changes.length > 0 && (
        <section aria-label="Changes">
          <Title order={3} size="h5" mb={4}>
            Changes
          </Title>
          <PagesOf rows={changes} label="changes">
            {(shown) => (
              <Accordion variant="contained" chevronPosition="left" multiple>
                {shown.map((change) => (
                  <Accordion.Item
                    key={`${change.rule_type} ${change.name}`}
                    value={`${change.rule_type} ${change.name}`}
                  >
                    <Accordion.Control>
                      <Text size="sm" className="wrap-anywhere">
                        {change.name}
                        <Text span size="sm" c="dimmed">
                          {' '}
                          {change.rule_type}, {change.change === 'new' ? 'new' : 'changes'}
                        </Text>
                      </Text>
                    </Accordion.Control>
                    <Accordion.Panel>
                      {change.change === 'new' ? (
                        <Text size="sm">No rule has this id or name yet.</Text>
                      ) : (
                        <Changes caption={`Changes of ${change.name}`} changes={change.changes} />
                      )}
                    </Accordion.Panel>
                  </Accordion.Item>
                ))}
              </Accordion>
            )}
          </PagesOf>
        </section>
      )}
    </Stack>
  );
}

interface Counts {
  readonly type: string;
  readonly imported: number;
  readonly duplicate: number;
  readonly invalid: number;
}

const COLUMNS: readonly Column<Counts>[] = [
  {
    id: 'type',
    header: 'Type',
    cell: ({ type }) => (
      <TextLink to="/rules/$type" params={{ type }} size="sm">
        {type}
      </TextLink>
    ),
  },
  { id: 'imported', header: 'Imported', alignRight: true, cell: ({ imported }) => imported.toLocaleString('en') },
  { id: 'duplicate', header: 'Duplicate', alignRight: true, cell: ({ duplicate }) => duplicate.toLocaleString('en') },
  {
    id: 'invalid',
    header: 'Invalid',
    alignRight: true,
    cell: ({ invalid }) => (
      <Text span size="sm" {...(invalid > 0 ? { c: 'red' } : {})}>
        {invalid.toLocaleString('en')}
      </Text>
    ),
  },
];

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
                {rule_type} {name === '' ? placeOf(index, line) : `“${name}”`}: {path === '' ? '' : `${path}: `}
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
  return line === undefined ? `number ${index + 1}` : `line ${line}`;
}
