import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { ruleFailures } from '../../src/app/rules/operations/rule-failures.ts';
import { createSqlite } from '../adapters/sqlite/sqlite-harness.ts';
import type { OperationsApp } from '../app/operations/operations-app.ts';
import { ROOT } from '../architecture/source-files.ts';
import { PluginWorld } from './support/plugin-world.ts';

const SECRET = 'sesame-0815';

let world: PluginWorld;
/** A module is imported once, whatever its file says later. */
let modules = 0;

beforeEach(async () => {
  world = await PluginWorld.create(createSqlite);
});
afterEach(() => world.close());

/** A plugin whose filter and operator do what these texts say. */
function words(parts: { apply?: string; compile?: string; id?: string; more?: string }): string {
  const { apply = '() => ""', compile = '() => () => true', id = 'shelf', more = '' } = parts;
  return `export default { id: 'words', apiVersion: 2, options: { safeParse: (data) => ({ success: true, data }) },
    register(host, { token }) {
      host.templateFilter({ id: '${id}', description: 'A shelf', apply: ${apply} });
      host.conditionOperator({ id: '${id}', description: 'A shelf', words: ['is on', 'is not on'], compile: ${compile} });
      ${more}
    } };`;
}

async function program(source: string | undefined): Promise<OperationsApp> {
  const PLUGINS = source === undefined ? [] : [await world.module(`words${++modules}`, source)];
  const PLUGIN_OPTIONS = source === undefined ? {} : { words: { token: SECRET } };
  return world.program({ PLUGINS, PLUGIN_OPTIONS });
}

const condition = (operator: string, value = 'A') => ({
  match_type: 'tag',
  tag: 'room',
  tag_match: 'equal',
  value,
  value_match: operator,
});

/** Rules that write `floor` by a template where a condition holds. */
const rule = (operator: string, template: string, value?: string) => ({
  name: 'floor',
  enabled: true,
  condition_typ: 'all',
  conditions: [condition(operator, value)],
  outcomes: [{ attribute_name: 'floor', attribute_value: template }],
});

async function web01(muster: OperationsApp): Promise<void> {
  await muster.addAccounts('crm');
  await muster.run(saveHost, { hostname: 'web01', account: 'crm', labels: { room: '4.12', ip: '10.20.3.4' } });
}

const served = (muster: OperationsApp) => muster.read(renderInventory, { provider: 'automation', host: 'web01' });
const store = (muster: OperationsApp, document: object) =>
  muster.run(importRules, { rules: { custom_attributes: [document] } });

it('rules use the filters and operators of the example', async () => {
  const text = await readFile(join(ROOT, 'examples/plugins/network-words/index.js'), 'utf8');
  const muster = await world.program({
    PLUGINS: [
      await world.module('network', text.replace(/^import \{ definePlugin.*$/m, 'const definePlugin = (p) => p;')),
    ],
  });
  expect(muster.app.services.plugins.statuses().find(({ id }) => id === 'network-words')).toMatchObject({
    state: 'running',
    provides: ['condition operator in_network', 'template filter floor'],
  });
  await web01(muster);
  const network = (value: string, more: object = {}) => ({
    ...rule('in_network', '{{ room | floor }}', value),
    conditions: [{ ...condition('in_network', value), tag: 'ip', ...more }],
  });
  expect(await store(muster, network('10.20.0.0/16'))).toMatchObject({ details: [] });
  expect(await served(muster)).toMatchObject({ floor: '4' });
  const explained = await muster.run(explainHost, { hostname: 'web01' });
  expect(JSON.stringify(explained)).toContain('is in the network');
  expect(await store(muster, { ...network('elsewhere'), name: 'wrong' })).toMatchObject({
    details: [
      {
        path: 'conditions.0.value',
        message: expect.stringContaining(
          'plugin network-words: condition operator in_network failed: elsewhere is no network',
        ),
      },
    ],
  });
  const negated = network('10.20.0.0/16', { value_match_negate: true });
  await muster.run(importRules, { rules: { custom_attributes: [negated] }, override: true });
  expect(await served(muster)).not.toHaveProperty('floor');
});

it('rules whose words are gone let nothing out, and say which', async () => {
  const muster = await program(words({ apply: '(value) => value + "!"' }));
  await web01(muster);
  await store(muster, rule('shelf', '{{ room | shelf }}'));
  expect(await served(muster)).toMatchObject({ floor: '4.12!' });
  for (const gone of [undefined, words({ id: 'other' }), 'throw new Error("no");']) {
    const without = await program(gone);
    await expect(served(without)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('conditions.0.value_match must be one of'),
    });
    expect((await without.run(runDoctor, {})).ok).toBe(false);
    const details = (await store(without, { ...rule('equal', '{{ room | shelf }}'), name: 'later' })).details;
    expect(details).toMatchObject([{ message: expect.stringContaining("there is no filter 'shelf'") }]);
  }
});

it.each([
  [
    'a filter throws',
    { apply: '() => { throw new Error("no shelf for " + token); }' },
    'failed: no shelf for ********',
  ],
  ['a filter answers a promise', { apply: 'async () => { throw new Error("late"); }' }, 'it answered a promise'],
  ['a filter answers nothing', { apply: '() => undefined' }, 'it answered nothing'],
  ['a filter answers what is no number', { apply: '() => [NaN]' }, 'it answered NaN'],
  ['a filter answers an object of a class', { apply: '() => new Map()' }, 'it answered an object of a class'],
  [
    'a filter answers an endless object',
    { apply: '() => { const a = []; a.push(a); return a; }' },
    'nested too deeply',
  ],
  ['a test throws', { compile: '() => () => { throw new Error("no shelf for " + token); }' }, 'for ********'],
  ['a test answers a text', { compile: '() => () => "yes"' }, 'answered a string instead of true or false'],
  ['a test answers a promise', { compile: '() => async () => true' }, 'answered a promise instead of'],
])('when %s, the rule fails by name, without the secrets of the plugin', async (_when, parts, message) => {
  const muster = await program(words(parts));
  await web01(muster);
  expect(await store(muster, rule('shelf', '{{ room | shelf }}'))).toMatchObject({ details: [] });
  expect((await served(muster)) as object).not.toMatchObject({ floor: expect.stringMatching(/./) });
  const { failures } = await muster.run(ruleFailures, {});
  expect(failures).toMatchObject([{ name: 'floor', last_error: expect.stringContaining('plugin words: ') }]);
  expect(failures).toMatchObject([{ last_error: expect.stringContaining(message) }]);
  expect(inspect(failures, { depth: 9 }) + inspect(world.log, { depth: 9 })).not.toContain(SECRET);
});

it('an operator that makes no test keeps the rule from being stored', async () => {
  const muster = await program(words({ compile: '() => "no test"' }));
  await web01(muster);
  expect(await store(muster, rule('shelf', 'x'))).toMatchObject({
    details: [{ message: expect.stringContaining('condition operator shelf made no test of "A"') }],
  });
});

it.each([
  ['a filter of the language', { id: 'upper' }, 'template filter upper is part of the language of rules itself'],
  ['a name with a dash', { id: 'my-shelf' }, 'template filter "my-shelf": id must be a name of lower-case letters'],
  ['a name of every object', { id: '__proto__' }, 'template filter "__proto__": id'],
  [
    'two of a name',
    { more: "host.templateFilter({ id: 'shelf', description: 'x', apply() {} });" },
    'already registered',
  ],
  ['no function', { more: "host.templateFilter({ id: 'other', description: 'x' });" }, 'apply must be a function'],
  [
    'an operator of the language',
    { more: "host.conditionOperator({ id: 'regex', description: 'x', words: ['a', 'b'], compile() {} });" },
    'condition operator regex is part of the language of rules itself',
  ],
  [
    'an operator without words',
    { more: "host.conditionOperator({ id: 'other', description: 'x', compile() {} });" },
    'words must be two texts',
  ],
])('%s is refused, and everything of the plugin with it', async (_what, parts, message) => {
  const muster = await program(words(parts));
  const { plugins } = muster.app.services;
  expect(plugins.statuses().find(({ id }) => id === 'words')).toMatchObject({
    state: 'failed',
    provides: [],
    message: expect.stringContaining(message),
  });
  expect([plugins.templateFilter('shelf'), plugins.conditionOperatorIds()]).toEqual([undefined, []]);
});
