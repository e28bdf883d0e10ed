import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Code, List, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { sentence } from '../language/service-texts.ts';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { bodyWords } from './body-words.ts';

type Preview = OfferedOutput<'rules/preview-autorules'>;
type Made = Preview['first'][number];

/** Shows the rules that autorules would make, each with its effect. */
export function MadeRules({ preview: { first, rules } }: { readonly preview: Pick<Preview, 'first' | 'rules'> }) {
  const count = first.length;
  if (count === 0) return null;
  return (
    <>
      <Box component="section" className="autorules-list" aria-label={t`Rules that would be made`} tabIndex={0}>
        <DataTable
          caption={t`Rules that would be made`}
          columns={COLUMNS}
          rows={first}
          rowKey={({ rule_type, name }) => `${rule_type} ${name}`}
          empty=""
        />
      </Box>
      {rules > count && (
        <Text size="sm" c="dimmed">
          <Trans>These are the first {count} of them.</Trans>
        </Text>
      )}
    </>
  );
}

/** Shows errors, and values that probably mean something else. */
export function AutoruleFaults({
  preview,
}: {
  readonly preview: Pick<Preview, 'errors' | 'problems' | 'whole_values'>;
}) {
  const { errors, problems, whole_values: wholes } = preview;
  return (
    <>
      {errors > 0 && (
        <Alert color="orange" title={plural(errors, { one: '# error', other: '# errors' })}>
          {problems.slice(0, 5).map((problem) => (
            <Text key={problem} size="sm" className="wrap-anywhere">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
      {wholes.map(({ autorule, attribute, members, rules }) => (
        <Alert
          key={`${autorule} ${attribute}`}
          color="orange"
          title={
            members.length === 0 ? t`The attribute ${attribute} is a list` : t`The attribute ${attribute} is an object`
          }
        >
          <Text size="sm" className="wrap-anywhere">
            {plural(rules, {
              one: '# rule would have all of it in one text.',
              other: '# rules would have all of it in one text.',
            })}{' '}
            {members.length > 0 && (
              <Trans>
                If you mean one of its members, write it so: <Members attribute={attribute} members={members} />
              </Trans>
            )}
          </Text>
        </Alert>
      ))}
    </>
  );
}

/** Number of members that are named. */
const NAMED = 5;

function Members({ attribute, members }: { readonly attribute: string; readonly members: readonly string[] }) {
  return members.slice(0, NAMED).map((member, index) => (
    <span key={member}>
      {index > 0 && ', '}
      <Code>{`{{ ${attribute}.${member} }}`}</Code>
    </span>
  ));
}

const COLUMNS: readonly Column<Made>[] = [
  cell.text('name', t`Rule`, ({ name }) => name),
  { id: 'does', header: t`Effect`, cell: (rule) => <Does rule={rule} /> },
  cell.text('host', t`Made for`, ({ hostname }) => hostname),
  { id: 'type', header: t`Type`, cell: ({ rule_type }) => rule_type },
  cell.number('position', t`Position`, (rule) => rule.sort_field),
  { id: 'enabled', header: t`Enabled`, cell: (rule) => (rule.enabled ? t`enabled` : t`disabled`) },
];

function Does({ rule: { document, outcome_lines: outcomes = [] } }: { readonly rule: Made }) {
  const lines = bodyWords(
    document,
    outcomes.map((outcome) => sentence(outcome.text, outcome)),
  );
  return (
    <Stack gap={2} miw={200}>
      <List size="sm" listStyleType="none" spacing={2}>
        {lines.map((line) => (
          <List.Item key={line} className="wrap-anywhere">
            {line}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
