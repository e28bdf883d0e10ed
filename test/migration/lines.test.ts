import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAccount } from '../../src/app/accounts/operations/set-account.ts';
import { firePlaybooks } from '../../src/app/playbooks/operations/fire-playbooks.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { searchHosts } from '../../src/app/search/operations/search-hosts.ts';
import { ROOT, readPage } from '../docs/support/markdown.ts';
import { exportedDocuments, fixtureJson, fixtureText, recordedAnswers } from '../oracle/fixtures.ts';
import { PluginWorld } from '../security/support/plugin-world.ts';
import { STORES } from '../security/support/two-stores.ts';
import { MovedInstallation } from './support/moved-installation.ts';

/*
 * What trips a team that moves, one test each, by the answers of the other product. Where another file has all of it, the test
 * here looks at the one thing that tripped.
 */

type Variables = Readonly<Record<string, unknown>>;
interface Inventory {
  readonly _meta: { readonly hostvars: Readonly<Record<string, Variables>> };
  readonly all: { readonly hosts: readonly string[] };
}

const exported = exportedDocuments('everything/export.jsonl');
const documentNamed = (type: string, name: string) =>
  (exported.get(type) ?? []).find((document) => document.name === name || document.hostname === name);
const withoutId = ({ _id, ...document }: Record<string, unknown> = {}): Record<string, unknown> => document;
const page = readPage('docs/migration.md').replace(/\s+/g, ' ');

const [[, openSqlite]] = STORES;
let moved: MovedInstallation;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-lines-'));
  moved = await MovedInstallation.over(openSqlite, { PLAYBOOK_DIR: join(ROOT, 'ansible') });
  // What cannot move: it is encrypted with the key of the other installation.
  await moved.muster.run(setAccount, { name: 'cmkv2', password: 'throw-away of cmkv2' });
});
afterAll(async () => {
  await moved.stop();
  await rm(folder, { recursive: true, force: true });
});

async function get(path: string, user = 'olga') {
  const response = await moved.ask({ user, path });
  return { status: response.statusCode, body: response.json() };
}

const there = (provider: string, when = 'inventories') =>
  fixtureJson(`everything/${when}/${provider}.json`) as Inventory;
const here = async (provider: string): Promise<Inventory> => (await get(`/ansible/inventory/${provider}`)).body;

function answerThere<T>(file: string, path: string, user = 'olga'): T {
  const found = recordedAnswers(`everything/${file}.json`).find((each) => each.path === path && each.user === user);
  if (found === undefined) throw new Error(`${file}.json has no answer to ${user} at ${path}`);
  return found.answer as T;
}

/** Variables of hosts that are not the same in both, by name, but for those that the page on migration tells. */
function differing(one: Inventory, other: Inventory, told: readonly string[] = []): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const hosts = new Set([...Object.keys(one._meta.hostvars), ...Object.keys(other._meta.hostvars)]);
  for (const host of hosts) {
    const [before, after] = [one._meta.hostvars[host] ?? {}, other._meta.hostvars[host] ?? {}];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (told.includes(name) || JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
      found[name] = [...(found[name] ?? []), host];
    }
  }
  return found;
}

const variablesOf = (inventory: Inventory, name: string): unknown[] =>
  Object.keys(inventory._meta.hostvars)
    .sort()
    .map((host) => inventory._meta.hostvars[host]?.[name]);

describe('a move from another installation, line by line', () => {
  it('1: rules of the project Default are those of no project, so that filters hide what they hid', async () => {
    const [before, after] = [there('ansible'), await here('ansible')];
    expect(Object.keys(after._meta.hostvars).sort()).toEqual(Object.keys(before._meta.hostvars).sort());
    // Empty values and members of sections are told on the page.
    expect(differing(before, after, ['empty', 'hit_17'])).toEqual({});
    expect(page).toContain('shows values that are 0, false, null or empty too');
    expect(page).toContain('`facts__os.name`');
  });

  it('1: and so do those of other projects, where there is a filter', async () => {
    expect(differing(there('strict'), await here('strict'))).toEqual({});
    const [before, after] = [there('bare'), await here('bare')];
    expect(Object.keys(after._meta.hostvars).sort()).toEqual(Object.keys(before._meta.hostvars).sort());
    const names = new Set(Object.values(before._meta.hostvars).flatMap(Object.keys));
    for (const name of names) expect([name, variablesOf(after, name)]).toEqual([name, variablesOf(before, name)]);
    expect(page).toContain('**A project without a filter rule shows everything.**');
  });

  it('2: rules over a pasted list are hosts of their own, and hit no other', async () => {
    expect(differing(there('lists'), await here('lists'))).toEqual({});
  });

  it('3: texts that say true or false are booleans where they were', async () => {
    const [before, after] = [there('ansible'), await here('ansible')];
    expect(new Set(variablesOf(before, 'monitored'))).toEqual(new Set([true, false, undefined]));
    expect(variablesOf(after, 'monitored')).toEqual(variablesOf(before, 'monitored'));
    expect(variablesOf(after, 'dont')).toEqual(variablesOf(before, 'dont'));
  });

  it('4: playbooks do not run again for what matches today', async () => {
    const rule = {
      ...documentNamed('ansible_playbook_fire', 'Fire: patch'),
      enabled: true,
      outcomes: [{ playbook: 'server_management.yml' }],
    };
    await moved.muster.run(importRules, { rules: { ansible_playbook_fire: [rule] }, override: true });
    const fired = await moved.muster.run(firePlaybooks, { dry_run: true });
    expect(fired).toMatchObject({ started: 0, waiting: 0 });
    const own = fired.baselines.filter(({ matches }) => matches > 0);
    expect(own.map((each) => each.rule)).toEqual(['Fire: patch']);
  });

  it('5: a user with a template sees its hosts', async () => {
    const listed = answerThere<{ results: string[] }>('scopes', '/objects/all?start=0&limit=1000', 'tess');
    const names = listed.results.filter((name) => !name.startsWith('archived-'));
    const { body } = await get('/objects/all?start=0&limit=1000', 'tess');
    expect(body.results.map(({ hostname }: { hostname: string }) => hostname)).toEqual(names.toSorted());
  });

  it('6: archived hosts stay archived', async () => {
    const archived = (exported.get('host_objects') ?? []).filter(({ deleted_at }) => deleted_at !== undefined);
    const found = await moved.muster.run(searchHosts, { state: 'archived' });
    expect(found.hosts.map(({ hostname }) => hostname)).toEqual(archived.map(({ hostname }) => hostname).sort());
  });

  it('7: every host comes in, with its flat inventory in sections', async () => {
    const { rules } = (await moved.muster.read(exportRules, { include_hosts: true })) as {
      rules: Record<string, unknown[]>;
    };
    expect(rules.host_objects).toHaveLength(exported.get('host_objects')?.length ?? 0);
    const { inventory: flat } = answerThere<{ inventory: Variables }>('hosts', '/objects/complete.example.net');
    const { body } = await get('/objects/complete.example.net');
    const again = Object.entries(body.inventory as Record<string, Variables>).flatMap(([section, members]) =>
      Object.entries(members).map(([name, value]) => [`${section}__${name}`, value]),
    );
    const told = ['syncer_account', 'syncer_last_seen', 'syncer_last_sync'];
    expect(Object.fromEntries(again)).toEqual(
      Object.fromEntries(Object.entries(flat).filter(([name]) => !told.includes(name))),
    );
  });

  it('8: a type that nobody knows refuses nothing', async () => {
    const lines = `{"rule_type": "made_up"}\n{"name": "x", "odd": [1]}\n${fixtureText('everything/export.jsonl')}`;
    const answer = await moved.muster.run(importRules, { text: lines, dry_run: true });
    expect(answer.kept?.made_up).toBe(1);
    expect(answer.duplicate.host_objects).toBe(exported.get('host_objects')?.length);
    expect(Object.keys(answer.duplicate)).toHaveLength(56);
  });

  it('9: an API token that was issued there opens here', async () => {
    expect((await get('/objects/all', 'toni')).status).toBe(200);
    expect(
      (await moved.ask({ path: '/objects/all', headers: { 'x-login-token': 'cmdb_pat_made-up' } })).statusCode,
    ).toBe(401);
  });

  it('10: folder pools without a name come in', async () => {
    const pools = exported.get('cmk_folder_pool') ?? [];
    expect(pools.some(({ name }) => name === undefined)).toBe(true);
    const { body } = await get('/rules/cmk_folder_pool');
    expect(body.rules.map((pool: Variables) => pool.folder_name).sort()).toEqual(
      pools.map((pool) => pool.folder_name).sort(),
    );
  });

  it('11: syncer_last_seen and syncer_account are there for templates', async () => {
    const [before, after] = [there('ages'), await here('ages')];
    for (const name of ['seen_on', 'seen_text']) {
      expect(new Set(variablesOf(before, name)).size).toBeGreaterThan(3);
      expect(variablesOf(after, name)).toEqual(variablesOf(before, name));
    }
    // A host that no import ever wrote had no account there.
    expect(differing(before, after, ['from'])).toEqual({});
    expect(differing(before, after).from).toEqual(['site-a.example.net']);
    expect(page).toContain('are derived from the account and the times of the host');
  });

  it('12: ages and functions of templates say what they said, that day and three days later', async () => {
    const later = await MovedInstallation.over(openSqlite, { at: '2026-11-05T10:30:00Z' });
    try {
      const answered = (await later.ask({ user: 'olga', path: '/ansible/inventory/ages' })).json();
      expect(differing(there('ages', 'inventories-three-days-later'), answered, ['from'])).toEqual({});
    } finally {
      await later.stop();
    }
    const [before, after] = [there('ansible'), await here('ansible')];
    for (const name of ['bucket', 'bucket12', 'secret_ref', 'missing_ref']) {
      expect(variablesOf(before, name).some((value) => value !== undefined)).toBe(true);
      expect(variablesOf(after, name)).toEqual(variablesOf(before, name));
    }
  });

  it('13: nested members are found by templates and conditions', async () => {
    const [before, after] = [there('ansible'), await here('ansible')];
    for (const name of ['by_otto', 'vendor', 'rack_name']) {
      expect(variablesOf(before, name).some((value) => value !== undefined)).toBe(true);
      expect([name, variablesOf(after, name)]).toEqual([name, variablesOf(before, name)]);
    }
    expect(variablesOf(await here('bare'), 'nested_text')).toEqual(variablesOf(there('bare'), 'nested_text'));
  });

  it('14: an empty CSV cell is no label, and a password that nobody entered keeps no file from being read', async () => {
    const { account, csv, host } = fixtureJson('everything/empty-cell.json') as {
      account: string;
      csv: string;
      host: { hostname: string; labels: Variables };
    };
    const path = join(folder, 'gaps.csv');
    await writeFile(path, csv);
    const other = await MovedInstallation.over(openSqlite);
    try {
      await other.muster.run(setAccount, { name: account, settings: { path } });
      expect((await other.muster.run(importAccount, { account })).status).toBe('done');
      const { labels } = (await other.ask({ user: 'olga', path: `/objects/${host.hostname}` })).json();
      expect(labels).toEqual(host.labels);
    } finally {
      await other.stop();
    }
  });

  it('15: everybody who could log in logs in in the same ways, but for passwords alone where there is a second factor, and nobody else', async () => {
    for (const login of recordedAnswers('everything/logins.json') as unknown as readonly {
      way?: string;
      headers?: Record<string, string>;
      role?: string;
      path?: string;
      status: number;
    }[]) {
      const { way, headers = {}, role, path = '/rules/types', status } = login;
      const response = await moved.ask({ path, ...(role === undefined ? { headers } : { user: `only-${role}` }) });
      // There the password alone was enough; docs/migration.md says what scripts do.
      const expected = way === 'second factor' ? 401 : status;
      expect([way ?? role, path, response.statusCode]).toEqual([way ?? role, path, expected]);
    }
  });

  // 16 is in jobs.test.ts: all names, each in a group that runs.

  it('17: options that an account type does not have here are warned about by name', async () => {
    const accounts = [
      {
        ...documentNamed('accounts', 'csv'),
        custom_fields: [
          { name: 'path', value: 'a.csv' },
          { name: 'group_by', value: 'site' },
        ],
      },
    ];
    const answer = await moved.muster.run(importRules, { rules: { accounts }, override: true, dry_run: true });
    expect(answer.warnings).toMatchObject([{ name: 'csv', message: expect.stringContaining('group_by') }]);
  });

  it('17: and the options of an existing account are those of here, but for the ones that are said', async () => {
    const answer = await moved.muster.run(importRules, {
      text: fixtureText('everything/export.jsonl'),
      override: true,
      dry_run: true,
    });
    const warned = answer.warnings.filter(
      ({ rule_type, path }) => rule_type === 'accounts' && path.startsWith('custom_fields'),
    );
    expect(
      warned.map(({ name }) => name).filter((name) => ['csv', 'json', 'pairs', 'imports only'].includes(name)),
    ).toEqual([]);
  });

  it('18: monitoring sites have what their playbooks read', async () => {
    const [before, after] = [there('cmk_sites'), await here('cmk_sites')];
    expect(after.all.hosts).toEqual(before.all.hosts);
    for (const [host, variables] of Object.entries(before._meta.hostvars)) {
      for (const [name, value] of Object.entries(variables)) {
        // Blanks are in no name of a user: a value that may be an option of a program is not served.
        if (value === 'server user of it') continue;
        expect([host, name, after._meta.hostvars[host]?.[name]]).toEqual([host, name, value]);
      }
    }
  });

  it('21: rules come in as curl sends a file', async () => {
    const rule = { ...withoutId(documentNamed('ansible_customvars', 'Connection')), name: 'sent by curl' };
    const body = `{"rule_type": "ansible_customvars"}\n${JSON.stringify(rule)}\n`;
    for (const [headers, total] of [
      [{ 'content-type': 'application/x-www-form-urlencoded' }, 1],
      [{}, 0],
    ] as const) {
      const response = await moved.ask({ user: 'olga', method: 'POST', path: '/rules/import', headers, body });
      expect(response.json()).toMatchObject({ total });
    }
  });

  it('22: edges that named hosts by id lead there, and labels of templates are rendered for each host', async () => {
    const asked = recordedAnswers('everything/hosts.json').filter(({ path }) => path.endsWith('/relations'));
    expect(asked).toHaveLength(2);
    const edges = (list: Variables[]) => list.map((edge) => JSON.stringify(edge)).sort();
    for (const { path, answer } of asked as {
      path: string;
      answer: { outgoing: Variables[]; inbound: Variables[] };
    }[]) {
      const { body } = await get(path);
      expect([edges(body.outgoing), edges(body.inbound)]).toEqual([edges(answer.outgoing), edges(answer.inbound)]);
    }
    const [before, after] = [there('ansible'), await here('ansible')];
    for (const name of ['monitor_url', 'owner', 'contact']) {
      expect([name, variablesOf(after, name)]).toEqual([name, variablesOf(before, name)]);
    }
  });

  it('22: extra_vars may be YAML, and the second factor of a user is a secret', async () => {
    const fire = documentNamed('ansible_playbook_fire', 'Fire: patch');
    expect(JSON.stringify(fire)).toContain('ports: [22, 443]');
    const rules = { ansible_playbook_fire: [{ ...withoutId(fire), name: 'with YAML' }] };
    expect((await moved.muster.run(importRules, { rules, dry_run: true })).total).toBe(1);
    const all = JSON.stringify(await moved.muster.read(exportRules, { include_users: true }));
    expect(all).toContain('tfa_secret_crypted');
    expect(all).not.toContain(String(documentNamed('users', 'tina')?.tfa_secret));
  });
});

describe('a move from another installation, at the command line and in the log', () => {
  let world: PluginWorld;
  beforeAll(async () => {
    world = await PluginWorld.create(openSqlite);
    await world.command(['rules', 'import', '-'], {}, fixtureText('everything/export.jsonl'));
  });
  afterAll(() => world.close());

  it('19: the commands of their wrappers answer what theirs answered', async () => {
    const listed = await world.command(['ansible', 'inventory', 'strict', '--list'], { CMDB_MODE: true });
    expect(differing(there('strict'), JSON.parse(listed.stdout))).toEqual({});
    const single = recordedAnswers('everything/single-hosts.json').filter(({ path }) =>
      path.startsWith('/ansible/inventory/strict?'),
    );
    expect(single.length).toBeGreaterThan(3);
    for (const { path, status, answer } of single) {
      const host = decodeURIComponent(path.split('host=')[1] ?? '');
      const ran = await world.command(['ansible', 'inventory', 'strict', `--host=${host}`], { CMDB_MODE: true });
      expect([host, ran.exitCode]).toEqual([host, status === 200 ? 0 : 1]);
      if (status === 200) expect(JSON.parse(ran.stdout)).toEqual(answer);
    }
  });

  it('20: monitoring finds the scheduler, with times that it can compare with its clock', async () => {
    const log = answerThere<{ result: { time: string } }>('syncer', '/syncer/services/cron');
    const local = await MovedInstallation.over(openSqlite, { REST_LOCAL_TIMES: true, TIMEZONE: 'Europe/Berlin' });
    try {
      await local.ask({
        user: 'olga',
        method: 'POST',
        path: '/syncer/cron/',
        body: { job_name: 'nightly', run_once_next: true },
      });
      await local.runCron();
      const { result } = (await local.ask({ user: 'only-syncer', path: '/syncer/services/cron' })).json();
      expect(result.time).toBe(log.result.time);
    } finally {
      await local.stop();
    }
  });
});
