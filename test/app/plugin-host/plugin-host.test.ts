import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPlugins, stopPlugins } from '../../../src/app/kernel/plugin-host/lifecycle.ts';
import { loadPlugins } from '../../../src/app/kernel/plugin-host/load.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import {
  definePlugin,
  type Logger,
  PLUGIN_API_VERSION,
  type Plugin,
  type PluginHost,
  type RuleEvaluation,
  type RuleType,
  type SourceType,
  type StoreDriver,
  type TargetType,
} from '../../../src/ports/index.ts';
import { ruleTypeOf } from '../../support/rule-type.ts';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const RACKS = `export default {
  id: 'racks',
  apiVersion: ${PLUGIN_API_VERSION},
  register(host) { host.inventoryProvider('racks', () => ({ full: () => ({}), host: () => false })); },
};`;

let directory: string;
let beside: string;
let registry: PluginRegistry;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-plugins-'));
  beside = join(directory, 'configuration');
  await mkdir(join(beside, 'node_modules', 'muster-racks'), { recursive: true });
  registry = new PluginRegistry(['sqlite']);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function load(builtin: readonly Plugin<never>[], modules: readonly string[] = []): Promise<Plugin<never>[]> {
  return loadPlugins(registry, {
    builtin,
    modules,
    settings: {},
    directories: [directory, beside],
    timeoutSeconds: 5,
    logger: SILENT,
  });
}

function pluginOf(id: string, register: (host: PluginHost) => void, rest: Partial<Plugin<never>> = {}): Plugin<never> {
  return definePlugin<never>({ id, apiVersion: PLUGIN_API_VERSION, register, ...rest });
}

function sourceOf(id: string, aliases: readonly string[] = []): SourceType {
  return { id, aliases, title: id, description: id, options: undefined as never, open: () => undefined as never };
}

function states(): readonly (readonly [id: string, state: string])[] {
  return registry.statuses().map(({ id, state }) => [id, state] as const);
}

test('a module that cannot be loaded takes nothing from the plugin that has its name as id', async () => {
  await load([pluginOf('csv', (host) => host.source(sourceOf('csv')))], ['csv']);
  expect(registry.source('csv')?.pluginId).toBe('csv');
  expect(states()).toEqual([
    ['csv', 'running'],
    ['csv', 'failed'],
  ]);
});

test('files and packages are found in the working directory, then beside the configuration', async () => {
  await writeFile(join(beside, 'racks.mjs'), RACKS);
  const installed = join(beside, 'node_modules', 'muster-racks');
  await writeFile(join(installed, 'package.json'), '{"name": "muster-racks", "type": "module", "main": "index.js"}');
  await writeFile(
    join(installed, 'index.js'),
    RACKS.replace("id: 'racks'", "id: 'installed'").replaceAll("'racks'", "'others'"),
  );
  const plugins = await load([], ['./racks.mjs', 'muster-racks', 'muster-nowhere']);
  expect(plugins.map(({ id }) => id)).toEqual(['racks', 'installed']);
  const missing = registry.statuses().find(({ id }) => id === 'muster-nowhere');
  expect(missing?.message).toContain(`is installed in ${directory}, ${beside} or next to Muster`);
});

test('a plugin named twice runs once, and the second mention is reported', async () => {
  await writeFile(join(directory, 'racks.mjs'), RACKS);
  const plugins = await load([], ['racks.mjs', './racks.mjs']);
  expect(plugins.map(({ id }) => id)).toEqual(['racks']);
  expect([...registry.providers().keys()]).toEqual(['racks']);
  expect(states()).toEqual([
    ['./racks.mjs', 'failed'],
    ['racks', 'running'],
  ]);
});

test('an alias cannot take the name of a type that is there, nor a type an alias', async () => {
  await load([
    pluginOf('csv', (host) => host.source(sourceOf('csv', ['comma']))),
    pluginOf('thief', (host) => host.source(sourceOf('mine', ['csv']))),
    pluginOf('other-thief', (host) => host.source(sourceOf('comma'))),
  ]);
  expect(registry.source('csv')?.pluginId).toBe('csv');
  expect(registry.source('comma')?.pluginId).toBe('csv');
  expect(registry.sourceIds()).toEqual(['csv']);
  expect(states()).toEqual([
    ['csv', 'running'],
    ['other-thief', 'failed'],
    ['thief', 'failed'],
  ]);
});

test('a target cannot take the name of a source, nor a source that of a target', async () => {
  const targetOf = (id: string): TargetType => ({ ...sourceOf(id), open: () => undefined as never });
  await load([
    pluginOf('csv', (host) => host.source(sourceOf('csv', ['comma']))),
    pluginOf('file', (host) => host.target(targetOf('file'))),
    pluginOf('thief', (host) => host.target(targetOf('comma'))),
    pluginOf('other-thief', (host) => host.source(sourceOf('mine', ['file']))),
  ]);
  expect([registry.sourceIds(), registry.targetIds()]).toEqual([['csv'], ['file']]);
  expect(states()).toEqual([
    ['csv', 'running'],
    ['file', 'running'],
    ['other-thief', 'failed'],
    ['thief', 'failed'],
  ]);
});

test('a plugin that does not start is left out, whatever its stop does', async () => {
  const failing = (id: string, stop: () => Promise<void>): Plugin<never> =>
    pluginOf(id, (host) => host.source(sourceOf(id)), { start: () => Promise.reject(new Error('no')), stop });
  const plugins = await load([
    // Written in JavaScript, a stop may answer nothing at all.
    failing('answers-nothing', (() => undefined) as never),
    failing('throws', () => {
      throw new Error('no');
    }),
    pluginOf('sound', (host) => host.source(sourceOf('sound'))),
  ]);
  await startPlugins(plugins, { registry, timeoutSeconds: 5, logger: SILENT });
  expect(registry.sourceIds()).toEqual(['sound']);
  expect(states()).toEqual([
    ['answers-nothing', 'failed'],
    ['sound', 'running'],
    ['throws', 'failed'],
  ]);
});

test('plugins stop in reverse order, and one that hangs or throws keeps no other from stopping', async () => {
  const stopped: string[] = [];
  const stops = (id: string, stop: () => Promise<void>): Plugin<never> =>
    pluginOf(id, () => undefined, {
      stop() {
        stopped.push(id);
        return stop();
      },
    });
  const plugins = await load([
    stops('first', async () => undefined),
    stops('hangs', () => new Promise(() => undefined)),
    stops('throws', () => Promise.reject(new Error('no'))),
    stops('last', async () => undefined),
  ]);
  const failures = await stopPlugins(plugins, { timeoutSeconds: 0.05 });
  expect(stopped).toEqual(['last', 'throws', 'hangs', 'first']);
  expect(failures.map(({ code }) => code)).toEqual(['failed', 'failed']);
});

/** A target with objects, as far as registering it goes. */
const SHELF = {
  id: 'shelf',
  title: '',
  description: '',
  options: undefined as never,
  kinds: [{ id: 'box', title: 'Boxes', fields: {} }],
  open: () => undefined as never,
};

function shelfRule(id: string, evaluation: Partial<RuleEvaluation>): RuleType {
  return ruleTypeOf(id, { stage: 'target', target: 'shelf', compile: () => () => undefined, ...evaluation });
}

function messageOf(id: string): string {
  return registry.statuses().find((status) => status.id === id)?.message ?? '';
}

test('plugins of version 1 are loaded, unless they use what came later', async () => {
  const older = { apiVersion: 1 } as const;
  await load([
    pluginOf('source', (host) => host.source(sourceOf('lines')), older),
    pluginOf(
      'filter',
      (host) => host.ruleType(shelfRule('old_filter', { stage: 'filter', target: undefined as never })),
      older,
    ),
    pluginOf('objects', (host) => host.target(SHELF), older),
    pluginOf('rules', (host) => host.ruleType(shelfRule('shelf_places', {})), older),
  ]);
  expect(states()).toEqual([
    ['filter', 'running'],
    ['objects', 'failed'],
    ['rules', 'failed'],
    ['source', 'running'],
  ]);
  expect(messageOf('objects')).toContain('set apiVersion: 2');
  expect(messageOf('rules')).toContain('set apiVersion: 2');
});

test('a plugin of a version that there is not is refused, with what to do', async () => {
  for (const [version, remedy] of [
    [3, 'update Muster'],
    [0, 'sets apiVersion to 2'],
    [1.5, 'sets apiVersion to 2'],
  ] as const) {
    const path = join(directory, `v${version}.mjs`);
    await writeFile(path, RACKS.replace(/apiVersion: \d/, `apiVersion: ${version}`));
    await load([], [path]);
    expect(messageOf(path)).toContain(remedy);
  }
});

test.each<[string, (host: PluginHost) => void, string]>([
  ['no target', (host) => host.ruleType(shelfRule('x', { target: undefined as never })), 'needs "target"'],
  ['a stage of everybody', (host) => host.ruleType(shelfRule('x', { stage: 'attributes' })), 'no stage attributes'],
  ['hostsOnly elsewhere', (host) => host.ruleType(shelfRule('x', { hostsOnly: true })), 'hostsOnly'],
  ['lists', (host) => host.ruleType({ ...shelfRule('x', {}), takesList: true }), 'take no lists'],
  ['a target of nobody', (host) => host.ruleType(shelfRule('x', {})), 'the same plugin must register'],
])('a rule type of a target with %s is refused', async (_what, register, message) => {
  await load([pluginOf('wrong', register)]);
  expect(messageOf('wrong')).toContain(message);
  expect(registry.ruleTypeIds()).toEqual([]);
});

test('rules of a target are of the plugin that registers it, in any order, and go with it', async () => {
  const own = pluginOf('own', (host) => {
    host.ruleType(shelfRule('shelf_places', {}));
    host.target(SHELF);
  });
  const other = pluginOf('thief', (host) => host.ruleType(shelfRule('more_places', {})));
  await load([own, other]);
  expect(states()).toEqual([
    ['own', 'running'],
    ['thief', 'failed'],
  ]);
  expect(registry.ruleTypeIds()).toEqual(['shelf_places']);
  registry.fail('own', 'gone');
  expect(registry.ruleTypeIds()).toEqual([]);
});

test('a plugin brings a store, but none that the program has or that another plugin brought', async () => {
  const storeOf = (...schemes: readonly string[]): StoreDriver => ({
    schemes,
    addresses: `${schemes[0]}:`,
    isShared: false,
    open: () => Promise.reject(new Error('not opened here')),
    files: () => [],
  });
  const [files, other] = [storeOf('json', 'jsonl'), storeOf('yaml', 'jsonl')];
  await load([
    pluginOf('files', (host) => host.store(files)),
    pluginOf('own', (host) => host.store(storeOf('sqlite'))),
    pluginOf('other', (host) => host.store(other)),
  ]);
  expect(registry.stores()).toEqual([files]);
  expect(registry.statuses().map(({ id, message }) => [id, message])).toEqual([
    ['files', ''],
    ['other', expect.stringContaining('store jsonl is already registered by plugin files')],
    ['own', expect.stringContaining('store sqlite is one of the program itself')],
  ]);
});
