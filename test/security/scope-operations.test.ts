import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serviceMetrics } from '../../src/adapters/http/metrics/service-metrics.ts';
import { operationRoutes } from '../../src/adapters/http/route.ts';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import type { Caller } from '../../src/app/kernel/caller.ts';
import type { AnyOperation } from '../../src/app/kernel/operation.ts';
import { addRelation } from '../../src/app/relations/operations/add-relation.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { AppError } from '../../src/ports/index.ts';
import { Entrances } from './support/entrances.ts';
import { STORES } from './support/two-stores.ts';

/** The role that the interface gives to a base path. */
const ROLE_OF_PATH: Readonly<Record<string, string>> = {
  '/api/v1/backups': 'admin',
  '/api/v1/changes': 'objects',
  '/api/v1/objects': 'objects',
  '/api/v1/rules': 'rules',
  '/api/v1/syncer': 'syncer',
  '/api/v1/inventory/automation': 'automation',
  '/api/v1/migration': 'admin',
  '/api/v1/notifications': 'administrator',
  '/api/v1/plans': 'administrator',
  '/api/v1/plugins': 'objects',
  '/api/v1/presets': 'admin',
  '/api/v1/published': 'automation',
  '/api/v1/runs': 'syncer',
  '/api/v1/sign-in': 'administrator',
  '/api/v1/support-bundle': 'admin',
};

/** Whoever sees runs may not end those of others. */
const ROLE_OF_ROUTE: Readonly<Record<string, string>> = {
  'POST /api/v1/runs/active/:run/cancel': 'administrator',
  'POST /api/v1/runs/:place/undo': 'administrator',
};

describe('roles of operations', () => {
  it('are those of the base path where they are reached by REST', () => {
    for (const { method, path, basePath, operation } of operationRoutes(OPERATIONS, { CMDB_MODE: true })) {
      if (operation.roles === 'decided-by-operation') continue;
      const route = `${method} ${path}`;
      expect([route, operation.roles]).toEqual([route, [ROLE_OF_ROUTE[route] ?? ROLE_OF_PATH[basePath]]]);
    }
  });

  it('are roles that there are', () => {
    const known = new Set(['objects', 'rules', 'syncer', 'automation', 'mcp', 'metrics', 'admin', 'administrator']);
    for (const { name, roles } of OPERATIONS) {
      if (roles === 'decided-by-operation') continue;
      expect([name, roles.filter((role) => !known.has(role))]).toEqual([name, []]);
    }
  });
});

/** What an operation is asked for: the foreign thing, or one that does not exist. */
interface Subject {
  readonly host: string;
  readonly account: string;
  readonly group: string;
  readonly run: string;
}

const FOREIGN: Subject = { host: 'foreign', account: 'theirs', group: 'their group', run: '1'.repeat(24) };
/** When a foreign import ended whose id is that of the run. */
const LOGGED = new Date('2026-01-01T00:00:00Z');
const LIST = { enabled: false, rule_source: 'list', list_source: 'hostname;a\nforeign-row;1' };
const UNKNOWN: Subject = { host: 'nowhere', account: 'nobody', group: 'no group', run: '2'.repeat(24) };

/** Operations of one subject: about a foreign one they say what they say about an unknown one. */
const OF_SUBJECT: Readonly<Record<string, (subject: Subject) => object>> = {
  'accounts/get-account': ({ account }) => ({ name: account }),
  'cron/pause-groups': ({ group }) => ({ groups: [group], until: null }),
  'cron/run-group': ({ group }) => ({ group_name: group }),
  'cron/set-run-once-next': ({ group }) => ({ job_name: group, run_once_next: true }),
  'cron/show-group': ({ group }) => ({ group_name: group }),
  'cron/trigger-group': ({ group }) => ({ group_name: group }),
  'snoozes/snooze-problem': ({ account }) => ({ kind: 'account', name: account, hours: 1, severity: 1 }),
  'snoozes/end-snooze': ({ account }) => ({ kind: 'account', name: account }),
  'cron/trigger-webhook': ({ group }) => ({ group_name: group }),
  'hosts/archive-host': ({ host }) => ({ hostname: host }),
  'hosts/archive-hosts': ({ host }) => ({ hostnames: [host] }),
  'hosts/delete-host': ({ host }) => ({ hostname: host }),
  'hosts/explain-host': ({ host }) => ({ hostname: host }),
  'hosts/get-host': ({ host }) => ({ hostname: host }),
  'hosts/host-history': ({ host }) => ({ hostname: host }),
  'hosts/correct-host': ({ host }) => ({ hostname: host, attribute: 'rack', value: 'R1' }),
  'comments/list-comments': ({ host }) => ({ hostname: host }),
  'comments/add-comment': ({ host }) => ({ hostname: host, text: 'hello' }),
  'comments/remove-comment': ({ host }) => ({ hostname: host, id: '0'.repeat(24) }),
  'search/purge-hosts': ({ host }) => ({ hostnames: [host], include_active: true }),
  'hosts/restore-host': ({ host }) => ({ hostname: host }),
  'hosts/restore-hosts': ({ host }) => ({ hostnames: [host] }),
  'hosts/save-inventory': ({ host }) => ({ hostname: host, key: 'k', inventory: {} }),
  'hosts/show-host': ({ host }) => ({ hostname: host }),
  'hosts/save-inventories-bulk': ({ host }) => ({ inventories: [{ hostname: host, key: 'k', inventory: {} }] }),
  'inventory/render-inventory': ({ host }) => ({ provider: 'automation', host }),
  'exports/list-published': ({ account }) => ({ account }),
  'exports/read-published': ({ account }) => ({ account, file: 'hosts.json' }),
  'exports/show-published': ({ account }) => ({ account, file: 'hosts.json' }),
  'playbooks/show-run': ({ run }) => ({ run }),
  'runs/show-run': ({ run }) => ({ place: `${LOGGED.getTime()}-${run}` }),
  'runs/undo-run': ({ run }) => ({ place: `${LOGGED.getTime()}-${run}` }),
  'relations/add-relation': ({ host }) => ({ hostname: 'own', type: 'depends_on', target: host }),
  'hosts/change-labels': ({ host }) => ({ hosts: [{ hostname: host, set: { a: 'b' } }] }),
  'relations/list-relations': ({ host }) => ({ hostname: host }),
  'relations/show-graph': ({ host }) => ({ hostname: host }),
  'relations/remove-relation': ({ host }) => ({ hostname: 'own', type: 'runs_on', target: host }),
  'hosts/values-since': ({ host }) => ({ hostname: host }),
  'rules/failing-hosts': ({ group }) => ({ rule_type: 'cron_groups', rule: group }),
  'rules/show-project': ({ group }) => ({ project: group }),
  'rules/switch-project': ({ group }) => ({ project: group, enabled: false }),
  'rules/move-rules': ({ group }) => ({ rule_type: 'cron_groups', rules: [group], to: 'first' }),
  'rules/remove-rules': ({ group }) => ({ rule_type: 'cron_groups', rules: [group] }),
  'rules/switch-rules': ({ group }) => ({ rule_type: 'cron_groups', rules: [group], enabled: false }),
  'rules/remove-rule': ({ group }) => ({ rule_type: 'cron_groups', rule: group }),
  'rules/revert-rule': ({ group }) => ({ rule_type: 'cron_groups', rule: group, version: 1 }),
  'rules/compare-versions': ({ group }) => ({ rule_type: 'cron_groups', rule: group, from: 1, to: 1 }),
  'rules/rule-history': ({ group }) => ({ rule_type: 'cron_groups', rule: group }),
  'rules/show-rule': ({ account }) => ({ rule_type: 'accounts', rule: account }),
  'syncer/get-service-log': ({ account }) => ({ service_name: `import:${account}` }),
};

/** Reads of many things: their answers hold nothing foreign, and do not change when something foreign does. */
const OF_MANY: Readonly<Record<string, object>> = {
  'accounts/list-accounts': {},
  'cron/list-groups': {},
  'snoozes/list-snoozes': {},
  'cron/list-jobs': {},
  'cron/list-upcoming': { hours: 168 },
  'runs/list-active': {},
  'runs/list-runs': {},
  'runs/list-strips': {},
  'hosts/find-by-key': { key: 'serial=J4711' },
  'search/count-hosts': {},
  'search/report-hosts': { rows: 'account' },
  'search/rule-of-search': { where: 'site:fra' },
  'search/report-quality': {},
  'search/host-table': { format: 'json' },
  'search/list-saved-searches': {},
  'search/search-hosts': {},
  'hosts/host-counters': {},
  'hosts/list-days': {},
  'hosts/list-changes': { where: 'NOT site:nowhere' },
  'hosts/follow-changes': {},
  'hosts/list-hosts': { start: 0 },
  'inventory/browse-inventory': { provider: 'automation' },
  'inventory/check-names': { provider: 'automation' },
  'inventory/compare-times': { since: '2020-01-01' },
  'inventory/list-providers': {},
  'playbooks/list-playbooks': {},
  'plugins/list-actions': {},
  'playbooks/list-runs': {},
  'rules/describe-rule-types': {},
  'rules/export-rules': { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true },
  'rules/find-rules': { rule_type: 'users' },
  'rules/list-rule-types': {},
  'rules/find-attribute-uses': { attribute: 'site' },
  'rules/list-unworkable-rules': { rule_type: 'users' },
  'rules/list-counted-rules': { rule_type: 'automation_playbook_fire' },
  'rules/list-removed': {},
  'rules/list-template-words': {},
  'rules/list-waiting': {},
  'rules/list-rules': { rule_type: 'host_objects' },
  'rules/count-hits': {},
  'rules/rule-failures': { every_project: true },
  'syncer/list-account-runs': {},
  'syncer/list-log-sources': {},
  'syncer/list-logs': {},
};

/** The same of rules about the rows of lists, which belong to no account. */
const OF_LISTS = ['automation_customvars', 'automation_playbook_fire'].flatMap((rule_type) =>
  ['rules/find-rules', 'rules/list-rules', 'rules/list-counted-rules', 'rules/list-unworkable-rules'].map(
    (name): [string, object] => [name, { rule_type }],
  ),
);
const READS: readonly [string, object][] = [...Object.entries(OF_MANY), ...OF_LISTS];

/** Writes that go by the account they name; `scope-documents.test.ts` has those of documents. */
const BY_ACCOUNT: Readonly<Record<string, object>> = {
  'cron/save-group': { settings: { name: 'g', enabled: true, jobs: [] } },
  'hosts/save-host': { hostname: 'foreign', account: 'theirs', labels: {} },
  'hosts/save-hosts-bulk': { account: 'theirs', objects: [{ hostname: 'foreign', labels: {} }] },
  'rules/apply-folder': { documents: [{ rule_type: 'accounts', document: { name: 'theirs', type: 'api' } }] },
  'rules/diff-folder': { documents: [{ rule_type: 'accounts', document: { name: 'theirs', type: 'api' } }] },
  'rules/export-folder': {},
  'rules/create-rule': { rule_type: 'accounts', rule: { name: 'theirs', type: 'api' }, override: true },
  'rules/import-rules': { rules: { accounts: [{ name: 'theirs', type: 'api' }] }, override: true },
  'rules/import-rules-of-type': { rule_type: 'accounts', rules: [{ name: 'theirs', type: 'api' }], override: true },
  'rules/count-matches': { rule_type: 'automation_filter', document: { name: 'x' } },
  'rules/explain-no-change': { rule_type: 'automation_filter', document: { name: 'x' } },
  'rules/count-attributes': {},
  'rules/list-autorules-passes': {},
  'rules/preview-autorules': {},
  'rules/try-autorule': { document: {} },
  'rules/undo-autorules': { began_at: '2026-01-01T00:00:00.000Z' },
  'rules/rules-impact': { rules: { automation_filter: [{ name: 'x' }] } },
  'rules/run-autorules': {},
  'rules/save-rule': { rule_type: 'accounts', document: { name: 'theirs', type: 'api' } },
  'rules/try-list': { rule_type: 'automation_customvars', document: { name: 'x', list_source: 'hostname\nforeign' } },
  'rules/try-rule': { rule_type: 'automation_filter', document: { name: 'x' }, hostname: 'own' },
};

/** Answers without an end; `adapters/http/change-feed.test.ts` reads them. */
const ENDLESS = new Set(['hosts/stream-changes']);

/** Of the caller alone, whoever it is. */
const OWN = new Set([
  'search/save-search',
  'search/remove-saved-search',
  'users/change-own-password',
  'users/list-own-sessions',
  'users/end-own-sessions',
  'users/list-own-tokens',
  'users/create-own-token',
  'users/revoke-own-token',
  'users/show-own-second-factor',
  'users/begin-own-authenticator',
  'users/confirm-own-authenticator',
  'users/remove-own-authenticator',
  'users/create-own-recovery-codes',
  'users/begin-own-passkey',
  'users/add-own-passkey',
  'users/remove-own-passkey',
]);

function isForAdministrators({ roles }: AnyOperation): boolean {
  return roles !== 'decided-by-operation' && roles.every((role) => role === 'admin' || role === 'administrator');
}

const RESTRICTIONS = STORES.flatMap(([store, create]) => [
  [store, 'accounts', create] as const,
  [store, 'templates', create] as const,
]);

describe.each(RESTRICTIONS)('every operation on %s by who is restricted to %s', (_store, restriction, create) => {
  let entrances: Entrances;
  let scoped: Caller;

  async function run(name: string, input: object, caller = scoped): Promise<string> {
    const operation = OPERATIONS.find((candidate) => candidate.name === name) as AnyOperation;
    // The tool server has the operation that no other entrance has.
    const by = operation.roles.includes('mcp') ? { ...caller, entrance: 'mcp' as const } : caller;
    try {
      const answer =
        operation.answer === 'stream'
          ? await entrances.muster.read(operation as never, input, by)
          : await entrances.muster.run(operation as never, input, by);
      return JSON.stringify(answer);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return JSON.stringify({ code: error.code, message: error.message, details: error.details });
    }
  }

  /** Whether anything changed at all may be seen by where a reader is to go on, and nothing of it. */
  const withoutTimes = (text: string): string =>
    text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"time"').replace(/"next":"[\w-]{22}"/, '"next":"cursor"');

  async function foreignState(): Promise<string> {
    const flags = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
    const { rules }: { rules: object } = await entrances.muster.read(exportRules, flags);
    return JSON.stringify(rules);
  }

  async function giveTemplate(hostnames: readonly string[], template: string): Promise<void> {
    const { rules }: { rules: { host_objects: { hostname: string }[] } } = await entrances.muster.read(exportRules, {
      include_hosts: true,
    });
    const documents = rules.host_objects.filter(({ hostname }) => hostnames.includes(hostname));
    const host_objects = documents.map((document) => ({ ...document, cmdb_templates: [template] }));
    await entrances.muster.run(importRules, { rules: { host_objects }, override: true });
  }

  /** Something of every kind that is none of the caller's business. */
  async function addForeign(number: number): Promise<void> {
    const { muster } = entrances;
    const name = `theirs${number === 1 ? '' : number}`;
    await muster.run(addAccount, { name, type: 'api', password: 'FOREIGN secret' });
    const hosts = number === 1 ? ['foreign', 'foreign-b'] : [`foreign${number}`, `foreign${number}-b`];
    // Where templates decide, the account is the same, and the template another one.
    const owner = restriction === 'accounts' ? name : 'mine';
    for (const hostname of hosts) {
      await muster.run(saveHost, { hostname, account: owner, labels: { site: 'FOREIGN label' } });
    }
    if (restriction === 'templates') await giveTemplate(hosts, 'their template');
    await muster.run(addRelation, { hostname: 'own', type: 'runs_on', target: hosts[0] });
    await muster.run(addRelation, { hostname: hosts[1], type: 'depends_on', target: 'own' });
    const group = number === 1 ? 'their group' : `their group ${number}`;
    await muster.run(importRules, {
      rules: {
        cron_groups: [{ name: group, webhook_enabled: true, jobs: [{ command: 'Import', account: name }] }],
        users: [
          { name: `stranger${number}`, restrict_to_accounts: [name], api_roles: ['objects'] },
          { name: `stranger-b${number}`, restrict_to_templates: ['their template'], api_roles: ['objects'] },
        ],
        cmk_passwords: [{ name: `FOREIGN password ${number}`, title: 't', password: 'FOREIGN secret' }],
        cmk_site_settings: [{ name: `FOREIGN settings ${number}` }],
        automation_customvars: [
          { ...LIST, name: `FOREIGN list ${number}`, outcomes: [{ attribute_name: 'a', attribute_value: 'b' }] },
          // The rows stay while the rule looks at hosts.
          { ...LIST, name: `FOREIGN hosts ${number}`, rule_source: 'hosts', condition_typ: 'anyway' },
        ],
        automation_playbook_fire: [{ ...LIST, name: `FOREIGN list ${number}`, outcomes: [{ playbook: 'x.yml' }] }],
      },
    });
    for (const source of [`import:${name}`, `export:${name}`, 'export:mine', 'API']) {
      const details = [{ level: 'info' as const, message: `FOREIGN ${hosts[0]} failed` }];
      const id = muster.app.services.newId();
      const message = `FOREIGN ${number} hosts`;
      await muster.storage.logs.append({ id, at: new Date(), source, message, details, hasError: false });
    }
    const logged = { id: String(number).repeat(24), at: LOGGED, source: `import:${name}`, message: 'FOREIGN' };
    await muster.storage.logs.append({ ...logged, details: [], hasError: false });
    const start = {
      playbook: 'x.yml',
      provider: 'automation',
      checkMode: false,
      source: 'user' as const,
      leaseMs: 1000,
    };
    const id = String(number).repeat(24);
    const { id: accountId } = await muster.app.services.accounts.inScope(name, null);
    await muster.storage.activeRuns.begin({
      id,
      kind: 'import',
      accountId,
      account: name,
      part: 'FOREIGN part',
      startedBy: 'FOREIGN',
      startedAt: new Date(),
      holder: 'elsewhere/1/1/x',
      leaseMs: 600_000,
    });
    await muster.storage.playbooks.begin({
      ...start,
      id,
      hostname: hosts[0] as string,
      startedBy: 'FOREIGN',
      startedAt: new Date(),
    });
  }

  beforeAll(async () => {
    entrances = await Entrances.over(create, { CMDB_MODE: true, PLAYBOOK_DIR: 'ansible' });
    const { muster } = entrances;
    await muster.addAccounts('mine');
    for (const hostname of ['own', 'own2']) {
      await muster.run(saveHost, { hostname, account: 'mine', labels: { site: 'here' } });
    }
    const templates = ['my template', 'their template'].map((hostname) => ({ hostname, labels: {} }));
    await muster.run(importRules, { rules: { cmdb_templates: templates } });
    if (restriction === 'templates') await giveTemplate(['own', 'own2'], 'my template');
    await addForeign(1);
    const reach = restriction === 'accounts' ? { accounts: ['mine'] } : { templates: ['my template'] };
    scoped = await muster.addCaller('scoped', { roles: ['all'], ...reach });
  });

  afterAll(() => entrances.stop());

  it('is one of those that are tried here', () => {
    const tried = new Set([
      ...Object.keys(OF_SUBJECT),
      ...Object.keys(OF_MANY),
      ...Object.keys(BY_ACCOUNT),
      ...OWN,
      ...ENDLESS,
    ]);
    const others = OPERATIONS.filter(({ name }) => !tried.has(name));
    expect(others.filter((operation) => !isForAdministrators(operation)).map(({ name }) => name)).toEqual([]);
  });

  it('is refused where it is for administrators, whatever the input', async () => {
    for (const operation of OPERATIONS) {
      if (!isForAdministrators(operation)) continue;
      for (const caller of [scoped, { ...scoped, globalAdmin: true }]) {
        expect(await run(operation.name, {}, caller), operation.name).toContain('"role_missing"');
      }
    }
  });

  it('says about foreign subjects what it says about unknown ones, and changes nothing', async () => {
    const before = await foreignState();
    for (const [name, input] of Object.entries(OF_SUBJECT)) {
      const plain = (answer: string, subject: Subject) =>
        Object.values(subject).reduce((text, value) => text.replaceAll(value, 'X'), answer);
      const foreign = plain(await run(name, input(FOREIGN)), FOREIGN);
      expect(foreign, name).toBe(plain(await run(name, input(UNKNOWN)), UNKNOWN));
      expect(foreign, name).not.toContain('FOREIGN');
    }
    expect(await foreignState()).toBe(before);
  });

  it('writes nothing through a foreign account', async () => {
    const before = await foreignState();
    for (const [name, input] of Object.entries(BY_ACCOUNT)) {
      const answer = await run(name, input);
      // A host is written through an account, which who is restricted to templates may name.
      if (restriction === 'templates' && name === 'hosts/save-host') expect(answer).toContain('"account_conflict"');
      else if (restriction === 'templates' && name === 'hosts/save-hosts-bulk') {
        expect(answer).toBe('{"status":"saved 0","not-saved":["foreign"]}');
      } else expect(answer, name).toContain('"forbidden"');
    }
    expect(await foreignState()).toBe(before);
  });

  it('shows, counts and lets guess nothing foreign', async () => {
    const answers = new Map<string, string>();
    for (const [name, input] of READS) {
      const answer = withoutTimes(await run(name, input));
      for (const foreign of ['foreign', 'FOREIGN', 'theirs', 'stranger', 'their group', '"code":']) {
        expect(answer, name).not.toContain(foreign);
      }
      answers.set(JSON.stringify([name, input]), answer);
    }
    expect(answers.get('["hosts/list-hosts",{"start":0}]')).toContain('"size":2');
    await addForeign(3);
    for (const [name, input] of READS) {
      const place = JSON.stringify([name, input]);
      expect(withoutTimes(await run(name, input)), place).toBe(answers.get(place));
    }
  });

  it('shows no rule about the rows of a list, and none of its versions', async () => {
    for (const [rule_type, rule] of [
      ['automation_customvars', 'FOREIGN list 1'],
      ['automation_customvars', 'FOREIGN hosts 1'],
      ['automation_playbook_fire', 'FOREIGN list 1'],
    ]) {
      for (const name of ['rules/show-rule', 'rules/rule-history']) {
        expect(await run(name, { rule_type, rule }), `${name} ${rule_type}`).toContain('"not_found"');
      }
    }
  });

  it('explains without the names and the losing labels of other accounts', async () => {
    const { muster } = entrances;
    await muster.run(addAccount, { name: 'layer', type: 'api', settings: { is_master: 'true' } });
    const answer = JSON.parse(await run('hosts/explain-host', { hostname: 'own' }));
    expect(answer.account).toBe('mine');
    expect(answer.contributions).toEqual([]);
  });

  it('names no other accounts among those that know a host by its keys', async () => {
    const { accounts, clock } = entrances.muster.app.services;
    for (const name of ['mine', 'theirs', 'theirs3']) {
      const { id } = await accounts.inScope(name, null);
      const keys = [{ hostname: 'own', value: 'serial=KX77' }];
      await entrances.muster.storage.marks.putKeys({ accountId: id, keys, at: clock.now() });
    }
    const { known_by } = JSON.parse(await run('hosts/show-host', { hostname: 'own' }));
    const others = restriction === 'accounts' ? ['another account'] : ['theirs', 'theirs3'];
    expect(known_by).toEqual([{ name: 'serial', value: 'KX77', accounts: expect.arrayContaining(others) }]);
    expect(known_by[0].accounts).toHaveLength(1 + others.length);
  });

  it('sees its own edges in a graph, however many others there are', async () => {
    await entrances.muster.run(addRelation, { hostname: 'own', type: 'runs_on', target: 'own2' });
    for (const limit of [1, 2, 500]) {
      const answer = JSON.parse(await run('relations/show-graph', { hostname: 'own', limit }));
      expect(answer).toMatchObject({ edges: [{ from: 'own', to: 'own2' }], more: false });
    }
  });

  it('gets no figures of others while the store is slow', async () => {
    const { services } = entrances.muster.app;
    const group = { group: 'their group', runs: { done: 1, failed: 0 }, running: false, failed: false };
    const { figures } = await services.figures.read();
    if (figures === undefined) throw new Error('there are no figures');
    const late = { figures: { ...figures, groups: [group] }, isCurrent: false };
    const read = vi.spyOn(services.figures, 'read').mockResolvedValue(late);
    const told = (caller: Caller) => serviceMetrics(services, { caller, version: '0' });
    const root = await entrances.muster.addCaller('reader', { roles: ['all'] });
    expect(await told(root)).toContain('their group');
    expect(await told(scoped)).not.toContain('their group');
    read.mockRestore();
  });

  it('reads logs of imports without the names of hosts of other accounts', async () => {
    const { muster } = entrances;
    const folder = mkdtempSync(join(tmpdir(), 'scope-'));
    const importOf = async (account: string, lines: string): Promise<void> => {
      const path = join(folder, `${account}.csv`);
      writeFileSync(path, `host,serial\n${lines}\n`);
      const settings = { path, key_fields: 'serial' };
      await muster.run(addAccount, { name: account, type: 'csv', settings });
      await muster.run(importAccount, { account });
    };
    await importOf('theirs-csv', 'secret-db,KX771234\nSECRET-WEB,KX771235');
    await importOf('mine-csv', 'my-db,KX771234\nsecret-web,KX771236');
    rmSync(folder, { recursive: true });
    const reader = await muster.addCaller('log-reader', { roles: ['syncer'], accounts: ['mine-csv'] });
    const root = await muster.addCaller('log-root', { roles: ['syncer'] });
    const ask = (caller: Caller, text = '') => run('syncer/list-logs', { source: 'import:mine-csv', text }, caller);
    const all = await ask(root);
    expect(all).toContain('has serial=KX771234, as secret-db of another account has: ');
    expect(all).toContain('SECRET-WEB');
    const told = await ask(reader);
    expect(told).toContain('has serial=KX771234, as a host of another account has: ');
    expect(told).toContain('differs from the host of another account in ');
    expect(told).not.toMatch(/secret-db|SECRET-WEB/);
    expect(JSON.parse(await ask(reader, 'secret-db')).entries).toEqual([]);
    const { runs } = JSON.parse(await run('runs/list-runs', {}, reader));
    const shown = await run('runs/show-run', { place: runs[0].place }, { ...reader, entrance: 'admin' });
    expect(shown).toContain('as a host of another account');
    expect(shown).not.toMatch(/secret-db|SECRET-WEB/);
  });

  it('has its tag of an inventory to itself', async () => {
    const { muster } = entrances;
    const provider = { provider: 'automation' };
    const operation = OPERATIONS.find(({ name }) => name === 'inventory/render-inventory') as never;
    const tagOf = async (caller: Caller): Promise<string | undefined> =>
      (await muster.app.executor.stream(operation, { kind: 'value', value: provider }, caller)).etag;
    const root = await muster.addCaller('root', { roles: ['all'], admin: true });
    const [own, all] = [await tagOf(scoped), await tagOf(root)];
    expect(own).not.toBe(all);
    const known = { ...provider, known_tags: [all] };
    const answer = await muster.app.executor.stream(operation, { kind: 'value', value: known }, scoped);
    expect(answer.unchanged).toBe(false);
  });
});
