import { plural, t } from '@lingui/core/macro';
import { Input, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAnswer } from '../calls/use-call.ts';
import { HostField } from '../hosts/host-field.tsx';
import { QueryField } from '../hosts/query-field.tsx';
import { moreText } from '../language/more-text.ts';
import { numberText } from '../language/numbers.ts';

/** Which hosts of an inventory a run is for. What was written for another kind stays until the form is closed. */
export interface Limit {
  readonly kind: 'all' | 'host' | 'search' | 'group';
  readonly host: string;
  readonly search: string;
  readonly group: string;
}

/** Number of hosts named before a run begins. */
const NAMED = 5;

/** The members of a call that limit it; `undefined` while something is missing. */
export function limitMembers({ kind, ...written }: Limit): { [member: string]: string } | undefined {
  if (kind === 'all') return {};
  const value = written[kind].trim();
  return value === '' ? undefined : { [kind]: value };
}

/** Finds the hosts of a run as of now; `hosts` is absent until they are known. */
export function useRunHosts(playbook: string, provider: string, limit: Limit) {
  const [settled] = useDebouncedValue(limit, 350);
  const members = limitMembers(limit);
  const isTyped = settled.host !== limit.host || settled.search !== limit.search;
  const answer = useAnswer(
    'playbooks/preview-run',
    { playbook, provider, limit: NAMED, ...members },
    { enabled: members !== undefined && !isTyped },
  );
  const isKnown = members !== undefined && !isTyped && !answer.isPlaceholderData && answer.error === null;
  return {
    hosts: isKnown ? answer.data : undefined,
    problem: members === undefined || isTyped ? undefined : (answer.error?.message ?? undefined),
  };
}

type RunHosts = ReturnType<typeof useRunHosts>;

interface LimitFieldsProps {
  readonly provider: string;
  readonly limit: Limit;
  readonly onChange: (limit: Limit) => void;
  readonly found: RunHosts;
}

/** For which hosts, and which these are. */
export function LimitFields({ provider, limit, onChange, found }: LimitFieldsProps) {
  const groups = useAnswer('inventory/browse-inventory', { provider, limit: 1 }, { enabled: limit.kind === 'group' });
  const set = (more: Partial<Limit>): void => onChange({ ...limit, ...more });
  const ofGroups = (groups.data?.groups ?? []).map(({ name, hosts }) => {
    return { value: name, label: `${name} (${numberText(hosts)})` };
  });
  const isOffered = limit.group === '' || ofGroups.some(({ value }) => value === limit.group);
  return (
    <Stack gap="xs">
      <Input.Wrapper label={t`Hosts`} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t`Hosts`}
          value={limit.kind}
          onChange={(kind) => set({ kind: kind as Limit['kind'] })}
          data={[
            { value: 'all', label: t`All` },
            { value: 'host', label: t`One host` },
            { value: 'search', label: t`Search` },
            { value: 'group', label: t`Group` },
          ]}
        />
      </Input.Wrapper>
      {limit.kind === 'host' && (
        <HostField aria-label={t`Host`} value={limit.host} error={found.problem} onChange={(host) => set({ host })} />
      )}
      {limit.kind === 'search' && (
        <QueryField
          value={limit.search}
          problem={found.problem}
          onType={(search) => set({ search })}
          onSearch={(search) => search !== limit.search.trim() && set({ search })}
        />
      )}
      {limit.kind === 'group' && (
        <Select
          aria-label={t`Group`}
          placeholder={t`a group of the inventory`}
          searchable
          data={isOffered ? ofGroups : [limit.group, ...ofGroups]}
          nothingFoundMessage={
            groups.data?.group_count === 0 ? t`This inventory has no groups.` : t`No group has this name.`
          }
          value={limit.group === '' ? null : limit.group}
          error={found.problem}
          onChange={(group) => set({ group: group ?? '' })}
        />
      )}
      <div role="status">
        <FoundHosts limit={limit} found={found} />
      </div>
    </Stack>
  );
}

function FoundHosts({ limit, found: { hosts, problem } }: Pick<LimitFieldsProps, 'limit' | 'found'>) {
  if (problem !== undefined) {
    // Fields show their own problem.
    return limit.kind === 'all' ? (
      <Text size="sm" c="red" className="wrap-anywhere">
        {problem}
      </Text>
    ) : null;
  }
  if (hosts === undefined) {
    return limitMembers(limit) === undefined ? null : <Text size="sm" c="dimmed">{t`Looking for the hosts…`}</Text>;
  }
  return (
    <Text size="sm" c="dimmed" className="wrap-anywhere">
      {plural(hosts.hosts, { one: '# host', other: '# hosts' })}: {namesText(hosts.first, hosts.hosts)}
    </Text>
  );
}

/** `web01, web02 and 12 more` */
export function namesText(first: readonly string[], count: number): string {
  const names = first.join(', ');
  return count > first.length ? `${names} ${moreText(count - first.length)}` : names;
}
