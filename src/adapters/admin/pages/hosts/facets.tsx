import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, CloseButton, Group, NativeSelect, Select, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';

type Counted = OfferedOutput<'search/count-hosts'>;
type Facet = Counted['fields'][number];

/** The counted fields of the host itself; labels that distinguish the found hosts are added. */
export const FACETS = { fields: ['account', 'type'], labels: 8, values: 20, states: true };
/** Groups of the inventory take longer, and users who may see hosts may not always see these. */
export const GROUP_FACET = { fields: ['group'], values: 50 };
/** The inventory to take groups from if none is chosen. */
export const DEFAULT_PROVIDER = 'automation';

const HEADERS: Readonly<Record<string, string>> = { account: t`Account`, type: t`Type`, group: t`Group` };
const STATES = { active: t`active`, archived: t`archived` } as const;
const SHOWN = 5;
/** Number of further fields that the user may have counted. */
const MOST_MORE = 5;

type State = 'active' | 'archived';

interface FacetsProps {
  readonly counted: Counted;
  /** Absent while groups are being counted, and if they are not requested. */
  readonly groups: Facet | undefined;
  /** The inventory that the groups belong to, and all existing ones. */
  readonly provider: string;
  readonly providers: readonly string[];
  readonly chooseProvider: (name: string) => void;
  /** Adds the condition to the query, or removes it. */
  readonly toggle: (condition: string) => void;
  /** The states that the filter above shows. */
  readonly states: readonly State[];
  readonly toggleState: (state: State) => void;
  /** Further fields that the user chose. */
  readonly more: readonly string[];
  readonly chooseMore: (fields: readonly string[]) => void;
}

/** How often values occur among the found hosts; a click asks for those that have one. */
export function Facets(props: FacetsProps) {
  const { counted, groups, provider, providers, chooseProvider, toggle, states, toggleState, more, chooseMore } = props;
  const chosen = new Set(counted.conditions);
  // A value common to all offers no choice, unless the user added the facet.
  const facets = [...counted.fields, ...(groups === undefined ? [] : [groups])].filter((facet, index) => {
    const { field, values, without } = facet;
    if (counted.fields.findIndex((other) => other.field === field) < index && facet !== groups) return false;
    if (more.includes(field)) return true;
    // An inventory without groups here must not remove the choice of another.
    if (facet === groups && providers.length > 1) return true;
    return values.length > 1 || (values.length === 1 && (without > 0 || !Object.hasOwn(HEADERS, field)));
  });
  // Facets added by the user come at the end, in the order of choice.
  const isMore = ({ field }: Facet): boolean => more.includes(field);
  const inOrder = [...facets.filter((facet) => !isMore(facet)), ...facets.filter(isMore)];
  const shown = new Set(facets.map(({ field }) => field));
  const others = counted.label_names.map(({ field }) => field).filter((field) => !shown.has(field));
  // Without archived hosts there is no choice.
  const ofStates = counted.states?.archived ? counted.states : undefined;
  return (
    <Stack component="section" aria-label={t`Facets`} gap="md" className="not-printed">
      {ofStates !== undefined && <StateValues counts={ofStates} states={states} toggle={toggleState} />}
      {/* Groups come later than the others, and must not move them. */}
      {inOrder.map((facet) => (
        <FacetValues
          key={facet.field}
          facet={facet}
          chosen={chosen}
          toggle={toggle}
          {...(isMore(facet) && {
            remove: () => chooseMore(more.filter((field) => field !== facet.field)),
          })}
        >
          {facet === groups && <GroupsOf provider={provider} providers={providers} choose={chooseProvider} />}
        </FacetValues>
      ))}
      {others.length > 0 && more.length < MOST_MORE && (
        <Select
          size="xs"
          label={t`Another label`}
          placeholder={t`Choose`}
          searchable
          selectFirstOptionOnChange
          limit={100}
          data={others}
          value={null}
          onChange={(field) => field !== null && chooseMore([...more, field])}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        />
      )}
      {facets.length === 0 && ofStates === undefined && (
        <Text size="sm" c="dimmed">
          <Trans>These hosts have no distinguishing values.</Trans>
        </Text>
      )}
    </Stack>
  );
}

interface GroupsOfProps {
  readonly provider: string;
  readonly providers: readonly string[];
  readonly choose: (name: string) => void;
}

/** Each inventory has groups of its own. */
function GroupsOf({ provider, providers, choose }: GroupsOfProps) {
  if (providers.length < 2) {
    return (
      <Text size="xs" c="dimmed" className="wrap-anywhere">
        {provider}
      </Text>
    );
  }
  return (
    <NativeSelect
      size="xs"
      my={4}
      aria-label={t`Inventory provider`}
      data={providers.includes(provider) ? [...providers] : [provider, ...providers]}
      value={provider}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  );
}

interface StateValuesProps {
  readonly counts: Readonly<Record<State, number>>;
  readonly states: readonly State[];
  readonly toggle: (state: State) => void;
}

/** Shows the number of hosts of each state; a click does the same as the filter above. */
function StateValues({ counts, states, toggle }: StateValuesProps) {
  return (
    <Box component="section" aria-label={t`State`}>
      <Title order={2} fz="sm" fw={600}>
        <Trans>State</Trans>
      </Title>
      {(['active', 'archived'] as const).map((state) => (
        <FacetValue
          key={state}
          text={STATES[state]}
          count={counts[state]}
          isChosen={states.includes(state)}
          onClick={() => toggle(state)}
        />
      ))}
    </Box>
  );
}

interface FacetValuesProps {
  readonly facet: Facet;
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (condition: string) => void;
  /** Removes a facet that the user added. */
  readonly remove?: () => void;
  /** Shown below the header. */
  readonly children: ReactNode;
}

function FacetValues({ facet, chosen, toggle, remove, children }: FacetValuesProps) {
  const [isWhole, setWhole] = useState(false);
  const { field, values, without, without_condition: missing, is_cut: isCut } = facet;
  const header = HEADERS[field] ?? field;
  const isLong = values.length > SHOWN + 1;
  const shown = isLong && !isWhole ? values.slice(0, SHOWN) : values;
  return (
    <Box component="section" aria-label={header}>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Title order={2} fz="sm" fw={600} className="wrap-anywhere">
          {header}
        </Title>
        {remove !== undefined && <CloseButton size="xs" aria-label={t`Without ${header}`} onClick={remove} />}
      </Group>
      {children}
      {shown.map(({ value, count, condition }) => (
        <FacetValue
          key={condition}
          text={value}
          count={count}
          isChosen={chosen.has(condition)}
          onClick={() => toggle(condition)}
        />
      ))}
      {without > 0 && (!isLong || isWhole) && (
        <FacetValue
          text={t`none`}
          isDim
          count={without}
          isChosen={chosen.has(missing)}
          onClick={() => toggle(missing)}
        />
      )}
      {isCut && (isWhole || !isLong) && (
        <Text size="xs" c="dimmed">
          <Trans>There are more; the search finds them by name.</Trans>
        </Text>
      )}
      {isLong && (
        <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? t`Fewer`
            : isCut
              ? t`More of ${header}`
              : t`All ${{ count: numberText(values.length) }} of ${header}`}
        </UnstyledButton>
      )}
    </Box>
  );
}

interface FacetValueProps {
  readonly text: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly isDim?: boolean;
  readonly onClick: () => void;
}

function FacetValue({ text, count, isChosen, isDim = false, onClick }: FacetValueProps) {
  return (
    <UnstyledButton className="facet-value" aria-pressed={isChosen} onClick={onClick} title={text}>
      <Text span size="sm" truncate fw={isChosen ? 600 : 400} fs={isDim ? 'italic' : 'normal'}>
        {text}
      </Text>
      <Text span size="xs" c="dimmed">
        {numberText(count)}
      </Text>
    </UnstyledButton>
  );
}
