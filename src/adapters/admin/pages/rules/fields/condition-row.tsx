import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Grid, NativeSelect, Stack, Text } from '@mantine/core';
import type { JsonObject } from '../../../../../ports/index.ts';
import { flagOf, type Path, textOf } from '../../forms/document.ts';
import { useDraft, useMember } from '../../forms/draft.ts';
import { SuggestField } from '../../forms/suggest-field.tsx';
import { MonoField } from '../../forms/text-fields.tsx';
import { type Comparison, choiceOf, comparisonChoices, comparisonOf, type Subject } from './operators.ts';

const KINDS = [
  { value: 'tag', label: t`An attribute` },
  { value: 'host', label: t`The hostname` },
];

/** Selects the subject of a condition. */
export function ConditionKind({ path, row }: { readonly path: Path; readonly row: JsonObject }) {
  const { value, error, isReadOnly } = useMember([...path, 'match_type']);
  const { set } = useMember(path);
  const type = textOf(value);
  return (
    <NativeSelect
      aria-label={t`Checks`}
      size="xs"
      data={type === 'tag' || type === 'host' ? KINDS : [{ value: type, label: type || t`choose` }, ...KINDS]}
      value={type}
      error={error}
      disabled={isReadOnly}
      onChange={(event) => set(ofKind(row, event.currentTarget.value))}
    />
  );
}

/** Returns the condition with the other kind; its content is kept. */
function ofKind(row: JsonObject, kind: string): JsonObject {
  const subjects = kind === 'host' ? ['hostname'] : ['tag', 'value'];
  const needed = subjects.flatMap((subject) => [
    [subject, ''],
    [`${subject}_match`, 'equal'],
    [`${subject}_match_negate`, false],
  ]);
  return { ...Object.fromEntries(needed), ...row, match_type: kind };
}

/** One condition: on the hostname, or on the name and the value of any attribute. */
export function ConditionRow({ path, row }: { readonly path: Path; readonly row: JsonObject }) {
  const type = textOf(row.match_type);
  const name = comparison(row, 'tag');
  const isAbsent = name.operator === 'ignore' && name.negate;
  return (
    <Stack gap={4}>
      {type === 'host' && <ComparisonFields path={path} row={row} subject="hostname" />}
      {type === 'tag' && <ComparisonFields path={path} row={row} subject="tag" />}
      {type === 'tag' && !isAbsent && <ComparisonFields path={path} row={row} subject="value" />}
    </Stack>
  );
}

interface ComparisonFieldsProps {
  readonly path: Path;
  readonly row: JsonObject;
  readonly subject: Subject;
}

function ComparisonFields({ path, row, subject }: ComparisonFieldsProps) {
  const draft = useDraft();
  const operatorPath = [...path, `${subject}_match`];
  const negatePath = [...path, `${subject}_match_negate`];
  const current = comparison(row, subject);
  const choice = choiceOf(current);
  const isUnused = current.operator === 'ignore' && !(subject === 'tag' && current.negate);
  const { word, operator, needle } = LABELS[subject];
  return (
    <Grid gap={6} align="flex-start">
      <Grid.Col span={{ base: 12, xs: 2 }} pt={{ base: 0, xs: 6 }}>
        <Text size="xs" c="dimmed" aria-hidden>
          {word}
        </Text>
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 5 }}>
        <NativeSelect
          aria-label={operator}
          size="xs"
          value={choice}
          error={draft.problem(operatorPath) ?? draft.problem(negatePath)}
          disabled={draft.isReadOnly}
          onChange={(event) => {
            const next = comparisonOf(event.currentTarget.value);
            draft.set(path, { ...row, [`${subject}_match`]: next.operator, [`${subject}_match_negate`]: next.negate });
          }}
        >
          {choice === '' && (
            <option value="">
              <Trans>choose</Trans>
            </option>
          )}
          {comparisonChoices(subject, choice).map(({ group, items }) => (
            <optgroup key={group} label={group}>
              {items.map((item) => (
                <option key={item.value} value={item.value}>
                  {item.label}
                </option>
              ))}
            </optgroup>
          ))}
        </NativeSelect>
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 5 }}>
        {!isUnused && (
          <Needle
            path={[...path, subject]}
            row={row}
            subject={subject}
            label={needle}
            placeholder={PLACEHOLDERS[subject]}
          />
        )}
      </Grid.Col>
    </Grid>
  );
}

interface NeedleProps {
  readonly path: Path;
  readonly row: JsonObject;
  readonly subject: Subject;
  readonly label: string;
  readonly placeholder: string;
}

/** The value to compare with; existing names and values are offered. */
function Needle({ path, row, subject, label, placeholder }: NeedleProps) {
  const shown = { path, ariaLabel: label, placeholder };
  if (subject === 'tag') return <SuggestField {...shown} offers="attribute" />;
  // A text of several lines is a template, which needs the room.
  const isLong = textOf(row.value).includes('\n');
  if (subject === 'hostname' || isLong) return <MonoField {...shown} />;
  return <SuggestField {...shown} offers={{ valuesOf: textOf(row.tag) }} />;
}

const LABELS = {
  hostname: { word: t`hostname`, operator: t`How the hostname is compared`, needle: t`Hostname compared with` },
  tag: { word: t`name`, operator: t`How the name is compared`, needle: t`Name of the attribute` },
  value: { word: t`value`, operator: t`How the value is compared`, needle: t`Value compared with` },
} as const;

const PLACEHOLDERS = { hostname: t`text`, tag: t`attribute`, value: t`text or template` } as const;

function comparison(row: JsonObject, subject: Subject): Comparison {
  return { operator: textOf(row[`${subject}_match`]), negate: flagOf(row[`${subject}_match_negate`]) };
}
