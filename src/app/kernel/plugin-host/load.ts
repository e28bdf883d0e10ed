import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { maskedError, maskedLogger } from '../../../kit/masking/masked.ts';
import { settingsMask } from '../../../kit/masking/secret-mask.ts';
import { secretOptionsOf } from '../../../kit/options/secret-options.ts';
import { PLAIN_MESSAGES } from '../../../kit/plain-message.ts';
import { AppError, type Logger, PLUGIN_API_VERSION, type Plugin, type PluginHost } from '../../../ports/index.ts';
import type { OwnWords } from './checked-language.ts';
import { placeOf } from './error-place.ts';
import { guarded } from './guard.ts';
import type { PluginRegistry } from './registry.ts';

export interface PluginLoadOptions {
  readonly builtin: readonly Plugin<never>[];
  /** Package names or paths of third-party plugins. */
  readonly modules: readonly string[];
  /** Settings by plugin id. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Directories in which relative paths and package names are looked up, in this order. */
  readonly directories: readonly string[];
  readonly timeoutSeconds: number;
  readonly logger: Logger;
  /** Words of the language of rules that are taken; none when absent. */
  readonly ownWords?: OwnWords;
  /** Around the loading of a module of others, which may do anything to the process; as it is when absent. */
  readonly whileLoading?: <T>(module: LoadedModule, load: () => Promise<T>) => Promise<T>;
}

/** A module of others, by the name that it is asked for by. */
export interface LoadedModule {
  readonly name: string;
  /** Its file; errors of the plugin come from there. */
  readonly path: string;
}

/** The origin of plugins that come with the program. */
const BUILT_IN = 'built in';

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Loads, checks and registers all plugins. A broken one is recorded by name and does not stop the others; built-in ones come
 * first, so that no other plugin takes their names.
 */
export async function loadPlugins(registry: PluginRegistry, options: PluginLoadOptions): Promise<Plugin<never>[]> {
  const loaded: Plugin<never>[] = [];
  for (const plugin of options.builtin) {
    const enter = (door: PluginHost, settings: never): void | Promise<void> => plugin.register(door, settings);
    if (await register(registry, plugin, { origin: BUILT_IN, enter }, options)) loaded.push(plugin);
  }
  for (const name of options.modules) {
    try {
      const module: LoadedModule = { name, path: resolveModule(name, options.directories) };
      const load = (): Promise<Plugin<never> | undefined> => loadModule(registry, module, options);
      const plugin = await (options.whileLoading?.(module, load) ?? load());
      if (plugin !== undefined) loaded.push(plugin);
    } catch (error) {
      refuse(registry, { id: name, origin: name }, error, options.logger);
    }
  }
  const ids = new Set(registry.statuses().map((status) => status.id));
  for (const id of Object.keys(options.settings)) {
    if (!ids.has(id)) {
      refuse(
        registry,
        { id, origin: 'PLUGIN_OPTIONS' },
        new Error(`PLUGIN_OPTIONS names ${id}, but no such plugin is loaded`),
        options.logger,
      );
    }
  }
  return loaded;
}

/** Loads a module. Returns `undefined` if it is left out while registering; throws if it cannot be a plugin. */
async function loadModule(
  registry: PluginRegistry,
  module: LoadedModule,
  options: PluginLoadOptions,
): Promise<Plugin<never> | undefined> {
  const plugin = await importPlugin(module, options);
  if (registry.has(plugin.id)) {
    throw new AppError('conflict', `plugin id ${plugin.id} is already taken; every plugin needs its own`);
  }
  const { checkedDoor } = await import('./registrations.ts');
  const call = { pluginId: plugin.id, what: 'register', timeoutSeconds: options.timeoutSeconds };
  const enter = async (door: PluginHost, settings: never): Promise<void> => {
    const marked = secretOptionsOf(plugin.options);
    const mask = settingsMask(options.settings[plugin.id], marked);
    const checked = checkedDoor(door, { pluginId: plugin.id, mask, ownWords: options.ownWords });
    try {
      await guarded(call, () => plugin.register(checked, settings));
    } finally {
      checked.close();
    }
  };
  return (await register(registry, plugin, { origin: module.name, enter }, options)) ? plugin : undefined;
}

interface Entering {
  readonly origin: string;
  /** Has the plugin register what it brings. */
  enter(door: PluginHost, settings: never): void | Promise<void>;
}

async function register(
  registry: PluginRegistry,
  plugin: Plugin<never>,
  { origin, enter }: Entering,
  options: PluginLoadOptions,
): Promise<boolean> {
  const provides: string[] = [];
  const { id, version = '', description = '' } = plugin;
  const status = { id, origin, version, description };
  const marked = secretOptionsOf(plugin.options);
  registry.markSettings(id, marked);
  const mask = settingsMask(options.settings[id], marked);
  try {
    const settings = parseSettings(plugin, options.settings[plugin.id]);
    const logger = maskedLogger(options.logger.child({ plugin: plugin.id }), mask);
    await enter(doorOfVersion(plugin, registry.door(plugin.id, logger, provides)), settings);
    registry.requireWhole(plugin.id);
  } catch (error) {
    const message = leftOut({ id, origin }, maskedError(error, mask), options.logger);
    registry.settle({ ...status, state: 'failed', message, provides: [] });
    return false;
  }
  registry.settle({ ...status, state: 'running', message: '', provides });
  return true;
}

function parseSettings(plugin: Plugin<never>, settings: unknown): never {
  if (plugin.options === undefined) {
    if (settings !== undefined)
      throw new AppError('invalid_input', `plugin ${plugin.id} takes no options; remove them from PLUGIN_OPTIONS`);
    return undefined as never;
  }
  const result = plugin.options.safeParse(settings ?? {}, PLAIN_MESSAGES);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `PLUGIN_OPTIONS.${[plugin.id, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new AppError('invalid_input', `options of plugin ${plugin.id}: ${problems.join('; ')}`);
}

async function importPlugin({ name, path }: LoadedModule, options: PluginLoadOptions): Promise<Plugin<never>> {
  const call = { pluginId: name, what: 'loading', timeoutSeconds: options.timeoutSeconds };
  const module: unknown = await guarded(call, () =>
    import(pathToFileURL(path).href).catch((error: unknown) => Promise.reject(withPlace(error, path))),
  );
  const plugin = (module as { default?: unknown }).default;
  if (!isPlugin(plugin)) {
    throw new AppError(
      'invalid_input',
      `${name} does not export a plugin by default; use definePlugin of muster/plugin-api`,
    );
  }
  requireVersion(plugin);
  if (!ID.test(plugin.id) || plugin.id in {}) {
    throw new AppError(
      'invalid_input',
      `plugin id ${JSON.stringify(plugin.id)} must be lower-case words joined by dashes`,
    );
  }
  return plugin;
}

/** Node.js names the line of a syntax error in a module on its standard error alone. */
function withPlace(error: unknown, path: string): unknown {
  if (!(error instanceof SyntaxError)) return error;
  if (/import statement outside a module|Unexpected token 'export'/.test(error.message))
    error.message += `; it is an ES module: write {"type": "module"} into a package.json in its folder, or call it index.mjs`;
  if (placeOf(error) !== undefined) return error;
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  if (stderr !== '') error.stack = stderr;
  return error;
}

function isPlugin(value: unknown): value is Plugin<never> {
  if (typeof value !== 'object' || value === null) return false;
  const plugin = value as Partial<Plugin>;
  return (
    typeof plugin.id === 'string' && typeof plugin.apiVersion === 'number' && typeof plugin.register === 'function'
  );
}

/** The file of a module: of a path, or of a package that is installed where Node would look for it. */
function resolveModule(name: string, directories: readonly string[]): string {
  const paths = isAbsolute(name) ? [name] : [...new Set(directories.map((directory) => resolve(directory, name)))];
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) {
    if (!name.startsWith('.') && !isAbsolute(name)) return installed(name, directories);
    throw new AppError('not_found', `plugin ${name}: there is no ${paths.join(', and no ')}; check PLUGINS`);
  }
  if (!statSync(path).isDirectory()) return path;
  for (const entry of ['index.js', 'index.mjs']) {
    if (existsSync(join(path, entry))) return join(path, entry);
  }
  try {
    return createRequire(join(path, 'package.json')).resolve(path);
  } catch {
    const message = `plugin ${name}: ${path} has no index.js, and package.json names no other file that is there as "main"; a plugin in TypeScript is built first (npm run build)`;
    throw new AppError('not_found', message);
  }
}

/** Resolves a package in one of the directories, or else next to this program, as in a global installation. */
function installed(name: string, directories: readonly string[]): string {
  const places = [...directories.map((directory) => join(directory, 'package.json')), import.meta.url];
  for (const place of places) {
    try {
      return createRequire(place).resolve(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  const where = [...new Set(directories)].join(', ');
  throw new AppError(
    'not_found',
    `plugin ${name}: no package of this name is installed in ${where} or next to Muster; install it, or check PLUGINS`,
  );
}

function refuse(
  registry: PluginRegistry,
  module: { id: string; origin: string },
  error: unknown,
  logger: Logger,
): void {
  registry.refuse({ ...module, message: leftOut(module, error, logger) });
}

/** Logs why there is no such plugin, and answers it. */
function leftOut(plugin: { id: string; origin: string }, error: unknown, logger: Logger): string {
  const message = error instanceof Error ? error.message : String(error);
  // The location within the plugin is for its author; refusals by Muster itself explain themselves.
  const cause = error instanceof AppError ? error.cause : error;
  const stack = placeOf(cause) === undefined ? undefined : (cause as Error).stack;
  logger.error('plugin left out', {
    plugin: plugin.id,
    origin: plugin.origin,
    reason: message,
    ...(stack === undefined ? {} : { stack }),
  });
  return message;
}

/** Plugins of others may say anything. */
interface Versioned {
  readonly id: string;
  readonly apiVersion: number;
}

/** Throws for a plugin of a version that this program does not have. */
function requireVersion({ id, apiVersion }: Versioned): void {
  const has = PLUGIN_API_VERSION;
  if (Number.isSafeInteger(apiVersion) && apiVersion >= 1 && apiVersion <= has) return;
  const what =
    apiVersion > has
      ? `update Muster, or get a version of the plugin for ${has}`
      : `its author sets apiVersion to ${has}, see "Versions of the interface" in docs/plugins.md`;
  throw new AppError(
    'invalid_input',
    `plugin ${id} is written for version ${apiVersion} of the plugin interface, and this Muster has ${has}: ${what}`,
  );
}

/**
 * The door for a plugin of its version. What came later is refused: a program of the version that it names would load the plugin and
 * misunderstand it, such as take a target with objects for one that has nothing to write.
 */
function doorOfVersion({ id, apiVersion }: Versioned, door: PluginHost): PluginHost {
  if (apiVersion >= 2) return door;
  const refuse = (what: string): never => {
    throw new AppError(
      'invalid_input',
      `plugin ${id} says apiVersion ${apiVersion}, and ${what} with version 2: set apiVersion: 2 in the plugin`,
    );
  };
  return {
    ...door,
    ruleType(type) {
      const { evaluation } = type;
      const isLater =
        evaluation?.target !== undefined || evaluation?.stage === 'target' || evaluation?.hostsOnly === true;
      if (isLater) refuse(`rules of a target (${type.id}) came`);
      door.ruleType(type);
    },
    target(type) {
      if ('kinds' in type) refuse(`targets with objects (${type.id}) came`);
      door.target(type);
    },
  };
}
