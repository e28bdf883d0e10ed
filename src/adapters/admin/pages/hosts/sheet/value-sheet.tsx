import { ActionIcon, Button, CopyButton, Group, NativeSelect, Switch, Table, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { originText } from '../../../../../app/rules/explain/words.ts';
import { useAnswer } from '../../calls/use-call.ts';
import { TextLink } from '../../parts/links.tsx';
import { Value } from '../../parts/value.tsx';
import { valueText } from '../../parts/value-text.ts';
import { When } from '../../parts/when.tsx';
import { type Explained, type ExplainedValue, type Origin, valueHolds, valuesOf } from '../explain/explained.ts';
import { PanelTitle } from '../panel-title.tsx';
import { labelsChangedAt } from './changed-at.ts';
import { LinkedValue } from './linked-value.tsx';
import { useChanges } from './use-changes.ts';

const SHOWN = 25;
const TOP = { verticalAlign: 'top' } as const;

/** What consumers get of a host: each value with who gave it, what it stands in place of, and since when. */
export function ValueSheet({ hostname }: { readonly hostname: string }) {
  const [project, setProject] = useState('');
  const explained = useAnswer('hosts/explain-host', { hostname, ...(project !== '' && { project }) });
  const history = useChanges(hostname);
  if (explained.data === undefined) return null;
  return (
    <Sheet
      explained={explained.data}
      changedAt={labelsChangedAt(history.data?.changes ?? [])}
      project={project}
      onProject={setProject}
    />
  );
}

interface SheetProps {
  readonly explained: Explained;
  readonly changedAt: ReadonlyMap<string, string>;
  readonly project: string;
  readonly onProject: (project: string) => void;
}

function Sheet({ explained, changedAt, project, onProject }: SheetProps) {
  const [text, setText] = useState('');
  const [hasHidden, setHidden] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const { account } = explained;
  const all = useMemo(() => valuesOf(explained), [explained]);
  const kept = all.filter(({ hidden }) => hasHidden || hidden === undefined);
  const found = text === '' ? kept : kept.filter((value) => valueHolds(value, text, account));
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const hiddenCount = all.filter(({ hidden }) => hidden !== undefined).length;
  return (
    <section aria-label="Values">
      <PanelTitle title="Values" count={kept.length} />
      <Group gap="sm" mb="xs" align="flex-end">
        <TextInput
          aria-label="Find in values"
          placeholder="name, value or rule"
          size="xs"
          w={220}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {explained.projects.length > 0 && (
          <NativeSelect
            aria-label="Values in the inventory"
            size="xs"
            data={[{ value: '', label: 'automation' }, ...explained.projects]}
            value={project}
            onChange={(event) => onProject(event.currentTarget.value)}
          />
        )}
        {hiddenCount > 0 && (
          <Switch
            size="xs"
            label={`Also the ${hiddenCount.toLocaleString('en')} that it does not show`}
            checked={hasHidden}
            onChange={(event) => setHidden(event.currentTarget.checked)}
          />
        )}
      </Group>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text === '' ? 'No inventory shows a value of it.' : 'No value has this text.'}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="Values of this host" verticalSpacing={3} horizontalSpacing="xs" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="24%">Name</Table.Th>
                <Table.Th>Value</Table.Th>
                <Table.Th w="30%">From</Table.Th>
                <Table.Th w="9.5rem">Changed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((value) => (
                <Row key={value.name} value={value} account={account} changedAt={changedAt.get(value.name)} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {found.length > shown.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          All {found.length.toLocaleString('en')} values
        </Button>
      )}
    </section>
  );
}

interface RowProps {
  readonly value: ExplainedValue;
  readonly account: string | null;
  readonly changedAt: string | undefined;
}

function Row({ value, account, changedAt }: RowProps) {
  const { name, value: now, origin, hidden } = value;
  return (
    <Table.Tr {...(hidden !== undefined && { opacity: 0.7 })}>
      <Table.Td style={TOP} className="wrap-anywhere">
        <Text size="sm" fw={500}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td style={TOP}>
        <Group gap={4} wrap="nowrap" align="flex-start">
          <div className="sheet-value">
            <LinkedValue value={now} />
          </div>
          <Copy name={name} value={now} />
        </Group>
      </Table.Td>
      <Table.Td style={TOP}>
        <Text size="sm" component="div" className="wrap-anywhere">
          <Giver origin={origin} account={account} />
        </Text>
        <Overridden value={value} account={account} />
      </Table.Td>
      <Table.Td style={TOP}>
        <Text size="sm" c="dimmed" component="div">
          {changedAt !== undefined && <When at={changedAt} />}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** A rule leads to its page. */
function Giver({ origin, account }: { readonly origin: Origin; readonly account: string | null }) {
  if (origin.kind !== 'rule') return originText(origin, account);
  return (
    <>
      rule{' '}
      <TextLink inherit to="/rules/$type/$id" params={{ type: origin.type, id: origin.id }}>
        {origin.name}
      </TextLink>
    </>
  );
}

/** What said something else and lost, and why the inventory leaves it out. */
function Overridden({ value: { earlier, others, hidden }, account }: Omit<RowProps, 'changedAt'>) {
  const [isOpen, setOpen] = useState(false);
  const count = earlier.length + others.length;
  return (
    <>
      {hidden !== undefined && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {hidden === 'nothing'
            ? 'not shown: no filter rule shows it'
            : 'withheld' in hidden
              ? `not shown: ${hidden.withheld}`
              : `not shown: rule ${hidden.rule.name} says ${hidden.line}`}
        </Text>
      )}
      {count > 0 && (
        <Button size="compact-xs" variant="subtle" px={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide what lost' : `instead of ${count === 1 ? 'another value' : `${count} other values`}`}
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
          {others.map((other) => (
            <Text key={other.account} size="xs" c="dimmed" component="div" className="wrap-anywhere">
              <Value value={other.value} /> from account {other.account}, with less precedence
            </Text>
          ))}
        </>
      )}
    </>
  );
}

function Copy({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <CopyButton value={typeof value === 'string' ? value : valueText(value)} timeout={2000}>
      {({ copied, copy }) => (
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          className="sheet-copy"
          aria-label={copied ? `${name} copied` : `Copy ${name}`}
          onClick={copy}
        >
          {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
