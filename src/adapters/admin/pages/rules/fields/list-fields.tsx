import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Text } from '@mantine/core';
import { looksAtList } from '../../../../../kit/document/pasted-list.ts';
import { textOf } from '../../forms/document.ts';
import { useMember } from '../../forms/draft.ts';
import { MemberLabel } from '../../forms/member-label.tsx';
import { PastedListField } from './pasted-list-field.tsx';

/** The members that these fields are for. */
export const LIST_MEMBERS = ['rule_source', 'list_source'] as const;

const SOURCES = [
  { value: 'hosts', label: t`hosts` },
  { value: 'list', label: t`the rows of a pasted list` },
];

const ROW_SOURCES = [
  { value: 'hosts', label: t`every host` },
  { value: 'list', label: t`the hosts of its rows` },
];

/** The source of a rule whose outcomes may be rows, each about one host. */
export function RowSourceField() {
  const source = useMember(['rule_source']);
  return (
    <NativeSelect
      label={<MemberLabel title={t`The rule looks at`} name="rule_source" />}
      size="xs"
      data={ROW_SOURCES}
      value={textOf(source.value) === 'list' ? 'list' : 'hosts'}
      error={source.error}
      disabled={source.isReadOnly}
      onChange={(event) => source.set(event.currentTarget.value === 'list' ? 'list' : undefined)}
    />
  );
}

/** Selects the source of a rule: hosts, or the rows of a list stored in the rule itself. */
export function ListFields() {
  const source = useMember(['rule_source']);
  const list = useMember(['list_source']);
  const given = textOf(source.value);
  // Rules from before there was a choice go by whether they have a list.
  const current = given === '' ? (looksAtList(given, textOf(list.value)) ? 'list' : 'hosts') : given;
  const isKnown = SOURCES.some(({ value }) => value === current);
  return (
    <>
      <NativeSelect
        label={<MemberLabel title={t`The rule looks at`} name="rule_source" />}
        size="xs"
        data={isKnown ? SOURCES : [{ value: current, label: current }, ...SOURCES]}
        value={current}
        error={source.error}
        disabled={source.isReadOnly}
        onChange={(event) => source.set(event.currentTarget.value)}
      />
      {current === 'list' && <PastedListField />}
      {current === 'hosts' && textOf(list.value).trim() !== '' && (
        <Text size="xs" c="dimmed">
          <Trans>The pasted list of this rule (list_source) is kept, and not used while the rule looks at hosts.</Trans>
        </Text>
      )}
    </>
  );
}
