import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { Done } from '../../parts/done.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { PanelTitle } from '../panel-title.tsx';
import { DesiredObjects } from './desired-objects.tsx';
import {
  type Explained,
  type ExplainedValue,
  placeOf,
  type RuleName,
  ruleHolds,
  valueHolds,
  valuesOf,
} from './explained.ts';
import { ExplainedGroups } from './explained-groups.tsx';
import { ExplainedRules } from './explained-rules.tsx';
import { ExplainedValues } from './explained-values.tsx';
import { RuleLink } from './rule-link.tsx';

const route = getRouteApi('/hosts/$hostname');

/** Why the host has the values that it has in one inventory. */
export function ExplainTab({ hostname, isObject }: { readonly hostname: string; readonly isObject: boolean }) {
  const { project, target, find } = route.useSearch();
  const navigate = route.useNavigate();
  const explained = useAnswer('hosts/explain-host', {
    hostname,
    ...(target !== undefined ? { target } : project === undefined ? {} : { project }),
  });
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t`Inventory or export`}
          w={{ base: '100%', xs: 240 }}
          data={placesOf({ project, target }, explained.data)}
          value={placeValue({ project, target })}
          onChange={(event) => {
            const place = chosenPlace(event.currentTarget.value);
            void navigate({ search: (now) => ({ ...now, ...place }), resetScroll: false });
          }}
        />
        <Box flex="1 1 16rem" maw={420}>
          <SearchField
            label={t`Find in the explanation`}
            placeholder={t`name, value or rule`}
            value={find ?? ''}
            onSearch={(text) =>
              void navigate({
                search: (now) => ({ ...now, find: text === '' ? undefined : text }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Box>
      </Group>
      <Answer of={explained}>
        {(data) => (
          <Stack gap="lg" opacity={explained.isPlaceholderData ? 0.6 : 1} aria-busy={explained.isPlaceholderData}>
            <Explanation explained={data} isObject={isObject} />
          </Stack>
        )}
      </Answer>
    </Stack>
  );
}

interface Place {
  readonly project: string | undefined;
  readonly target: string | undefined;
}

const INVENTORY = 'inventory ';
const EXPORT = 'export ';

function placeValue({ project, target }: Place): string {
  return target === undefined ? `${INVENTORY}${project ?? ''}` : `${EXPORT}${target}`;
}

function chosenPlace(value: string): Place {
  if (value.startsWith(EXPORT)) return { project: undefined, target: value.slice(EXPORT.length) };
  return { project: value.slice(INVENTORY.length) || undefined, target: undefined };
}

/** Returns the inventories and exports that can be explained; including the chosen one, even while none is known yet. */
function placesOf({ project, target }: Place, explained: Explained | undefined) {
  const { projects = [], targets = [] } = explained ?? {};
  const withChosen = (names: readonly string[], chosen: string | undefined) =>
    chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  const exports = withChosen(targets, target).map((name) => ({
    value: placeValue({ project: undefined, target: name }),
    label: name,
  }));
  const inventories = withChosen(projects, project).map((name) => ({
    value: placeValue({ project: name, target: undefined }),
    label: name,
  }));
  return [
    { group: t`Inventories`, items: [{ value: INVENTORY, label: t`automation (no project)` }, ...inventories] },
    ...(exports.length === 0 ? [] : [{ group: t`Exports`, items: exports }]),
  ];
}

function Explanation({ explained, isObject }: { readonly explained: Explained; readonly isObject: boolean }) {
  const { find, rules: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const [looked, setLooked] = useState<{ readonly place: string }>();
  const { account, explanation } = explained;
  const values = useMemo(() => valuesOf(explained), [explained]);
  const found = find === undefined ? values : values.filter((value) => valueHolds(value, find, account));
  const rules = find === undefined ? explanation.rules : explanation.rules.filter((rule) => ruleHolds(rule, find));

  // After the rule is drawn, which the filters may have kept from being.
  useEffect(() => {
    const place = looked === undefined ? null : document.getElementById(looked.place);
    place?.scrollIntoView({ block: 'center' });
    place?.focus({ preventScroll: true });
  }, [looked]);

  function look(rule: RuleName): void {
    setLooked({ place: placeOf(rule) });
    const isHidden = wanted === 'missed' || !rules.some((shown) => placeOf(shown) === placeOf(rule));
    if (!isHidden) return;
    void navigate({
      search: (now) => ({ ...now, rules: undefined, find: undefined }),
      replace: true,
      resetScroll: false,
    }).then(() => setLooked({ place: placeOf(rule) }));
  }

  const shownTitle =
    explained.target === undefined ? t`Values that the inventory shows` : t`Values that the target gets`;
  const served = found.filter(({ hidden }) => hidden === undefined);
  const hidden = found.filter((value) => value.hidden !== undefined);
  return (
    <>
      {explained.obstacle !== undefined && (
        <Alert color="red" py="xs" title={t`No run uses these rules`} icon={<IconAlertTriangle aria-hidden />}>
          {explained.obstacle}
        </Alert>
      )}
      <Verdict explained={explained} isObject={isObject} onRule={look} />
      {find !== undefined && found.length === 0 && rules.length === 0 && (
        <Text c="dimmed">
          <Trans>
            Nothing here has “{find}” in a name, a value or a rule. An attribute that nothing sets cannot be found.
          </Trans>
        </Text>
      )}
      {find === undefined && <ExplainedGroups explained={explained} onRule={look} />}
      <DesiredObjects explained={explained} onRule={look} />
      <ValueSection
        title={explanation.included ? shownTitle : t`Values that it would show`}
        values={served}
        account={account}
        onRule={look}
      />
      <ValueSection
        title={t`Hidden values`}
        {...(explanation.included
          ? { note: t`No filter rule shows them; where a rule hides a value, it is named.` }
          : {})}
        values={hidden}
        account={account}
        onRule={look}
      />
      <ExplainedRules rules={rules} isFiltered={find !== undefined} />
    </>
  );
}

interface ValueSectionProps {
  readonly title: string;
  readonly note?: string;
  readonly values: readonly ExplainedValue[];
  readonly account: string | null;
  readonly onRule: (rule: RuleName) => void;
}

function ValueSection({ title, note, values, account, onRule }: ValueSectionProps) {
  if (values.length === 0) return null;
  return (
    <section aria-label={title}>
      <PanelTitle title={title} count={values.length} />
      {note !== undefined && (
        <Text size="sm" c="dimmed" mb={4}>
          {note}
        </Text>
      )}
      <ExplainedValues label={title} values={values} account={account} onRule={onRule} />
    </section>
  );
}

interface VerdictProps {
  readonly explained: Explained;
  readonly isObject: boolean;
  readonly onRule: (rule: RuleName) => void;
}

/** Whether the host is in the inventory at all. */
function Verdict({ explained, isObject, onRule }: VerdictProps) {
  const { provider, explanation, replaces, target } = explained;
  const { included, ignoredBy, leftOut, row } = explanation;
  const account = target?.account;
  const groups = explained.groups.filter(({ above }) => above === null).map(({ group }) => group);
  if (isObject && target === undefined) {
    return (
      <Alert color="gray" py="xs">
        <Trans>Objects are in no inventory of hosts. This is what the rules of {provider} would make of it.</Trans>
      </Alert>
    );
  }
  if (!included) {
    return (
      <Alert color="yellow" py="xs" icon={<IconAlertTriangle aria-hidden />}>
        {account === undefined ? t`Not in inventory ${provider}` : t`Does not go to ${account}`}:{' '}
        {ignoredBy === undefined ? (
          (leftOut ?? t`a filter rule hides it.`)
        ) : (
          <Trans>
            <RuleLink rule={ignoredBy} onRule={onRule} /> hides it.
          </Trans>
        )}
      </Alert>
    );
  }
  return (
    <Done title={account === undefined ? inInventoryText(provider, groups) : goesToText(account, groups)}>
      {row !== undefined && <RowText row={row} isReplacing={replaces !== undefined} onRule={onRule} />}
    </Done>
  );
}

function inInventoryText(provider: string, groups: readonly string[]): string {
  const names = groups.join(', ');
  const count = groups.length;
  if (count === 0) return t`Included in "${provider}".`;
  return t`Included in "${provider}", in ${plural(count, { one: 'group', other: 'groups' })} ${names}.`;
}

function goesToText(account: string, groups: readonly string[]): string {
  const names = groups.join(', ');
  const count = groups.length;
  if (count === 0) return t`Goes to ${account}.`;
  return t`Goes to ${account}, in ${plural(count, { one: 'group', other: 'groups' })} ${names}.`;
}

interface RowTextProps {
  readonly row: NonNullable<Explained['explanation']['row']>;
  /** Whether a stored host has the same name. */
  readonly isReplacing: boolean;
  readonly onRule: (rule: RuleName) => void;
}

/** Describes a host that is a row of a pasted list. */
function RowText({ row, isReplacing, onRule }: RowTextProps) {
  const { line } = row;
  if (isReplacing) {
    return (
      <Trans>
        It is line {line} of the list of <RuleLink rule={row} onRule={onRule} />, and takes the place of the stored host
        of this name.
      </Trans>
    );
  }
  return (
    <Trans>
      It is line {line} of the list of <RuleLink rule={row} onRule={onRule} />.
    </Trans>
  );
}
