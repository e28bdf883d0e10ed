import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconArchive, IconCheck } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';
import { Changes } from '../parts/changes.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pages-of.tsx';
import { pathWords } from '../parts/path-words.ts';

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
          {plural({ count: newRules(answer) }, { one: '# rule is imported.', other: '# rules are imported.' })}
        </Alert>
      ) : (
        <Title order={2} size="h4">
          <Trans>What it would do</Trans>
        </Title>
      )}
      <DataTable
        caption={t`Rules by type`}
        columns={COLUMNS}
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
      {changes.length > 0 && (
        <section aria-label={t`Changes`}>
          <Title order={3} size="h5" mb={4}>
            <Trans>Changes</Trans>
          </Title>
          <PagesOf rows={changes} label={t`changes`}>
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
                          {change.rule_type},{' '}
                          {change.change === 'new' ? t`new` : t({ message: 'changes', context: 'what something does' })}
                        </Text>
                      </Text>
                    </Accordion.Control>
                    <Accordion.Panel>
                      {change.change === 'new' ? (
                        <Text size="sm">
                          <Trans>No rule has this id or name yet.</Trans>
                        </Text>
                      ) : (
                        <Changes
                          caption={t`Changes of ${{ name: change.name }}`}
                          changes={change.changes}
                          place={pathWords}
                        />
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
    header: t`Type`,
    cell: ({ type }) => (
      <TextLink to="/rules/$type" params={{ type }} size="sm">
        {type}
      </TextLink>
    ),
  },
  { id: 'imported', header: t`Imported`, alignRight: true, cell: ({ imported }) => numberText(imported) },
  { id: 'duplicate', header: t`Duplicate`, alignRight: true, cell: ({ duplicate }) => numberText(duplicate) },
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
