import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, NativeSelect, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useAnswer } from '../../calls/use-call.ts';
import { numberText } from '../../language/numbers.ts';
import { cell } from '../../parts/cells.tsx';
import { CopyIcon } from '../../parts/copy-icon.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Value } from '../../parts/value.tsx';
import { valueText } from '../../parts/value-text.ts';
import { type Explained, type ExplainedValue, type Origin, valueHolds, valuesOf } from '../explain/explained.ts';
import { originText } from '../explain/origin-text.ts';
import { PanelTitle } from '../panel-title.tsx';
import { createdAt, labelsChangedAt } from './changed-at.ts';
import { FailedRules } from './failed-rules.tsx';
import { LinkedValue } from './linked-value.tsx';
import { useChanges } from './use-changes.ts';
import { useValueAges, type ValueAge } from './use-value-ages.ts';
import { LabelAge, RuleAge } from './value-age.tsx';

const SHOWN = 25;

interface ValueSheetProps {
  readonly hostname: string;
  /** How many it has: values are about as many. */
  readonly labels: number;
}

/** Shows the values that consumers get of a host: each with its origin, the value it replaces, and its age. */
export function ValueSheet({ hostname, labels }: ValueSheetProps) {
  const [project, setProject] = useState('');
  const explained = useAnswer('hosts/explain-host', { hostname, ...(project !== '' && { project }) });
  const history = useChanges(hostname);
  const ages = useValueAges(hostname, project, explained.data);
  if (explained.isError) return null;
  if (explained.data === undefined) return <Coming labels={labels} />;
  return (
    <Sheet
      explained={explained.data}
      ages={ages}
      changedAt={labelsChangedAt(history.data?.changes ?? [])}
      created={createdAt(history.data?.changes ?? [])}
      project={project}
      onProject={setProject}
    />
  );
}

const ROW_HEIGHT = 29;
const HEAD_HEIGHT = 110;

/** Reserves the place of the values until they arrive, so that nothing below them moves. */
function Coming({ labels }: { readonly labels: number }) {
  return (
    <Box component="section" aria-label={t`Values`} mih={HEAD_HEIGHT + Math.min(labels, SHOWN) * ROW_HEIGHT}>
      <PanelTitle title={t`Values`} />
      <Skeleton h={29} role="status" aria-label={t`Loading`} />
    </Box>
  );
}

interface SheetProps {
  readonly explained: Explained;
  readonly ages: ReadonlyMap<string, ValueAge>;
  readonly changedAt: ReadonlyMap<string, string>;
  /** `undefined` if it is unknown. */
  readonly created: string | undefined;
  readonly project: string;
  readonly onProject: (project: string) => void;
}

function Sheet({ explained, ages, changedAt, created, project, onProject }: SheetProps) {
  const [text, setText] = useState('');
  const [hasHidden, setHidden] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const { account } = explained;
  const all = useMemo(() => valuesOf(explained), [explained]);
  const columns = useMemo(
    () =>
      columnsOf(account, ({ name, origin }) =>
        origin.kind === 'rule' ? (
          <RuleAge age={ages.get(name)} />
        ) : (
          <LabelAge at={changedAt.get(name) ?? (origin.kind === 'label' ? created : undefined)} />
        ),
      ),
    [account, ages, changedAt, created],
  );
  const kept = all.filter(({ hidden }) => hasHidden || hidden === undefined);
  const found = text === '' ? kept : kept.filter((value) => valueHolds(value, text, account));
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const hidden = all.filter((value) => value.hidden !== undefined);
  const hiddenCount = numberText(hidden.length);
  const foundCount = numberText(found.length);
  return (
    <section aria-label={t`Values`}>
      <PanelTitle title={t`Values`} count={kept.length} />
      <FailedRules rules={explained.explanation.rules} />
      <Group gap="sm" mb="xs" align="flex-end">
        <TextInput
          aria-label={t`Find in values`}
          placeholder={t`name, value or rule`}
          size="xs"
          w={220}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {explained.projects.length > 0 && (
          <NativeSelect
            aria-label={t`Values in the inventory`}
            size="xs"
            data={[{ value: '', label: 'automation' }, ...explained.projects]}
            value={project}
            onChange={(event) => onProject(event.currentTarget.value)}
          />
        )}
        {hidden.length > 0 && (
          <Switch
            size="xs"
            label={t`Show ${hiddenCount} hidden values`}
            checked={hasHidden}
            onChange={(event) => setHidden(event.currentTarget.checked)}
          />
        )}
      </Group>
      <DataTable
        caption={t`Values of this host`}
        minWidth={520}
        columns={columns}
        rows={shown}
        rowKey={({ name }) => name}
        empty={text === '' ? t`No inventory shows a value of it.` : t`No value has this text.`}
      />
      {found.length > shown.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>All {foundCount} values</Trans>
        </Button>
      )}
    </section>
  );
}

function columnsOf(
  account: string | null,
  sinceOf: (value: ExplainedValue) => ReactNode,
): readonly Column<ExplainedValue>[] {
  return [
    cell.link('name', t`Name`, ({ name, hidden }) =>
      hidden === undefined ? name : <span className="dimmed">{name}</span>,
    ),
    cell.text('value', t`Value`, ({ name, value }) => (
      <Group gap={4} wrap="nowrap" align="flex-start">
        <div className="sheet-value">
          <LinkedValue value={value} />
        </div>
        <CopyIcon
          value={typeof value === 'string' ? value : valueText(value)}
          label={name}
          size="xs"
          variant="subtle"
          color="gray"
          className="sheet-copy"
          iconSize={12}
        />
      </Group>
    )),
    cell.text('from', t`From`, (value) => (
      <>
        <Giver origin={value.origin} account={account} />
        <Overridden value={value} account={account} />
      </>
    )),
    { id: 'since', header: t`Since`, cell: (value) => <div className="dimmed one-line">{sinceOf(value)}</div> },
  ];
}

/** A rule leads to its page. */
function Giver({ origin, account }: { readonly origin: Origin; readonly account: string | null }) {
  if (origin.kind !== 'rule') return originText(origin, account);
  const { type, id, name } = origin;
  return (
    <Trans>
      rule{' '}
      <TextLink inherit to="/rules/$type/$id" params={{ type, id }}>
        {name}
      </TextLink>
    </Trans>
  );
}

interface OverriddenProps {
  readonly value: ExplainedValue;
  readonly account: string | null;
}

/** Shows overridden values with their origins, and why the inventory leaves out the value. */
function Overridden({ value: { earlier, others, hidden }, account }: OverriddenProps) {
  const [isOpen, setOpen] = useState(false);
  const count = earlier.length + others.length;
  return (
    <>
      {hidden !== undefined && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {whyHidden(hidden)}
        </Text>
      )}
      {count > 0 && (
        <Button size="compact-xs" variant="subtle" px={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? t`Hide what lost`
            : plural(count, { one: 'instead of another value', other: 'instead of # other values' })}
        </Button>
      )}
      {isOpen && (
        <>
          {earlier.map((step, index) => (
            // Steps have no names, and their order is all that they are.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Text key={index} size="xs" c="dimmed" component="div" className="wrap-anywhere">
              <Value value={step.value} />, <Giver origin={step.origin} account={account} />
            </Text>
          ))}
          {others.map(({ account: other, value: theirs }) => (
            <Text key={other} size="xs" c="dimmed" component="div" className="wrap-anywhere">
              <Trans>
                <Value value={theirs} /> from account {other}, with less precedence
              </Trans>
            </Text>
          ))}
        </>
      )}
    </>
  );
}

function whyHidden(hidden: NonNullable<ExplainedValue['hidden']>): string {
  if (hidden === 'nothing') return t`not shown: no filter rule shows it`;
  if ('withheld' in hidden) {
    const { withheld } = hidden;
    return t`not shown: ${withheld}`;
  }
  const { rule, line } = hidden;
  const { name } = rule;
  return t`not shown: rule ${name} says ${line}`;
}
