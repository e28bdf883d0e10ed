import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OfferedName } from '../../offered-operations.ts';
import { below } from '../calls/below.ts';
import { call } from '../calls/call.ts';
import { may, useLogout, useSession } from '../calls/session.ts';
import { showProblem, useAction, useAnswer } from '../calls/use-call.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { SECTIONS } from '../shell/navigation.ts';
import { asText, type Found, hasWords } from './found.ts';

/** Of each kind. */
const MOST = 6;
/** What is listed as a whole may be so old. */
const FRESH = { freshSeconds: 60 };
/** Shorter texts are in nearly everything. */
const ENOUGH = 2;

interface FoundLines {
  readonly lines: readonly Found[];
  readonly isLooking: boolean;
}

/** Everything that somebody may go to or do and that has what they typed in its name. Hosts, groups and rules are looked for by the service. */
export function useFound(typed: string, openHelp: () => void): FoundLines {
  const pages = usePages();
  const actions = useActions(openHelp);
  const named = useNamed();
  const looked = useLookedUp(typed);
  const local = [...pages, ...named.accountActions, ...actions].filter(({ label }) => hasWords(label, typed));
  const lines =
    typed === ''
      ? [...pages, ...actions]
      : [
          ...local.filter(({ group }) => group === 'Pages'),
          ...looked.lines.filter(({ group }) => group === 'Hosts'),
          ...named.lines.filter(({ label }) => hasWords(label, typed)).slice(0, 4 * MOST),
          ...looked.lines.filter(({ group }) => group !== 'Hosts' && group !== 'Search'),
          ...local.filter(({ group }) => group === 'Actions').slice(0, 2 * MOST),
          // What is there by its name comes before a search, which is always there.
          ...looked.lines.filter(({ group }) => group === 'Search'),
        ];
  return { lines, isLooking: looked.isLooking };
}

function usePages(): readonly Found[] {
  const session = useSession();
  const navigate = useNavigate();
  const page = (label: string, to: string): Found => ({
    key: `page ${to}`,
    group: 'Pages',
    label,
    choose: () => void navigate({ to }),
  });
  const shown = (operation: OfferedName | undefined): boolean => operation === undefined || may(session, operation);
  return [
    ...SECTIONS.filter(({ operation }) => shown(operation)).map(({ label, to }) => page(label, to)),
    ...session.plugin_pages.map(({ plugin, page: id, title }) => page(title, `/plugins/${plugin}/${id}`)),
    ...FURTHER.filter(({ operation }) => shown(operation)).map(({ label, to }) => page(label, to)),
  ];
}

/** Pages that the menu does not name. */
const FURTHER: readonly { readonly label: string; readonly to: string; readonly operation?: OfferedName }[] = [
  { label: 'Compare hosts', to: '/hosts/compare', operation: 'search/search-hosts' },
  { label: 'Data quality', to: '/hosts/quality', operation: 'search/report-quality' },
  { label: 'Audit log', to: '/logs/audit', operation: 'syncer/list-audit' },
  { label: 'Deleted rules', to: '/rules/deleted', operation: 'rules/list-removed' },
  { label: 'Export rules', to: '/rules/export', operation: 'rules/export-rules' },
  { label: 'Your profile', to: '/profile' },
];

/** Things to do that are about no single account. */
function useActions(openHelp: () => void): readonly Found[] {
  const session = useSession();
  const navigate = useNavigate();
  const logout = useLogout();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { density, times, zone } = usePreferences();
  const types = useAnswer('rules/describe-rule-types', {}, { ...FRESH, enabled: may(session, 'rules/save-rule') });
  const go = (label: string, to: string): Found => ({
    key: `go ${to}`,
    group: 'Actions',
    label,
    choose: () => void navigate({ to }),
  });
  const act = (label: string, choose: () => void): Found => ({ key: `do ${label}`, group: 'Actions', label, choose });
  return [
    ...(may(session, 'hosts/save-host') ? [go('New host', '/hosts/new')] : []),
    ...(may(session, 'accounts/add-account') ? [go('New account', '/accounts/new')] : []),
    ...(may(session, 'cron/save-group') ? [go('New cron group', '/cron/new')] : []),
    ...(may(session, 'users/add-user') ? [go('New user', '/users/new')] : []),
    ...(may(session, 'rules/import-rules') ? [go('Import rules', '/rules/import')] : []),
    // The same answer may be there for other lines.
    ...(may(session, 'rules/save-rule') ? (types.data?.types ?? []) : [])
      .filter(({ stage }) => stage !== null)
      .map(({ id, title }) => go(`New rule: ${title}`, `/rules/${id}/new`)),
    act(colorScheme === 'dark' ? 'Light colours' : 'Dark colours', () =>
      setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
    ),
    act(density === 'compact' ? 'Comfortable rows' : 'Compact rows', () =>
      setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    ),
    act(times === 'exact' ? 'Show how long ago' : 'Show exact times', () =>
      setPreferences({ times: times === 'exact' ? 'relative' : 'exact' }),
    ),
    act(zone === 'utc' ? 'Times of this browser' : 'Times in UTC', () =>
      setPreferences({ zone: zone === 'utc' ? 'browser' : 'utc' }),
    ),
    act('Keyboard shortcuts', openHelp),
    act('Documentation', () => window.open(below('/docs/'), '_blank', 'noreferrer')),
    act('Log out', () => logout.mutate()),
  ];
}

/** What is few enough to be listed as a whole. */
function useNamed(): { readonly lines: readonly Found[]; readonly accountActions: readonly Found[] } {
  const session = useSession();
  const navigate = useNavigate();
  const asked = (operation: OfferedName) => ({ ...FRESH, enabled: may(session, operation) });
  const accounts = useAnswer('accounts/show-accounts', {}, asked('accounts/show-accounts'));
  const runnable = useAnswer('syncer/list-account-runs', {}, asked('syncer/list-account-runs'));
  const providers = useAnswer('inventory/list-providers', {}, asked('inventory/list-providers'));
  const playbooks = useAnswer('playbooks/list-playbooks', {}, asked('playbooks/list-playbooks'));
  const cron = useAnswer('cron/list-groups', {}, asked('cron/list-groups'));
  const users = useAnswer('users/list-users', {}, asked('users/list-users'));
  const changes = ['runs', 'syncer', 'accounts', 'hosts', 'search'];
  const doImport = useAction('imports/import-account', { changes });
  const doExport = useAction('exports/export-account', { changes });

  function run(name: string, isImport: boolean): void {
    notifications.show({ message: `${isImport ? 'Import' : 'Export'} of ${name} has started.` });
    const onSuccess = ({ status, message }: { readonly status: string; readonly message: string }): void => {
      if (status === 'failed') showProblem(new Error(message));
      else notifications.show({ message: `${name}: ${message}`, color: 'green' });
    };
    if (isImport) doImport.mutate({ account: name }, { onSuccess });
    else doExport.mutate({ account: name }, { onSuccess });
  }

  const line = (group: string, label: string, choose: () => void, note?: string): Found => ({
    key: `${group} ${label}`,
    group,
    label,
    choose,
    ...(note === undefined ? {} : { note }),
  });
  return {
    lines: [
      ...(accounts.data?.accounts ?? []).map(({ name, type }) =>
        line('Accounts', name, () => void navigate({ to: '/accounts/$name', params: { name } }), type),
      ),
      ...(providers.data?.providers ?? []).map(({ name: provider }) =>
        line('Inventories', provider, () => void navigate({ to: '/inventory/$provider', params: { provider } })),
      ),
      ...(playbooks.data?.playbooks ?? []).map(({ file }) =>
        line('Playbooks', file, () => void navigate({ to: '/playbooks' })),
      ),
      ...(cron.data?.groups ?? []).map(({ name: group }) =>
        line('Cron groups', group, () => void navigate({ to: '/cron/$group', params: { group } })),
      ),
      ...(users.data?.users ?? []).map(({ name }) =>
        line('Users', name, () => void navigate({ to: '/users/$name', params: { name } })),
      ),
    ],
    accountActions: (runnable.data?.runs ?? []).flatMap(({ name, kind, enabled }) => {
      const isImport = kind === 'source';
      if (!enabled || !may(session, isImport ? 'imports/import-account' : 'exports/export-account')) return [];
      return [line('Actions', `${isImport ? 'Import' : 'Export'} ${name}`, () => run(name, isImport))];
    }),
  };
}

/** What the service looks for. */
function useLookedUp(typed: string): FoundLines {
  const session = useSession();
  const navigate = useNavigate();
  const isEnough = typed.length >= ENOUGH;
  const types = useAnswer(
    'rules/describe-rule-types',
    {},
    { ...FRESH, enabled: isEnough && may(session, 'rules/find-rules') },
  );
  const where = asText(typed);
  const hosts = useAnswer(
    'search/search-hosts',
    { where, limit: MOST, inventory: false },
    { enabled: isEnough && may(session, 'search/search-hosts') },
  );
  const groups = useAnswer(
    'inventory/browse-inventory',
    { provider: 'automation', limit: 1 },
    { freshSeconds: 300, enabled: isEnough && may(session, 'inventory/browse-inventory') },
  );
  const searched = (types.data?.types ?? []).filter(({ rules, stage }) => rules > 0 && stage !== null);
  const rules = useQueries({
    queries: searched.map(({ id, title }) => ({
      queryKey: ['rules/find-rules', { rule_type: id, text: typed, limit: MOST }],
      enabled: isEnough,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const found = await call('rules/find-rules', { rule_type: id, text: typed, limit: MOST }, signal);
        return found.rules.map((rule) => ({ type: id, title, id: rule.id, name: rule.name }));
      },
    })),
  });
  if (!isEnough) return { lines: [], isLooking: false };
  const foundGroups = (groups.data?.groups ?? []).filter(({ name }) => hasWords(name, typed)).slice(0, MOST);
  return {
    isLooking: hosts.isFetching || rules.some(({ isFetching }) => isFetching),
    lines: [
      ...(hosts.data?.hosts ?? []).map(({ hostname, account }) => ({
        key: `host ${hostname}`,
        group: 'Hosts',
        label: hostname,
        note: account ?? undefined,
        choose: () => void navigate({ to: '/hosts/$hostname', params: { hostname } }),
      })),
      ...(may(session, 'search/search-hosts')
        ? [
            {
              key: 'all hosts',
              group: 'Search',
              label: `Search all hosts for ${typed}`,
              choose: () => void navigate({ to: '/hosts', search: { where: typed } }),
            },
          ]
        : []),
      ...foundGroups.map(({ name, hosts: size }) => ({
        key: `group ${name}`,
        group: 'Groups',
        label: name,
        note: size.toLocaleString('en'),
        choose: () =>
          void navigate({ to: '/inventory/$provider', params: { provider: 'automation' }, search: { group: name } }),
      })),
      ...rules
        .flatMap(({ data }) => data ?? [])
        .slice(0, 2 * MOST)
        .map(({ type, title, id, name }) => ({
          key: `rule ${type} ${id}`,
          group: 'Rules',
          label: name,
          note: title,
          choose: () => void navigate({ to: '/rules/$type/$id', params: { type, id } }),
        })),
    ],
  };
}
