import { t } from '@lingui/core/macro';
import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OfferedName } from '../../offered-operations.ts';
import { below } from '../calls/below.ts';
import { call } from '../calls/call.ts';
import { may, useLogout, useSession } from '../calls/session.ts';
import { showProblem, useAction, useAnswer } from '../calls/use-call.ts';
import { useMayCreate } from '../hosts/use-may-create.ts';
import { numberText } from '../language/numbers.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { SECTIONS } from '../shell/navigation.ts';
import { asText, type Found, hasWords, isCalled } from './found.ts';

/** Number of results of each kind. */
const MOST = 6;
/** Greatest age of answers that list everything. */
const FRESH = { freshSeconds: 60 };
/** Shorter texts are in nearly everything. */
const ENOUGH = 2;

interface FoundLines {
  readonly lines: readonly Found[];
  readonly isLooking: boolean;
}

/** Returns all pages and actions whose name contains the typed text. Hosts, groups and rules are searched by the service. */
export function useFound(typed: string, openHelp: () => void): FoundLines {
  const pages = usePages();
  const actions = useActions(openHelp);
  const named = useNamed();
  const looked = useLookedUp(typed);
  const local = [...pages, ...named.accountActions, ...actions].filter((line) => isCalled(line, typed));
  const lines =
    typed === ''
      ? [...pages, ...actions]
      : [
          ...local.filter(({ group }) => group === 'pages'),
          ...looked.lines.filter(({ group }) => group === 'hosts'),
          ...named.lines.filter(({ label }) => hasWords(label, typed)).slice(0, 4 * MOST),
          ...looked.lines.filter(({ group }) => group !== 'hosts' && group !== 'search'),
          ...local.filter(({ group }) => group === 'actions').slice(0, 2 * MOST),
          // Named results precede a search, which is always there.
          ...looked.lines.filter(({ group }) => group === 'search'),
        ];
  return { lines, isLooking: looked.isLooking };
}

function usePages(): readonly Found[] {
  const session = useSession();
  const navigate = useNavigate();
  const page = (label: string, to: string, alias = ''): Found => ({
    key: `page ${to}`,
    group: 'pages',
    label,
    alias,
    choose: () => void navigate({ to }),
  });
  const shown = (operation: OfferedName | undefined): boolean => operation === undefined || may(session, operation);
  return [
    ...SECTIONS.filter(({ operation }) => shown(operation)).map(({ label, to }) => page(label, to)),
    ...session.plugin_pages.map(({ plugin, page: id, title }) => page(title, `/plugins/${plugin}/${id}`)),
    ...FURTHER.filter(({ operation }) => shown(operation)).map(({ label, to, alias }) => page(label, to, alias)),
  ];
}

/** Pages that the menu does not name. */
const FURTHER: readonly {
  readonly label: string;
  readonly to: string;
  readonly operation?: OfferedName;
  readonly alias?: string;
}[] = [
  { label: t`Compare hosts`, to: '/hosts/compare', operation: 'search/search-hosts' },
  { label: t`Data quality`, to: '/hosts/quality', operation: 'search/report-quality' },
  { label: t`Audit log`, to: '/logs/audit', operation: 'syncer/list-audit' },
  { label: t`Deleted rules`, to: '/rules/deleted', operation: 'rules/list-removed' },
  { label: t`Export rules`, to: '/rules/export', operation: 'rules/export-rules' },
  { label: t`Your profile`, to: '/profile', alias: t`settings preferences time zone language password tokens` },
];

/** Things to do that are about no single account. */
function useActions(openHelp: () => void): readonly Found[] {
  const session = useSession();
  const navigate = useNavigate();
  const logout = useLogout();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { density, times, zone } = usePreferences();
  const mayCreate = useMayCreate();
  const types = useAnswer(
    'rules/describe-rule-types',
    { schemas: false },
    { ...FRESH, enabled: may(session, 'rules/save-rule') },
  );
  const go = (label: string, to: string, alias = ''): Found => ({
    key: `go ${to}`,
    group: 'actions',
    label,
    alias,
    choose: () => void navigate({ to }),
  });
  const act = (label: string, choose: () => void): Found => ({ key: `do ${label}`, group: 'actions', label, choose });
  return [
    ...(mayCreate ? [go(t`New host`, '/hosts/new', t`create add make`)] : []),
    ...(may(session, 'accounts/add-account') ? [go(t`New account`, '/accounts/new', t`create add make`)] : []),
    ...(may(session, 'cron/save-group') ? [go(t`New cron group`, '/cron/new', t`create add make`)] : []),
    ...(may(session, 'users/add-user') ? [go(t`New user`, '/users/new', t`create add make`)] : []),
    ...(may(session, 'rules/import-rules') ? [go(t`Import rules`, '/rules/import')] : []),
    // The same answer may be there for other lines.
    ...(may(session, 'rules/save-rule') ? (types.data?.types ?? []) : [])
      .filter(({ stage }) => stage !== null)
      .map(({ id, title }) => go(t`New rule: ${title}`, `/rules/${id}/new`, t`create add make`)),
    act(colorScheme === 'dark' ? t`Light colours` : t`Dark colours`, () =>
      setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
    ),
    act(density === 'compact' ? t`Comfortable rows` : t`Compact rows`, () =>
      setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    ),
    act(times === 'exact' ? t`Show how long ago` : t`Show exact times`, () =>
      setPreferences({ times: times === 'exact' ? 'relative' : 'exact' }),
    ),
    act(zone === 'utc' ? t`Times of this browser` : t`Times in UTC`, () =>
      setPreferences({ zone: zone === 'utc' ? 'browser' : 'utc' }),
    ),
    act(t`Keyboard shortcuts`, openHelp),
    act(t`Documentation`, () => window.open(below('/docs/'), '_blank', 'noreferrer')),
    act(t`Log out`, () => logout.mutate()),
  ];
}

/** Returns the kinds of items that are few enough to be listed as a whole. */
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
    notifications.show({ message: isImport ? t`Import of ${name} has started.` : t`Export of ${name} has started.` });
    const onSuccess = ({ status, message }: { readonly status: string; readonly message: string }): void => {
      if (status === 'failed') showProblem(new Error(message));
      else notifications.show({ message: `${name}: ${message}`, color: 'green' });
    };
    if (isImport) doImport.mutate({ account: name }, { onSuccess });
    else doExport.mutate({ account: name }, { onSuccess });
  }

  const line = (group: Found['group'], label: string, choose: () => void, note?: string): Found => ({
    key: `${group} ${label}`,
    group,
    label,
    choose,
    ...(note === undefined ? {} : { note }),
  });
  return {
    lines: [
      ...(accounts.data?.accounts ?? []).map(({ name, type }) =>
        line('accounts', name, () => void navigate({ to: '/accounts/$name', params: { name } }), type),
      ),
      ...(providers.data?.providers ?? []).map(({ name: provider }) =>
        line('inventories', provider, () => void navigate({ to: '/inventory/$provider', params: { provider } })),
      ),
      ...(playbooks.data?.playbooks ?? []).map(({ file }) =>
        line('playbooks', file, () => void navigate({ to: '/playbooks' })),
      ),
      ...(cron.data?.groups ?? []).map(({ name: group }) =>
        line('cron', group, () => void navigate({ to: '/cron/$group', params: { group } })),
      ),
      ...(users.data?.users ?? []).map(({ name }) =>
        line('users', name, () => void navigate({ to: '/users/$name', params: { name } })),
      ),
    ],
    accountActions: (runnable.data?.runs ?? []).flatMap(({ name, kind, enabled }) => {
      const isImport = kind === 'source';
      if (!enabled || !may(session, isImport ? 'imports/import-account' : 'exports/export-account')) return [];
      return [line('actions', isImport ? t`Import ${name}` : t`Export ${name}`, () => run(name, isImport))];
    }),
  };
}

/** Returns the results of searches by the service. */
function useLookedUp(typed: string): FoundLines {
  const session = useSession();
  const navigate = useNavigate();
  const isEnough = typed.length >= ENOUGH;
  const types = useAnswer(
    'rules/describe-rule-types',
    { schemas: false },
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
        group: 'hosts' as const,
        label: hostname,
        note: account ?? undefined,
        choose: () => void navigate({ to: '/hosts/$hostname', params: { hostname } }),
      })),
      ...(may(session, 'search/search-hosts')
        ? [
            {
              key: 'all hosts',
              group: 'search' as const,
              label: t`Search all hosts for ${typed}`,
              choose: () => void navigate({ to: '/hosts', search: { where: typed } }),
            },
          ]
        : []),
      ...foundGroups.map(({ name, hosts: size }) => ({
        key: `group ${name}`,
        group: 'groups' as const,
        label: name,
        note: numberText(size),
        choose: () =>
          void navigate({ to: '/inventory/$provider', params: { provider: 'automation' }, search: { group: name } }),
      })),
      ...rules
        .flatMap(({ data }) => data ?? [])
        .slice(0, 2 * MOST)
        .map(({ type, title, id, name }) => ({
          key: `rule ${type} ${id}`,
          group: 'rules' as const,
          label: name,
          note: title,
          choose: () => void navigate({ to: '/rules/$type/$id', params: { type, id } }),
        })),
    ],
  };
}
