import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  type SourceType,
  type TargetType,
} from '../../../src/ports/index.ts';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const RACKS = `export default {
  id: 'racks',
  apiVersion: ${PLUGIN_API_VERSION},
  register(host) { host.inventoryProvider('racks', () => ({ full: () => ({}), host: () => false })); },
};`;

let directory: string;
let registry: PluginRegistry;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-plugins-'));
  registry = new PluginRegistry();
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function load(builtin: readonly Plugin<never>[], modules: readonly string[] = []): Promise<Plugin<never>[]> {
  return loadPlugins(registry, { builtin, modules, settings: {}, directory, timeoutSeconds: 5, logger: SILENT });
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
