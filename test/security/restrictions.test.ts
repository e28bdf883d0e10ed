import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { moveRules } from '../../src/app/rules/operations/move-rules.ts';
import { removeRule, removeRules } from '../../src/app/rules/operations/remove-rules.ts';
import { switchRules } from '../../src/app/rules/operations/switch-rules.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import { type RuleDocument, StoredJson } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { signInWorld, type World } from '../adapters/admin/sign-in-world.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const TYPE = 'sign_in_groups';
const HELD = {
  _id: { $oid: 'a'.repeat(24) },
  name: 'a-staff',
  groups: ['staff'],
  api_roles: ['objects'],
  readonly: true,
};
const BOSS = { _id: { $oid: 'b'.repeat(24) }, name: 'b-boss', groups: ['boss'], global_admin: true };
const SUE = { subject: '1', name: 'sue', email: 'sue@example.org', groups: ['staff', 'boss'], password: 'secret' };

/** What held somebody down is taken away by who may store rules, and the next document decides. */
describe('a mapping of groups', () => {
  let world: World;
  beforeEach(async () => {
    world = await signInWorld();
    world.people.set('1', SUE);
    await world.client.service.addUser('ruler', { api_roles: ['rules'] });
    await world.client.service.addUser('chief', { api_roles: ['all'] });
    await world.client.service.addUser('root', { api_roles: ['all'], global_admin: true });
    await world.map(HELD, BOSS);
  });
  afterEach(() => world.client.service.stop());

  const rest = (user: string, url: string, payload: object) =>
    world.client.service.request({ method: 'POST', url: `/api/v1/rules/${url}`, user, payload });
  const page = async (user: string, operation: string, input: object) =>
    world.client.call(`rules/${operation}`, await world.client.cookieOf(user), { rule_type: TYPE, ...input });
  const stored = async (name: string) => {
    const { json } = await world.client.service.request({ url: `/api/v1/rules/${TYPE}`, user: 'ruler' });
    return (json() as { rules: RuleDocument[] }).rules.find((document) => document.name === name);
  };
  const load = (rules: readonly object[]) =>
    world.client.service.executor.value(
      importRules,
      { kind: 'value', value: { rules: { [TYPE]: rules }, override: true } },
      OPERATOR,
    );
  const moved = { ...HELD, enabled: true, name: 'z-staff' };
  const edited = { ...HELD, enabled: true, groups: ['nobody'] };

  const ROADS: readonly (readonly [string, (user: string) => Promise<unknown>])[] = [
    ['removed on a page', (user) => page(user, 'remove-rule', { rule: 'a-staff' })],
    ['removed with others', (user) => rest(user, `${TYPE}/remove`, { rules: ['a-staff'] })],
    ['switched off', (user) => rest(user, `${TYPE}/enabled`, { rules: ['a-staff'], enabled: false })],
    ['switched off by an import', (user) => rest(user, `${TYPE}?override=1`, { ...HELD, enabled: false })],
    ['moved behind the other by its name', (user) => rest(user, `${TYPE}?override=1`, moved)],
    [
      'edited',
      async (user) => {
        await rest(user, `${TYPE}?override=1`, { ...HELD, enabled: true, readonly: true, methods: ['portal'] });
        await rest(user, 'import?override=1', { rules: { [TYPE]: [{ ...HELD, enabled: true, methods: ['portal'] }] } });
      },
    ],
    [
      'taken out of a folder',
      async (user) => {
        const folder = (names: readonly object[]) => ({
          documents: names.map((document) => ({ rule_type: TYPE, document })),
          prune: true,
          adopt: true,
        });
        await rest(
          user,
          'apply',
          folder([
            { ...HELD, enabled: true },
            { ...BOSS, enabled: true },
          ]),
        );
        await rest(user, 'apply', folder([{ ...BOSS, enabled: true }]));
      },
    ],
    [
      'removed and written anew without its group',
      async (user) => {
        await rest(user, `${TYPE}/remove`, { rules: ['a-staff'] });
        await rest(user, TYPE, { ...edited, api_roles: ['rules'] });
      },
    ],
    [
      'given as it is and changed by one import',
      (user) =>
        rest(user, 'import?override=1', {
          rules: {
            [TYPE]: [
              { ...HELD, enabled: true },
              { ...HELD, enabled: false },
            ],
          },
        }),
    ],
    [
      'given back its older version',
      async (user) => {
        await page(user, 'revert-rule', { rule: 'a-staff', version: 1 });
      },
    ],
  ];

  describe.each(ROADS)('that is %s', (_how, act) => {
    it.each(['ruler', 'chief'])('by %s goes on deciding', async (user) => {
      if (_how.startsWith('given back')) {
        await load([{ ...HELD, enabled: true, groups: ['none'] }, HELD].map((each) => ({ enabled: true, ...each })));
      }
      await act(user);
      const login = await world.logIn('sue');
      expect(login.json()).toMatchObject({ roles: ['objects'], admin: false, read_only: true });
    });
  });

  it('that somebody else changed is shown as waiting, and counts once an administrator confirms it', async () => {
    await rest('ruler', `${TYPE}/enabled`, { rules: ['a-staff'], enabled: false });
    expect(await stored('a-staff')).toMatchObject({ enabled: false, _waits: true });
    const waiting = await page('root', 'list-waiting', {});
    expect(waiting.json()).toMatchObject({ waiting: [{ name: 'a-staff', changed_by: 'ruler' }] });
    expect((await page('chief', 'confirm-rule', { rule: 'a-staff' })).statusCode).toBe(403);
    expect((await page('root', 'confirm-rule', { rule: 'a-staff' })).statusCode).toBe(200);
    expect((await world.logIn('sue')).json()).toMatchObject({ admin: true });
    expect(await stored('a-staff')).not.toHaveProperty('_waits');
  });

  it('whose removal waits is gone once that is confirmed', async () => {
    await page('ruler', 'remove-rule', { rule: 'a-staff' });
    const waiting = await page('root', 'list-waiting', {});
    expect(waiting.json()).toMatchObject({
      waiting: [{ name: 'a-staff', acts: [expect.stringContaining('removed')] }],
    });
    expect((await page('root', 'show-rule', { rule: 'a-staff' })).json()).toMatchObject({ name: 'a-staff' });
    expect((await page('root', 'confirm-rule', { rule: 'a-staff' })).statusCode).toBe(200);
    expect((await page('root', 'list-waiting', {})).json()).toMatchObject({ waiting: [] });
    expect((await world.logIn('sue')).json()).toMatchObject({ admin: true });
  });

  it('is given back by whoever took it, and waits no more', async () => {
    await load([{ ...HELD, enabled: true, api_roles: [] }]);
    await rest('ruler', `${TYPE}/enabled`, { rules: ['a-staff'], enabled: false });
    expect(await stored('a-staff')).toMatchObject({ _waits: true });
    await rest('ruler', `${TYPE}/enabled`, { rules: ['a-staff'], enabled: true });
    expect(await stored('a-staff')).not.toHaveProperty('_waits');
    expect((await page('root', 'list-waiting', {})).json()).toMatchObject({ waiting: [] });
  });

  it('that an administrator changes counts at once', async () => {
    await rest('root', `${TYPE}/enabled`, { rules: ['a-staff'], enabled: false });
    expect((await world.logIn('sue')).json()).toMatchObject({ admin: true });
  });

  it('that all of the mappings are removed takes no rights from anybody', async () => {
    expect((await world.logIn('sue')).statusCode).toBe(200);
    await rest('ruler', `${TYPE}/remove`, { rules: ['a-staff', 'b-boss'] });
    expect((await world.logIn('sue')).json()).toMatchObject({ roles: ['objects'], admin: false });
  });

  it('that never was confirmed keeps nobody out, and lets nobody in', async () => {
    await rest('ruler', TYPE, { name: '0', enabled: true, groups: ['staff', 'boss', 'x'], api_roles: ['rules'] });
    expect((await world.logIn('sue')).json()).toMatchObject({ roles: ['objects'], admin: false });
    world.people.set('2', { ...SUE, subject: '2', name: 'xi', groups: ['x'] });
    expect((await world.logIn('xi')).statusCode).toBe(403);
  });

  it('that cannot be used lets nobody of its groups in by a later one', async () => {
    await world.client.service.storage.rules.write({
      entries: [
        {
          ...{ type: TYPE, id: 'c'.repeat(24), name: '0', uniqueName: true, confirmedBy: 'operator' },
          document: StoredJson.ofValue({ name: '0', enabled: true, groups: ['boss'], api_roles: 5 }),
        },
      ],
      ...{ mode: 'replace', at: new Date(), actor: { kind: 'user', name: 'x' } },
    });
    expect((await world.logIn('sue')).statusCode).toBe(403);
  });

  it.each([
    ['chief', { global_admin: true }],
    ['ruler', { api_roles: ['all'] }],
    ['ruler', { api_roles: ['objects'] }],
  ])('that gives more than %s holds is not written', async (user, rights) => {
    const mapping = { name: 'c', enabled: true, groups: ['x'], ...rights };
    expect((await rest(user, TYPE, mapping)).statusCode).toBe(403);
    expect((await rest(user, 'import', { rules: { [TYPE]: [mapping] } })).statusCode).toBe(403);
    expect((await rest('root', TYPE, mapping)).statusCode).toBe(201);
  });

  it('gives nobody more by an account that somebody who holds less lets people in with', async () => {
    await world.map({ ...HELD, methods: ['directory'] });
    const { json } = await world.client.service.request({ url: '/api/v1/rules/accounts', user: 'chief' });
    const directory = (json() as { rules: RuleDocument[] }).rules.find(({ name }) => name === 'directory');
    const attempts = [
      { ...directory, name: 'other' },
      { ...directory, custom_fields: [{ name: 'address', value: 'https://mine.example.org' }] },
      { name: 'mine', type: 'test-directory', enabled: true },
    ];
    for (const document of attempts) {
      expect((await rest('chief', 'accounts?override=1', document)).statusCode).toBe(403);
    }
    await rest('ruler', 'accounts', attempts[2] as object);
    expect((await page('root', 'list-waiting', {})).json()).toMatchObject({ waiting: [{ name: 'mine' }] });
    const confirm = { rule_type: 'accounts', rule: 'mine' };
    expect(
      (await world.client.call('rules/confirm-rule', await world.client.cookieOf('chief'), confirm)).statusCode,
    ).toBe(403);
    expect((await world.logIn('sue')).json()).toMatchObject({ roles: ['objects'], admin: false });
    expect((await rest('root', 'accounts?override=1', { ...directory, description: 'ours' })).statusCode).toBe(201);
    await world.map({ ...BOSS, enabled: false });
    expect((await rest('chief', 'accounts?override=1', { ...directory, description: 'x' })).statusCode).toBe(201);
  });

  it('is neither given nor taken away by a token that carries less than its user holds', async () => {
    const made = await world.client.service.executor.value(
      createToken,
      { kind: 'value', value: { name: 'root', label: 'limited', roles: ['all'] } },
      OPERATOR,
    );
    const post = (url: string, payload: object) =>
      world.client.service.request({
        method: 'POST',
        url: `/api/v1/rules/${url}`,
        user: null,
        headers: { authorization: `Bearer ${(made as { token: string }).token}` },
        payload,
      });
    const mapping = { name: 'c', enabled: true, groups: ['x'], global_admin: true };
    expect((await post(TYPE, mapping)).statusCode).toBe(403);
    expect((await post(`${TYPE}/remove`, { rules: ['a-staff'] })).statusCode).toBe(200);
    expect((await world.logIn('sue')).json()).toMatchObject({ roles: ['objects'], admin: false });
  });
});

const AUTHOR = callerWith('author', { roles: ['rules'] });
const ADMINISTRATOR = callerWith('boss', { roles: ['all'], globalAdmin: true });

describe.each(THOROUGH_STORES)('filters over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  beforeEach(async () => {
    opened = await createStorage();
    muster = await OperationsApp.over(opened.storage);
    await muster.addAccounts('red');
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'fra', secret: 's3' } });
    await load([ALL, SITE, HIDES], ADMINISTRATOR);
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
  });

  const FILTER = 'automation_filter';
  const filter = (id: string, name: string, sort_field: number, attribute_name: string) => ({
    ...{ _id: { $oid: id.repeat(24) }, name, enabled: true, sort_field, condition_typ: 'anyway', conditions: [] },
    outcomes: [{ action: 'whitelist_attribute', attribute_name }],
  });
  const ALL = filter('a', 'all', 1, '*');
  const HIDES = filter('b', 'no secret', 9, '!secret');
  const SITE = filter('c', 'site', 5, 'site');
  const load = (rules: readonly object[], caller = AUTHOR) =>
    muster.run(importRules, { rules: { [FILTER]: rules }, override: true }, caller);
  const shown = async () =>
    Object.keys((await muster.read(renderInventory, { provider: 'automation', host: 'web1' })) as object);
  const documents = async () =>
    ((await muster.read(listRules, { rule_type: FILTER }, AUTHOR)) as { rules: RuleDocument[] }).rules;
  const one = { rule_type: FILTER, rule: 'no secret' };
  const several = { rule_type: FILTER, rules: ['no secret'] };

  it.each([
    ['removed', () => muster.run(removeRule, one, AUTHOR)],
    ['removed with others', () => muster.run(removeRules, several, AUTHOR)],
    ['switched off', () => muster.run(switchRules, { ...several, enabled: false }, AUTHOR)],
    ['moved to the front', () => muster.run(moveRules, { ...several, to: 'first' }, AUTHOR)],
    ['edited', () => load([{ ...HIDES, outcomes: [] }])],
    ['put under a condition', () => load([withCondition(HIDES)])],
    ['given as it is and switched off by one import', () => load([HIDES, { ...HIDES, enabled: false }])],
    ['outdone by one behind it', () => load([filter('d', 'z', 10, 'secret')])],
    ['left without its project', () => load([{ ...HIDES, project: 'elsewhere' }])],
  ])('that is %s goes on hiding until an administrator confirms that', async (_how, act) => {
    expect(await shown()).not.toContain('secret');
    await act();
    expect(await shown()).toContain('site');
    expect(await shown()).not.toContain('secret');
    const { waiting } = await muster.run(listWaiting, {}, ADMINISTRATOR);
    expect(waiting).toHaveLength(1);
    for (const { rule_type, id } of waiting) await muster.run(confirmRule, { rule_type, rule: id }, ADMINISTRATOR);
    expect(await shown()).toContain('secret');
    expect(await muster.run(listWaiting, {}, ADMINISTRATOR)).toMatchObject({ waiting: [] });
  });

  it('that hide more or the same count at once, whoever stores them', async () => {
    await load([filter('d', 'no site', 10, '!site')]);
    expect(await shown()).not.toContain('site');
    await muster.run(removeRule, { rule_type: FILTER, rule: 'site' }, AUTHOR);
    await load([{ ...HIDES, sort_field: 20 }]);
    expect((await documents()).filter(({ _waits }) => _waits === true)).toEqual([]);
    expect(await shown()).not.toContain('secret');
  });

  it('are shown as they were changed, marked as waiting', async () => {
    await muster.run(switchRules, { ...several, enabled: false }, AUTHOR);
    expect(await documents()).toContainEqual({ ...HIDES, enabled: false, _waits: true });
    await muster.run(switchRules, { ...several, enabled: true }, AUTHOR);
    expect(await documents()).toContainEqual(HIDES);
  });

  it('of an administrator show at once', async () => {
    await muster.run(removeRule, one, ADMINISTRATOR);
    expect(await shown()).toContain('secret');
  });

  it('wait where they reveal in a project that is off', async () => {
    const project = { _id: { $oid: 'e'.repeat(24) }, name: 'shop', enabled: true };
    const projects = (document: object, caller = AUTHOR) =>
      muster.run(importRules, { rules: { automation_projects: [document] }, override: true }, caller);
    await projects(project, ADMINISTRATOR);
    await load(
      [
        { ...HIDES, project: 'shop' },
        { ...filter('f', 'most', 1, '*'), project: 'shop' },
      ],
      ADMINISTRATOR,
    );
    await projects({ ...project, enabled: false });
    await muster.run(removeRule, one, AUTHOR);
    await projects(project);
    const names = Object.keys((await muster.read(renderInventory, { provider: 'shop', host: 'web1' })) as object);
    expect(names).toContain('site');
    expect(names).not.toContain('secret');
  });

  function withCondition(document: RuleDocument): RuleDocument {
    const never = { match_type: 'host', hostname_match: 'equal', hostname: 'other', hostname_match_negate: false };
    return { ...document, condition_typ: 'all', conditions: [never] };
  }
});
