import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeRuleTypes } from '../../../../src/app/rules/operations/describe-rule-types.ts';
import { exportRules } from '../../../../src/app/rules/operations/export-rules.ts';
import { findRules } from '../../../../src/app/rules/operations/find-rules.ts';
import { importRules } from '../../../../src/app/rules/operations/import-rules.ts';
import { listRuleTypes } from '../../../../src/app/rules/operations/list-rule-types.ts';
import { listRules } from '../../../../src/app/rules/operations/list-rules.ts';
import { listWaiting } from '../../../../src/app/rules/operations/list-waiting.ts';
import { saveRule } from '../../../../src/app/rules/operations/save-rule.ts';
import { showRule } from '../../../../src/app/rules/operations/show-rule.ts';
import { KEPT_TYPES } from '../../../../src/plugins/kept-types/table.ts';
import type { JsonObject, JsonValue } from '../../../../src/ports/json.ts';
import { guardPlugin, guardRule, PluginWorld } from '../../../security/support/plugin-world.ts';
import { STORES } from '../../../security/support/two-stores.ts';
import type { OperationsApp } from '../../operations/operations-app.ts';

const oid = (number: number) => ({ $oid: number.toString(16).padStart(24, '0') });

/** One document of each kept type, as an existing installation writes it, with a member that nobody knows. */
const BUNDLE: Record<string, JsonObject[]> = Object.fromEntries(
  KEPT_TYPES.map(({ ident, named = 'name' }, index) => [
    ident,
    [
      {
        _id: oid(index + 1),
        [named]: `one of ${ident}`,
        zz: null,
        enabled: index % 2 === 0,
        conditions: [{ match_type: 'tag', tag_match: 'older_than', odd: true }],
        outcomes: [{ 'a.b': 1, action: 'x', param: '{{ not a template' }],
        created: { $date: 1_700_000_000_123 },
      },
    ],
  ]),
);

describe.each(STORES)('%s: kept types', (store, create) => {
  const onOneStore = it.runIf(store === 'SQLite');
  let world: PluginWorld;
  let muster: OperationsApp;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    muster = await world.program();
  });
  afterEach(() => world.close());

  const list = async (rule_type: string, program = muster) =>
    ((await program.read(listRules, { rule_type })) as { rules: JsonObject[] }).rules;
  const exported = async () => ((await muster.read(exportRules, {})) as { rules: Record<string, JsonObject[]> }).rules;

  it('keep a document of each of them, through REST, as it came', async () => {
    const request = await world.http(muster);
    const answer = await request('/api/v1/rules/import', { rules: BUNDLE });
    const counts = Object.fromEntries(KEPT_TYPES.map(({ ident }) => [ident, 1]));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      201,
      expect.objectContaining({ imported: counts, kept: counts, total: KEPT_TYPES.length, details: [] }),
    ]);
    expect(JSON.parse(answer.body).waits_for.vmware_custom_attributes).toBe('wait for exports to VMware');
    const again = await request('/api/v1/rules/import', { rules: BUNDLE });
    expect([again.status, JSON.parse(again.body).duplicate]).toEqual([200, counts]);
    const all = JSON.parse((await request('/api/v1/rules/export')).body).rules;
    for (const [ident, documents] of Object.entries(BUNDLE)) {
      expect(JSON.stringify(all[ident])).toBe(JSON.stringify(documents));
    }
    const types = JSON.parse((await request('/api/v1/rules/types?kept=1')).body);
    expect(types.rule_types).toEqual(expect.arrayContaining(Object.keys(BUNDLE)));
    expect(Object.keys(types.kept)).toEqual(Object.keys(BUNDLE).sort());
    expect((await request('/readyz')).status).toBe(200);
    expect((await world.command(['storage', 'check'])).stderr).not.toMatch(/invalid|required/);
  });

  onOneStore('come by the command line as JSON lines, and are said once', async () => {
    const lines = Object.entries(BUNDLE).flatMap(([ident, documents]) => [
      JSON.stringify({ rule_type: ident }),
      ...documents.map((document) => JSON.stringify(document)),
    ]);
    const ran = await world.command(['rules', 'import', '-'], {}, lines.join('\n'));
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain(
      'kept: cmk_rules: 1 new document stored without effect; they wait for exports to Checkmk',
    );
    for (const [ident, documents] of Object.entries(BUNDLE)) expect(await list(ident)).toEqual(documents);
    const types = await world.command(['rules', 'types']);
    expect(types.stdout.split('\n')).toEqual(expect.arrayContaining(Object.keys(BUNDLE)));
    const marked = await world.command(['rules', 'types', '--kept']);
    expect(marked.stdout.split('\n')).toContain('cmk_rules  kept: its documents wait for exports to Checkmk');
    expect(marked.stdout.split('\n')).toContain('custom_attributes');
  });

  onOneStore('are listed, found, shown and edited as documents', async () => {
    await muster.run(importRules, { rules: BUNDLE });
    const { types } = await muster.run(describeRuleTypes, {});
    expect(types.find(({ id }) => id === 'cmk_rules')).toMatchObject({ rules: 1, kept: { system: 'Checkmk' } });
    expect(types.find(({ id }) => id === 'custom_attributes')).toMatchObject({ kept: null });
    const found = await muster.run(findRules, { rule_type: 'cmk_tags', text: 'not a template' });
    expect(found.rules).toMatchObject([{ name: 'one of cmk_tags', members: expect.arrayContaining([]) }]);
    const shown = await muster.run(showRule, { rule_type: 'cmk_tags', rule: 'one of cmk_tags' });
    expect(shown).toMatchObject({ document: BUNDLE.cmk_tags?.[0], acts: [], waits: [] });
    const document = { ...shown.document, conditions: 'anything' };
    await muster.run(saveRule, { rule_type: 'cmk_tags', document, version: shown.version });
    expect(await list('cmk_tags')).toEqual([document]);
    const made = await muster.run(saveRule, { rule_type: 'cmk_rules', document: { name: 'new' } });
    expect(made).toMatchObject({ status: 'created' });
    // Twice the same name is one rule where names are unique, and two rules where they repeat.
    const twice = [{ name: 'one of x' }, { name: 'one of x', zz: 1 }];
    const answer = await muster.run(importRules, { rules: { cmk_groups: twice, vmware_rewrite_attributes: twice } });
    expect(answer).toMatchObject({
      imported: { cmk_groups: 1, vmware_rewrite_attributes: 2 },
      duplicate: { cmk_groups: 1 },
    });
    expect(await muster.run(importRules, { rules: { vmware_rewrite_attributes: twice } })).toMatchObject({ total: 0 });
  });

  it('may be called as a member that every object has', async () => {
    await muster.run(importRules, { rules: { constructor: [{ name: 'x' }], toString: [{ name: 'y' }] } });
    const answer = await muster.run(listRuleTypes, {});
    expect(answer.rule_types).toEqual(expect.arrayContaining(['constructor', 'toString']));
    const lines: string[] = [];
    const { view } = listRuleTypes.at.command as unknown as { view(answer: never, print: never): void };
    view(answer as never, { asksForTable: false, result: (text: string) => lines.push(text) } as never);
    expect(lines.join('')).toMatch(/^constructor$/m);
    expect(lines.join('')).toMatch(/^toString$/m);
  });

  it('seal secrets, under the names that are known and under names that say so, and mask them', async () => {
    const SECRET = 'T0PSECRET';
    const secrets = {
      cmk_user: [{ _id: oid(1), user_id: 'ann', password: SECRET, overwrite_password: true, pager_address: '1' }],
      notification_channels: [
        { _id: oid(2), name: 'chat', webhook_url: SECRET, settings: [{ name: 'api_token', value: SECRET }] },
        {
          _id: oid(3),
          name: 'mail',
          'smtp.password': SECRET,
          tokens: [SECRET, { a: SECRET }],
          password_crypted: 'gAAAA',
        },
      ],
      system_config: [{ _id: oid(4), secret_key: SECRET, license_key: SECRET, merge_attributes: ['password'] }],
    };
    await muster.run(importRules, { rules: secrets });
    const raw = JSON.stringify(await exported());
    expect(raw).not.toContain(SECRET);
    expect((await list('cmk_user'))[0]).toEqual({
      _id: oid(1),
      user_id: 'ann',
      password_crypted: expect.stringMatching(/^aes256gcm:/),
      overwrite_password: true,
      pager_address: '1',
    });
    expect(Object.keys((await list('notification_channels'))[1] ?? {})).toEqual([
      '_id',
      'name',
      'smtp.password_crypted',
      'tokens_crypted',
      'password_crypted',
    ]);
    expect((await list('system_config'))[0]).toMatchObject({ merge_attributes: ['password'] });
    for (const [rule_type, documents] of Object.entries(secrets)) {
      for (const [index] of documents.entries()) {
        const { id } = (await muster.run(findRules, { rule_type, text: '' })).rules[index] ?? { id: '' };
        const shown = await muster.run(showRule, { rule_type, rule: id });
        expect(JSON.stringify(shown)).not.toMatch(/T0PSECRET|aes256gcm|gAAAA/);
        // Saved as it was shown, nothing is lost.
        const before = JSON.stringify(await list(rule_type));
        await muster.run(saveRule, { rule_type, document: shown.document, version: shown.version });
        expect(JSON.stringify(await list(rule_type))).toBe(before);
      }
    }
    const bundle = await exported();
    await muster.run(importRules, { rules: bundle, override: true });
    expect(await exported()).toEqual(bundle);
    const opened = (await list('notification_channels'))[0] as { settings: { value_crypted: string }[] };
    const place = muster.app.services.secrets.placeOf(opened.settings[0]?.value_crypted ?? '') ?? '';
    expect(await muster.app.services.secrets.open(opened.settings[0]?.value_crypted ?? '', place)).toBe(SECRET);
    const reader = await muster.addCaller('reader', { roles: ['rules'], read_only: true });
    expect(JSON.stringify(await muster.read(listRules, { rule_type: 'cmk_user' }, reader))).not.toContain('aes256gcm');
  });

  onOneStore('wait for nobody, and are nothing for users restricted to accounts', async () => {
    await muster.addAccounts('crm');
    const author = await muster.addCaller('author', { roles: ['rules'] });
    const macro = { name: 'm', enabled: true, outcomes: [{ param: '{{ACCOUNT:crm:password}}' }] };
    const answer = await muster.run(importRules, { rules: { cmk_rules: [macro] } }, author);
    expect(answer).toMatchObject({ imported: { cmk_rules: 1 }, warnings: [] });
    expect((await muster.run(listWaiting, {})).waiting).toEqual([]);
    const scoped = await muster.addCaller('scoped', { roles: ['rules'], accounts: ['crm'] });
    expect(((await muster.read(listRules, { rule_type: 'cmk_rules' }, scoped)) as { rules: object[] }).rules).toEqual(
      [],
    );
    await expect(muster.run(importRules, { rules: { cmk_rules: [macro] } }, scoped)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  onOneStore('name what they refer to and is not there', async () => {
    const answer = await muster.run(importRules, {
      rules: {
        notification_rules: [{ name: 'r', source_type: 'log', channels: [oid(7), oid(8)] }],
        notification_channels: [{ _id: oid(7), name: 'c', type: 'email', account: 'nobody' }],
        users: [],
      },
    });
    expect(answer.details).toEqual([]);
    expect(answer.warnings.map(({ rule_type, path }) => `${rule_type} ${path}`)).toEqual([
      'notification_rules channels.1',
      'notification_channels account',
    ]);
  });

  it('give their place to a plugin that acts on them, and are missed when it is gone', async () => {
    const guard = (await world.module('guard', guardPlugin().replace("id: 'guard',", "id: 'cmk_filter',"))) as string;
    await muster.run(importRules, { rules: { cmk_filter: [guardRule('secret')], cmk_rewrite: [guardRule('x')] } });
    await muster.app.services.evaluators.forProject(null);
    const sound = await world.program({ PLUGINS: [guard] });
    expect((await sound.run(listRuleTypes, {})).rule_types.filter((type) => type === 'cmk_filter')).toHaveLength(1);
    expect((await sound.run(listRuleTypes, { kept: true })).kept).not.toHaveProperty('cmk_filter');
    await sound.app.services.evaluators.forProject(null);
    // Its documents acted once, so nothing goes out without them.
    await expect(muster.app.services.evaluators.forProject(null)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await world.command(['storage', 'check'])).stdout).toContain('cmk_filter');
  });

  it('come back as they came, whatever they hold', async () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((name) => !/^\d+$|^_id$/.test(name));
    const value = fc
      .jsonValue({ maxDepth: 3, noUnicodeString: false })
      .map((found) => JSON.parse(JSON.stringify(found)));
    const documents = fc.array(fc.dictionary(names, value, { maxKeys: 5 }), { minLength: 1, maxLength: 4 });
    const types = fc.constantFrom(...KEPT_TYPES.map(({ ident }) => ident), 'nobody_knows');
    let next = 1000;
    await fc.assert(
      fc.asyncProperty(types, documents, async (ident, found) => {
        const given = found.map((document) => {
          const { name: _, ...rest } = withoutSecrets(document) as JsonObject;
          return { _id: oid(next++), name: `n${next}`, ...rest };
        });
        const answer = await muster.run(importRules, { rules: { [ident]: given } });
        expect(answer).toMatchObject({ details: [], kept: { [ident]: given.length } });
        const stored = new Map((await list(ident)).map((document) => [JSON.stringify(document._id), document]));
        for (const document of given) expect(stored.get(JSON.stringify(document._id))).toEqual(document);
      }),
      { numRuns: store === 'SQLite' ? 60 : 20 },
    );
  });
});

/** Members that are secrets going by their names come back sealed. */
function withoutSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !/passw|pwd|secret|token|credential|key|_crypted|url|webhook/i.test(name),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecrets(member)]));
}

describe('broken lines', () => {
  let world: PluginWorld;
  let muster: OperationsApp;
  beforeEach(async () => {
    world = await PluginWorld.create((STORES[0] as (typeof STORES)[number])[1]);
    muster = await world.program();
  });
  afterEach(() => world.close());

  const LINES = [
    '{"name": "too early"}',
    '{"rule_type": "cmk_rules"}',
    '{"name": "a"}',
    '{"name": "cut',
    '[1]',
    '{"name": "b", "_id": "no"}',
    '{"rule_type": 7}',
    '{"name": "of what"}',
    '{"rule_type": "nobody_knows"}',
    '{"name": "c"}',
  ];

  it('refuse the file with the number of the first, and are named and passed over when that is asked for', async () => {
    const request = await world.http(muster);
    const refused = await request('/api/v1/rules/import', LINES.slice(1).join('\n'));
    expect([refused.status, JSON.parse(refused.body).message]).toEqual([400, expect.stringContaining('line 3')]);
    const answer = await request('/api/v1/rules/import?skip_broken=1', LINES.join('\n'));
    const { imported, kept, invalid, details } = JSON.parse(answer.body);
    expect(answer.status).toBe(201);
    expect({ imported, kept, invalid }).toEqual({
      imported: { cmk_rules: 1 },
      kept: { cmk_rules: 1, nobody_knows: 1 },
      invalid: { cmk_rules: 4, nobody_knows: 0 },
    });
    expect(
      details.map(({ line, rule_type }: { line: number; rule_type: string }) => `${line} ${rule_type}`).sort(),
    ).toEqual(['1 ', '4 cmk_rules', '5 cmk_rules', '6 cmk_rules', '7 cmk_rules', '8 ']);
  });

  it('are passed over by the command, which names them and fails', async () => {
    const text = `not JSON at all\n${LINES.join('\n')}`;
    expect(await world.command(['rules', 'import', '-'], {}, text)).toMatchObject({ exitCode: 1, stdout: '' });
    const ran = await world.command(['rules', 'import', '-', '--skip-broken'], {}, text);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('invalid: cmk_rules line 5: is not valid JSON');
    expect(ran.stderr).toContain('invalid: line 1: is not valid JSON');
    expect(ran.stderr).toContain('7 rules are invalid');
    expect(((await muster.read(listRules, { rule_type: 'cmk_rules' })) as { rules: object[] }).rules).toHaveLength(1);
  });

  it('are an option of the tool and of the operation that pages call', async () => {
    const answer = await muster.run(importRules, { text: LINES.join('\n'), skip_broken: true });
    expect(answer).toMatchObject({ imported: { cmk_rules: 1 }, kept: { nobody_knows: 1 } });
    await expect(muster.run(importRules, { text: LINES.join('\n') })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
