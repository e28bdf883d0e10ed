import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../docs/support/markdown.ts';
import { recordedAnswers } from '../oracle/fixtures.ts';
import { THOROUGH_STORES } from '../security/support/two-stores.ts';
import { MovedInstallation } from './support/moved-installation.ts';

type Recorded = ReturnType<typeof recordedAnswers>[number];
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are compared
type Answer = any;

/** What is compared of an answer: its status, and of what it shows the names and numbers. */
interface Seen {
  readonly status: number;
  readonly shows?: Answer;
}

const RECORDED = recordedAnswers('everything/scopes.json');
const FIRST_WRITE = RECORDED.findIndex(({ method }) => method !== 'GET');
const READ = RECORDED.slice(0, FIRST_WRITE);
const WRITTEN = RECORDED.slice(FIRST_WRITE);
/** By templates, by accounts, by both, by a template that is unknown, and by one that is archived. */
const LIMITED = ['tess', 'axel', 'bodo', 'lost', 'past'];
const BY_TEMPLATE = ['tess', 'bodo', 'lost', 'past'];

const hostOf = (path: string): string => decodeURIComponent(/^\/objects\/([^/?]+)/.exec(path)?.[1] ?? '');
const isArchived = (hostname: string): boolean => /^archived-\d\./.test(hostname);
const names = (list: readonly string[]): string[] => [...new Set(list)].sort();
const nameOf = ({ hostname }: { readonly hostname: string }): string => hostname;

/** The same view of an answer of the reference and of ours. */
function seen({ method, path }: Recorded, status: number, answer: Answer): Seen {
  if (status >= 400) return { status };
  if (path.startsWith('/objects/all')) {
    const hosts = answer.results.map((host: Answer) => host.hostname ?? host);
    return { status, shows: { size: answer.size, hosts: names(hosts) } };
  }
  if (path.includes('inventory/') && method === 'GET' && !path.includes('?')) {
    return { status, shows: names(answer.all?.hosts ?? answer.hosts) };
  }
  if (path === '/rules/host_objects') return { status, shows: names(answer.hosts ?? answer.rules.map(nameOf)) };
  if (path.startsWith('/rules/export')) {
    return { status, shows: answer.counts?.host_objects ?? answer.rules?.host_objects?.length ?? 0 };
  }
  if (path.endsWith('/relations') && method === 'GET') {
    const edges = (list: Answer[]) => names(list.map((edge) => `${edge.type} ${edge.target} ${edge.source}`));
    return { status, shows: { outgoing: edges(answer.outgoing), inbound: edges(answer.inbound) } };
  }
  if (path === '/syncer/logs' || (method === 'GET' && hostOf(path) !== '')) return { status };
  return { status, shows: answer };
}

const reachedBy = new Map(
  READ.filter(({ path }) => path.startsWith('/objects/all')).map(({ user, answer }) => [
    user,
    (answer as { results: string[] }).results,
  ]),
);
const reaches = (user: string, hostname: string): boolean => reachedBy.get(user)?.includes(hostname) === true;

interface Difference {
  /** What the page on migration says of it. */
  readonly said: string;
  readonly of: (request: Recorded) => boolean;
  /** What is seen here instead. */
  readonly here: (shown: Answer, request: Recorded) => Seen;
}

const READ_DIFFERENCES: readonly Difference[] = [
  {
    said: '**Archived hosts are in the archive only.**',
    of: ({ path, user }) => isArchived(hostOf(path)) && reaches(user, hostOf(path)),
    here: () => ({ status: 404 }),
  },
  {
    said: '**Archived hosts are in the archive only.**',
    of: ({ path }) => path.startsWith('/objects/all'),
    here: ({ hosts }) => {
      const active = hosts.filter((hostname: string) => !isArchived(hostname));
      return { status: 200, shows: { size: active.length, hosts: active } };
    },
  },
  {
    said: '**Host templates are documents and no hosts.**',
    of: ({ path, status }) => hostOf(path) === 'tpl-web' && status === 200,
    here: () => ({ status: 404 }),
  },
  {
    said: '**Archived hosts are in the archive only.**',
    of: ({ path }) => path === '/syncer/hosts',
    here: (shown, { user }) => {
      const archived = reachedBy.get(user)?.filter(isArchived).length ?? 0;
      return {
        status: 200,
        shows: {
          '24h_checkpoint': '2026-11-01T10:30:00Z',
          num_hosts: shown.num_hosts - archived,
          // The four templates, which are counted for those who are not limited.
          num_objects: shown.num_objects === 0 ? 0 : shown.num_objects - 4,
          not_updated_last_24h: shown.not_updated_last_24h - archived,
        },
      };
    },
  },
  {
    said: 'the far ends of relations, which were shown',
    of: ({ path, user }) => path === '/objects/complete.example.net/relations' && user === 'tess',
    here: () => ({ status: 200, shows: { outgoing: [], inbound: [] } }),
  },
  {
    said: 'The provider `ansible` is listed as `automation`',
    of: ({ path }) => path === '/ansible/inventory',
    here: ({ providers }) => {
      const here = providers.map((name: string) => (name === 'ansible' ? 'automation' : name));
      return { status: 200, shows: { providers: here.sort() } };
    },
  },
  {
    said: 'takes the place of a stored host',
    of: ({ path, user }) => path === '/ansible/inventory/lists?host=mwdebug2001.codfw.wmnet' && !LIMITED.includes(user),
    here: () => ({ status: 200, shows: { name: 'mwdebug2001.codfw.wmnet', on: true, kind: 'row over a host' } }),
  },
  {
    said: '**Monitoring sites are seen by users without a limit only',
    of: ({ path, user }) => path === '/ansible/inventory/cmk_sites' && user === 'axel',
    here: () => ({ status: 200, shows: [] }),
  },
  {
    said: 'exports of rules with hosts',
    of: ({ path, user }) => path === '/rules/host_objects' && LIMITED.includes(user),
    here: (_, { user }) => ({ status: 200, shows: names(reachedBy.get(user) ?? []) }),
  },
  {
    said: 'exports of rules with hosts',
    of: ({ path, user }) => path === '/rules/export?include_hosts=1' && LIMITED.includes(user),
    here: (_, { user }) => ({ status: 200, shows: reachedBy.get(user)?.length }),
  },
  {
    said: '`GET /syncer/eda` does not exist',
    of: ({ path }) => path === '/syncer/eda',
    here: () => ({ status: 404 }),
  },
];

const WRITE_DIFFERENCES: readonly Difference[] = [
  {
    said: '**Archived hosts are in the archive only.**',
    of: ({ path, user }) => path === '/objects/archived-0.example.net/inventory' && user === 'bodo',
    here: () => ({ status: 404 }),
  },
  {
    said: '**Archived hosts are in the archive only.**',
    of: ({ path, user, method }) =>
      method === 'DELETE' && path === '/objects/mwdebug2002.codfw.wmnet' && ['axel', 'olga'].includes(user),
    here: () => ({ status: 404 }),
  },
  {
    said: '**Host templates are documents and no hosts.**',
    of: ({ path, user }) => path === '/objects/tpl-web/inventory' && user === 'olga',
    here: () => ({ status: 404 }),
  },
  {
    said: '**Host templates are documents and no hosts.**',
    of: ({ path, user }) => path === '/objects/bulk/inventory' && user === 'olga',
    here: () => ({ status: 200, shows: { status: 'saved 6', 'not-found': ['tpl-web', 'nobody.example.net'] } }),
  },
  {
    said: 'now it is refused (403 `account_conflict`)',
    of: ({ path, user, status }) =>
      /^\/objects\/(new-of-|other)/.test(path) && BY_TEMPLATE.includes(user) && status === 200,
    here: () => ({ status: 403 }),
  },
  {
    said: '**A host stays with its account.**',
    of: ({ path, user, method }) => method === 'POST' && path === '/objects/dmi01-akron-rtr01' && user === 'olga',
    here: () => ({ status: 403 }),
  },
  {
    said: '**A host stays with its account.**',
    of: ({ path, user }) => path === '/objects/bulk' && user === 'olga',
    here: () => ({ status: 200, shows: { status: 'saved 4', 'not-saved': ['dmi01-akron-rtr01'] } }),
  },
  {
    said: '**A host stays with its account.**',
    of: ({ body }) => (body as { account?: string } | undefined)?.account === 'with everything',
    here: () => ({ status: 403 }),
  },
  {
    said: 'An account that may only inventorize takes no hosts',
    of: ({ body }) => (body as { account?: string } | undefined)?.account === 'inventories only',
    here: () => ({ status: 400 }),
  },
];

function expected(request: Recorded, differences: readonly Difference[]): Seen {
  const there = seen(request, request.status, request.answer);
  return differences.find(({ of }) => of(request))?.here(there.shows, request) ?? there;
}

const labelOf = ({ user, method, path }: Recorded): string => `${user} ${method} ${path}`;

it('what differs is on the page, and each of it is seen', () => {
  const page = ['docs/migration.md', 'docs/migration-api.md'].map(readPage).join(' ').replace(/\s+/g, ' ');
  const unsaid = [...READ_DIFFERENCES, ...WRITE_DIFFERENCES].filter(({ said }) => !page.includes(said));
  expect(unsaid.map(({ said }) => said)).toEqual([]);
  const unused = [
    ...READ_DIFFERENCES.filter(({ of }) => !READ.some(of)),
    ...WRITE_DIFFERENCES.filter(({ of }) => !WRITTEN.some(of)),
  ];
  expect(unused).toEqual([]);
});

describe.each(THOROUGH_STORES)('users of an installation that moved in, %s', (_store, create) => {
  let moved: MovedInstallation;
  beforeAll(async () => {
    moved = await MovedInstallation.over(create);
  });
  afterAll(() => moved.stop());

  const activeOf = (user: string): string[] =>
    names((reachedBy.get(user) ?? []).filter((hostname) => !isArchived(hostname)));

  it.each(['olga', ...LIMITED, 'rita'])('%s reads the same over REST', async (user) => {
    for (const request of READ.filter((each) => each.user === user)) {
      const response = await moved.ask(request);
      const here = seen(request, response.statusCode, response.json());
      expect([labelOf(request), here]).toEqual([labelOf(request), expected(request, READ_DIFFERENCES)]);
    }
  });

  it.each(LIMITED)('%s sees the same hosts by tools', async (user) => {
    const { entrances } = moved;
    const listed = await entrances.tool(user, 'list_hosts', { limit: 1000, fields: ['hostname'] });
    expect(names(listed.body.results.map(nameOf))).toEqual(activeOf(user));
    expect(listed.body.size).toBe(activeOf(user).length);
    for (const hostname of [
      'complete.example.net',
      'mwdebug2001.codfw.wmnet',
      'dmi01-akron-rtr01',
      'archived-0.example.net',
    ]) {
      const found = activeOf(user).includes(hostname);
      expect([hostname, (await entrances.tool(user, 'get_host', { hostname })).ok]).toEqual([hostname, found]);
      const resource = await entrances.resource(user, `service://hosts/${hostname}`);
      expect([hostname, resource !== undefined]).toEqual([hostname, found]);
      const section = { hostname, key: 'by-tool', inventory: { a: 1 } };
      expect([hostname, (await entrances.tool(user, 'update_host_inventory', section)).ok]).toEqual([hostname, found]);
    }
    expect((await entrances.tool(user, 'host_stats')).body).toMatchObject({ num_hosts: activeOf(user).length });
    const exported = await entrances.tool(user, 'export_rules', { rule_type: 'host_objects' });
    for (const hostname of moved.foreignTo(reachedBy.get(user) ?? [])) {
      expect(exported.text).not.toContain(`"hostname":"${hostname}"`);
    }
    const logs = (await entrances.tool(user, 'get_recent_logs')).text;
    for (const hostname of moved.foreignTo(activeOf(user))) expect(logs).not.toContain(hostname);
  });

  it.each(LIMITED)('%s signs in at the pages and sees the same hosts', async (user) => {
    const { entrances } = moved;
    const cookie = await entrances.cookieOf(user);
    const page = async (operation: string, input: object) => (await entrances.page(cookie, operation, input)).body;
    const active = activeOf(user);
    const found = await page('search/search-hosts', { kind: 'hosts', limit: 1000 });
    expect(names(found.hosts.map(nameOf))).toEqual(active);
    const searched = await page('search/search-hosts', { kind: 'hosts', where: 'mw', limit: 1000 });
    expect(names(searched.hosts.map(nameOf))).toEqual(active.filter((hostname) => hostname.includes('mw')));
    const archived = await page('search/search-hosts', { state: 'archived' });
    expect(names(archived.hosts.map(nameOf))).toEqual(names((reachedBy.get(user) ?? []).filter(isArchived)));
    expect(await page('hosts/host-counters', {})).toMatchObject({ num_hosts: active.length });
    for (const provider of ['ansible', 'ages', 'lists']) {
      const request = READ.find((each) => each.user === user && each.path === `/ansible/inventory/${provider}`)!;
      const browsed = await page('inventory/browse-inventory', { provider, limit: 1000 });
      expect(names(browsed.hosts.map(nameOf))).toEqual(expected(request, READ_DIFFERENCES).shows);
    }
    for (const hostname of ['complete.example.net', 'mwdebug2001.codfw.wmnet', 'dmi01-akron-rtr01']) {
      const shown = await entrances.page(cookie, 'hosts/show-host', { hostname });
      expect([hostname, shown.ok]).toEqual([hostname, active.includes(hostname)]);
      const explained = await entrances.page(cookie, 'hosts/explain-host', { hostname });
      expect([hostname, explained.ok]).toEqual([hostname, active.includes(hostname)]);
    }
  });

  // Last: each of them changes what follows.
  it('write what they wrote there, in the order of the recording', async () => {
    for (const request of WRITTEN) {
      const response = await moved.ask(request);
      const here = seen(request, response.statusCode, response.json());
      expect([labelOf(request), here]).toEqual([labelOf(request), expected(request, WRITE_DIFFERENCES)]);
    }
  });
});
