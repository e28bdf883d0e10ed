import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backUp } from '../../src/app/backups/operations/back-up.ts';
import { restoreBackup } from '../../src/app/backups/operations/restore-backup.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { removeRules } from '../../src/app/rules/operations/remove-rules.ts';
import { actingRecords, isFilter, restrictionOf } from '../../src/app/rules/trust/held-versions.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import type { RuleDocument, RuleType, Storage } from '../../src/ports/index.ts';
import { createStorage as createMongodb } from '../adapters/mongodb/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { freshFolder, freshSqlite, migrate } from '../app/storage-transfer/support.ts';
import { Entrances } from './support/entrances.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const ID = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);
const ANYWAY = { sort_field: 5, condition_typ: 'anyway', conditions: [] };

interface Restricting {
  readonly document: RuleDocument;
  /** Of the same document, what does not restrict as it did. */
  readonly changed: RuleDocument;
  /** Another document of the type, which stays. */
  readonly beside: RuleDocument;
}

/** Every type that restricts; a new one needs its line. */
const TYPES: Readonly<Record<string, Restricting>> = {
  accounts: {
    document: { type: 'netbox', custom_fields: [{ name: 'approval_above', value: '5' }] },
    changed: { custom_fields: [{ name: 'approval_above', value: '5000' }] },
    beside: { type: 'api' },
  },
  automation_filter: {
    document: { ...ANYWAY, outcomes: [{ action: 'whitelist_attribute', attribute_name: '!secret' }] },
    changed: { outcomes: [{ action: 'whitelist_attribute', attribute_name: '!nothing' }] },
    beside: { ...ANYWAY, sort_field: 1, outcomes: [{ action: 'whitelist_attribute', attribute_name: '*' }] },
  },
  cron_groups: {
    document: {
      ...{ webhook_enabled: true, jobs: [] },
      webhook_policy: { secret: 'a-secret-of-the-webhook', window_seconds: 300, allow_ips: ['10.0.0.0/8'] },
    },
    changed: { webhook_policy: { secret: 'another-secret-of-it', window_seconds: 300, allow_ips: [] } },
    beside: { jobs: [] },
  },
  jira_filter: {
    document: { ...ANYWAY, outcomes: [{ action: 'ignore_hosts' }] },
    changed: { outcomes: [] },
    beside: { ...ANYWAY, outcomes: [] },
  },
  notification_policies: {
    document: { receivers: ['mail'], events: ['run_failed'] },
    changed: { receivers: ['mine'] },
    beside: { receivers: ['mail'], events: ['run_partial'] },
  },
  rest_target_filter: {
    document: ANYWAY,
    changed: {
      ...{ condition_typ: 'all' },
      conditions: [{ match_type: 'host', hostname_match: 'equal', hostname: 'none', hostname_match_negate: false }],
    },
    beside: { ...ANYWAY, enabled: false },
  },
  sign_in_groups: {
    document: { groups: ['staff'], api_roles: ['rules'], readonly: true },
    changed: { methods: ['portal'] },
    beside: { groups: ['boss'], global_admin: true },
  },
};

type Way = (entrances: Entrances, type: string, given: Restricting) => Promise<unknown>;

const post = (user: string, url: string, payload: object) => (entrances: Entrances) =>
  entrances.rest(user, { method: 'POST', url: `/api/v1/rules/${url}`, payload });
const page = async (entrances: Entrances, operation: string, input: object) =>
  entrances.page(await entrances.cookieOf('ruler'), operation, input);
const imported = (type: string, ...documents: readonly RuleDocument[]) => ({ rules: { [type]: documents } });
const folder = (type: string, ...documents: readonly RuleDocument[]) => ({
  ...{ prune: true, adopt: true },
  documents: documents.map((document) => ({ rule_type: type, document })),
});
const named = (type: string) => ({ rule_type: type, rules: ['held'] });
const one = (type: string) => ({ rule_type: type, rule: 'held' });

/** How somebody with the role `rules` or `mcp` takes it away. What is refused takes nothing away either. */
const WAYS: Readonly<Record<string, Way>> = {
  'written over': (entrances, type, { changed }) => post('ruler', `${type}?override=1`, changed)(entrances),
  'written over in a bundle': (entrances, type, { changed, beside }) =>
    post('ruler', 'import?override=1', imported(type, beside, changed))(entrances),
  'given twice': (entrances, type, { document, changed }) =>
    post('ruler', 'import?override=1', imported(type, document, changed))(entrances),
  'switched off by an import': (entrances, type, { document }) =>
    post('ruler', 'import?override=1', imported(type, { ...document, enabled: false }))(entrances),
  'switched off': (entrances, type) =>
    entrances.remote('ruler', 'rules/switch-rules', { ...named(type), enabled: false }),
  'moved to the front': (entrances, type) => page(entrances, 'rules/move-rules', { ...named(type), to: 'first' }),
  'given another name': (entrances, type, { document }) =>
    post('ruler', 'import?override=1', imported(type, { ...document, name: 'z' }))(entrances),
  'saved on its page': async (entrances, type, { changed }) => {
    const shown = await page(entrances, 'rules/show-rule', one(type));
    return page(entrances, 'rules/save-rule', {
      rule_type: type,
      document: changed,
      version: shown.body?.version ?? 1,
    });
  },
  'given back an older version': async (entrances, type) => {
    await page(entrances, 'rules/revert-rule', { ...one(type), version: 1 });
    return entrances.remote('ruler', 'rules/revert-rule', { ...one(type), version: 1 });
  },
  removed: (entrances, type) => page(entrances, 'rules/remove-rule', one(type)),
  'removed by a command elsewhere': (entrances, type) => entrances.remote('ruler', 'rules/remove-rule', one(type)),
  'removed with others': (entrances, type) => post('ruler', `${type}/remove`, { rules: ['held', 'beside'] })(entrances),
  'removed and made anew': async (entrances, type, { changed }) => {
    await post('ruler', `${type}/remove`, { rules: ['held'] })(entrances);
    const { _id, ...without } = changed;
    await post('ruler', type, without)(entrances);
    return post('ruler', type, changed)(entrances);
  },
  'removed and brought back as it was': async (entrances, type) => {
    await post('ruler', `${type}/remove`, { rules: ['held'] })(entrances);
    return page(entrances, 'rules/revert-rule', { rule_type: type, rule: ID, version: 1 });
  },
  'taken out of a folder': async (entrances, type, { document, beside }) => {
    await post('ruler', 'apply', folder(type, document, beside))(entrances);
    return post('ruler', 'apply', folder(type, beside))(entrances);
  },
  'changed in a folder': (entrances, type, { changed, beside }) =>
    post('ruler', 'apply', folder(type, changed, beside))(entrances),
  'written over by a tool': (entrances, type, { changed: rule }) =>
    entrances.tool('tooler', 'create_rule', { rule_type: type, rule, override: true }),
  'written over by a tool in a bundle': (entrances, type, { changed }) =>
    entrances.tool('tooler', 'import_rules_bulk', { ...imported(type, changed), override: true }),
  'written over with all that a token carries': (entrances, type, { changed }) =>
    entrances.rest('root', {
      ...{ method: 'POST', url: `/api/v1/rules/${type}?override=1`, payload: changed },
      headers: { authorization: `Bearer ${tokens.get(entrances)}` },
    }),
  'written over by who reaches some accounts': (entrances, type, { changed }) =>
    post('scoped', `${type}?override=1`, changed)(entrances),
  'written over by a reader': (entrances, type, { changed }) =>
    post('reader', `${type}?override=1`, changed)(entrances),
};

const tokens = new WeakMap<Entrances, string>();

/** Filters with another name or place hide the same here. */
async function parts(storage: Storage, type: RuleType): Promise<unknown> {
  const records = await actingRecords(storage.rules, type);
  const record = records.find(({ id }) => id === ID);
  const part = record && restrictionOf(type)?.part(record.document.value);
  return isFilter(type) && part !== undefined ? { ...(part as RuleDocument), name: '', sort_field: 0 } : part;
}

function completed(given: Restricting): Restricting {
  const whole = (id: string, name: string, document: RuleDocument): RuleDocument => ({
    ...{ _id: { $oid: id }, name, enabled: true },
    ...document,
  });
  const document = whole(ID, 'held', given.document);
  return { document, changed: { ...document, ...given.changed }, beside: whole(OTHER, 'beside', given.beside) };
}

async function prepared(muster: OperationsApp): Promise<void> {
  await muster.addAccounts('red');
  await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'fra', secret: 's3' } });
}

/** As an administrator has it, whatever was there; the version before restricts less. */
async function stored(muster: OperationsApp, type: string, { document, changed, beside }: Restricting): Promise<void> {
  const override = { override: true, confirm: true };
  if (type !== 'accounts') {
    const names = (await muster.storage.rules.list(type)).map(({ id }) => id);
    if (names.length > 0) await muster.run(removeRules, { rule_type: type, rules: names }, OPERATOR);
  }
  for (const documents of [[changed], [document, beside]]) {
    await muster.run(importRules, { ...imported(type, ...documents), ...override }, OPERATOR);
  }
}

describe.each(THOROUGH_STORES)('over %s', (_name, createStorage) => {
  let entrances: Entrances;
  beforeEach(async () => {
    entrances = await Entrances.over(createStorage);
    const { muster } = entrances;
    await prepared(muster);
    await muster.addCaller('ruler', { roles: ['rules'] });
    await muster.addCaller('tooler', { roles: ['mcp'] });
    await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
    await muster.addCaller('reader', { roles: ['all'], read_only: true });
    await muster.addCaller('root', { roles: ['all'], admin: true });
    const made = await muster.run(createToken, { name: 'root', label: 'limited', roles: ['all'] });
    tokens.set(entrances, made.token);
  });
  afterEach(() => entrances.stop());

  it('every type that restricts is attacked', () => {
    const types = entrances.muster.app.services.plugins.ruleTypes();
    const restricting = types.filter((type) => restrictionOf(type) !== undefined).map(({ id }) => id);
    expect(restricting.sort()).toEqual(Object.keys(TYPES));
  });

  it.each(Object.keys(TYPES))('no way takes what restricts of %s away', async (id) => {
    const { muster } = entrances;
    const type = muster.app.services.plugins.ruleType(id) as RuleType;
    const given = completed(TYPES[id] as Restricting);
    for (const [how, act] of Object.entries(WAYS)) {
      await stored(muster, id, given);
      const before = await parts(muster.storage, type);
      expect(before).toBeDefined();
      await act(entrances, id, given);
      expect(await parts(muster.storage, type), how).toEqual(before);
    }
    // What an administrator changes counts at once, and so does a second one's word where one is not enough.
    await stored(muster, id, given);
    const before = await parts(muster.storage, type);
    const cookie = await entrances.cookieOf('root');
    await post('root', `${id}?override=1`, given.changed)(entrances);
    if (id === 'accounts') await muster.run(confirmRule, { rule_type: id, rule: 'held' }, OPERATOR);
    expect(await parts(muster.storage, type)).not.toEqual(before);
    expect((await entrances.page(cookie, 'rules/list-waiting')).body).toMatchObject({ waiting: [] });
  });
});

describe('what acts while its change waits', () => {
  it('goes on in another store, back here, and in a restored backup', async () => {
    const first = await freshSqlite();
    const muster = await OperationsApp.over(first);
    onTestFinished(() => muster.stop());
    await prepared(muster);
    const ruler = await muster.addCaller('ruler', { roles: ['rules'] });
    const types = Object.keys(TYPES).map((id) => muster.app.services.plugins.ruleType(id) as RuleType);
    for (const { id } of types) {
      const given = completed(TYPES[id] as Restricting);
      await stored(muster, id, given);
      await muster.run(importRules, { ...imported(id, given.changed), override: true }, ruler);
    }
    const waiting = async (app: OperationsApp) => (await app.run(listWaiting, {})).waiting;
    const acting = (storage: Storage) => Promise.all(types.map((type) => parts(storage, type)));
    const before = { acting: await acting(first), waiting: await waiting(muster) };
    expect(before.waiting.filter(({ name }) => name === 'held')).toHaveLength(types.length);

    const between = await createMongodb();
    onTestFinished(() => between.close());
    const back = await freshSqlite();
    const restored = await freshSqlite();
    await migrate(first, between.storage);
    await migrate(between.storage, back);
    const file = join(await freshFolder(), 'backup.gz');
    await muster.run(backUp, { file });
    const after = await OperationsApp.over(restored);
    onTestFinished(() => after.stop());
    await after.run(restoreBackup, { file });
    for (const storage of [between.storage, back, restored]) {
      const app = storage === restored ? after : await OperationsApp.over(storage);
      if (app !== after) onTestFinished(() => app.stop());
      expect({ acting: await acting(storage), waiting: await waiting(app) }).toEqual(before);
    }
  });
});
