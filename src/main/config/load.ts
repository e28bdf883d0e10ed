import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FEATURES } from '../../../generated/features.ts';
import {
  type Config,
  type ConfigKey,
  type ConfigOrigins,
  configSchema,
  KEYS_OF_FEATURES,
} from '../../app/kernel/config/schema.ts';
import { PLAIN_MESSAGES } from '../../kit/plain-message.ts';
import { nearest } from '../../kit/words/near.ts';
import { AppError, type ErrorDetail } from '../../ports/index.ts';

/** One of them, in the configuration directory. */
export const CONFIG_FILE_NAMES = ['local_config.yaml', 'local_config.yml', 'local_config.json', 'local_config.py'];
const PREFIX = 'SERVICE_';
/** Variables with the prefix that are read elsewhere: they are not configuration keys. */
const OTHER_VARIABLES = new Set([
  ...['CONFIG_DIR', 'API_USER', 'API_PASSWORD'],
  ...['INVENTORY_PROVIDER', 'INVENTORY_HOST', 'INVENTORY_HOSTS'],
]);
/** Keys that the interface names without the prefix. */
const UNPREFIXED_KEYS = ['MCPSERVER_ENABLED', 'MCPSERVER_PORT'] as const;
/** Keys whose value may be in a file that a variable names, as orchestrators mount what is secret: SERVICE_DATABASE_URL_FILE. */
const KEYS_FROM_FILES = ['DATABASE_URL', 'DATABASE_PASSWORD', 'DATABASE_REPLICA_URL', 'AUDIT_FORWARD_TOKEN'] as const;

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** Values from the command line, by key. */
  readonly flags?: Readonly<Partial<Record<ConfigKey, unknown>>>;
}

interface Entry {
  readonly value: unknown;
  readonly origin: string;
}

/** Reads the configuration: defaults, then the file, then variables, then flags. Every problem is named with its origin. */
export async function loadConfig(
  sources: ConfigSources,
): Promise<{ config: Config; origins: ConfigOrigins; unreadVariables: readonly string[] }> {
  const directory = configDirectory(sources);
  const entries = new Map<string, Entry>();
  const file = findFile(directory);
  if (file !== undefined) {
    for (const [key, value] of Object.entries(await readFile(file))) entries.set(key, { value, origin: file });
  }
  for (const [name, value] of Object.entries(sources.environment)) {
    if (value === undefined) continue;
    const key = keyOfVariable(name);
    // The name with the prefix wins, in whichever order the two come.
    if (key !== undefined && entries.get(key)?.origin !== PREFIX + key) entries.set(key, { value, origin: name });
  }
  for (const key of KEYS_FROM_FILES) {
    const path = sources.environment[fileVariable(key)];
    if (path === undefined || path === '') continue;
    if (entries.get(key)?.origin === PREFIX + key) {
      const message = `configuration: ${PREFIX + key} and ${fileVariable(key)} are both set; set one of them`;
      throw new AppError('invalid_input', message);
    }
    entries.set(key, secretOf(fileVariable(key), resolve(sources.workingDirectory, path)));
  }
  for (const [key, value] of Object.entries(sources.flags ?? {})) {
    if (value !== undefined) entries.set(key, { value, origin: `--${key.toLowerCase().replaceAll('_', '-')}` });
  }
  return { ...parseEntries(entries), unreadVariables: Object.keys(sources.environment).filter(lacksPrefix) };
}

function lacksPrefix(name: string): boolean {
  return keyOfVariable(name) === undefined && Object.hasOwn(configSchema.shape, name.replace(/^MUSTER_/, ''));
}

function fileVariable(key: string): string {
  return `${PREFIX}${key}_FILE`;
}

function secretOf(variable: string, path: string): Entry {
  let value: string;
  try {
    value = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const message = `configuration: ${variable} names ${path}, which cannot be read; check that it is there, and its permissions`;
    throw new AppError('invalid_input', message, { cause });
  }
  if (value === '') throw new AppError('invalid_input', `configuration: ${variable} names ${path}, which is empty`);
  return { value, origin: `${variable} (${path})` };
}

/** A directory that is asked for and not there would mean that the service runs without its configuration. */
function configDirectory({ environment, workingDirectory }: ConfigSources): string {
  const name = `${PREFIX}CONFIG_DIR`;
  const given = environment[name] ?? '';
  const directory = resolve(workingDirectory, given);
  if (given !== '' && statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new AppError('invalid_input', `configuration: ${name} names ${directory}, which is not a directory`);
  }
  return directory;
}

function parseEntries(entries: ReadonlyMap<string, Entry>): { config: Config; origins: ConfigOrigins } {
  const problems: ErrorDetail[] = [];
  const known: Record<string, unknown> = {};
  for (const [key, entry] of entries) {
    const feature = Object.hasOwn(KEYS_OF_FEATURES, key) ? KEYS_OF_FEATURES[key as ConfigKey] : undefined;
    if (feature !== undefined && !FEATURES.has(feature)) {
      problems.push({
        path: key,
        message: `${key} in ${entry.origin} belongs to ${feature}, which this program does not have`,
      });
    } else if (Object.hasOwn(configSchema.shape, key)) known[key] = entry.value;
    else problems.push({ path: key, message: `unknown key ${key} in ${entry.origin}${suggestion(key)}` });
  }
  const result = configSchema.safeParse(known, PLAIN_MESSAGES);
  if (!result.success) {
    for (const issue of result.error.issues) {
      const key = String(issue.path[0]);
      const origin = entries.get(key)?.origin ?? 'default';
      problems.push({
        path: issue.path.map(String).join('.'),
        message: `bad value of ${key} in ${origin}: ${issue.message}`,
      });
    }
  }
  if (problems.length > 0 || !result.success) {
    throw new AppError('invalid_input', `configuration: ${problems.map((problem) => problem.message).join('; ')}`, {
      details: problems,
    });
  }
  const origins = Object.fromEntries(
    Object.keys(configSchema.shape).map((key) => [key, entries.get(key)?.origin ?? 'default']),
  ) as Record<ConfigKey, string>;
  return { config: result.data, origins };
}

function keyOfVariable(name: string): string | undefined {
  if ((UNPREFIXED_KEYS as readonly string[]).includes(name)) return name;
  if (!name.startsWith(PREFIX)) return undefined;
  const key = name.slice(PREFIX.length);
  if (KEYS_FROM_FILES.some((from) => `${from}_FILE` === key)) return undefined;
  return OTHER_VARIABLES.has(key) ? undefined : key;
}

function findFile(directory: string): string | undefined {
  const found = CONFIG_FILE_NAMES.map((name) => join(directory, name)).filter((path) => existsSync(path));
  if (found.length > 1) {
    throw new AppError('invalid_input', `configuration: ${found.join(' and ')} both exist; keep one of them`);
  }
  return found[0];
}

async function readFile(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('invalid_input', `configuration file ${path} cannot be read; check its permissions`, { cause });
  }
  let value: unknown;
  try {
    value = await parseFile(path, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // Behind its first line the parser of YAML draws the place, which needs more room than a message has.
    const [first] = reason.split('\n', 1);
    throw new AppError('invalid_input', `configuration file ${path} cannot be understood: ${first}`, { cause });
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('invalid_input', `configuration file ${path} must have keys and values at its top level`);
  }
  return value as Record<string, unknown>;
}

async function parseFile(path: string, content: string): Promise<unknown> {
  // Some editors put a mark of the byte order first.
  const text = content.replace(/^\uFEFF/, '');
  if (path.endsWith('.json')) return JSON.parse(text);
  if (path.endsWith('.py')) {
    const { parsePythonConfig } = await import('./python-file.ts');
    return parsePythonConfig(text);
  }
  const { parseYamlConfig } = await import('./yaml-file.ts');
  return parseYamlConfig(text);
}

function suggestion(key: string): string {
  const known = Object.keys(configSchema.shape);
  const near =
    known.find((one) => one.replaceAll('_', '') === key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')) ??
    nearest(key, known);
  return near === undefined ? `; known are ${Object.keys(configSchema.shape).join(', ')}` : `; did you mean ${near}?`;
}
