import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { type Caller, localOperator } from '../../src/app/kernel/caller.ts';
import { type Config, configSchema } from '../../src/app/kernel/config/schema.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import { type App, createApp } from '../../src/main/compose.ts';
import type { ProcessRole } from '../../src/main/settings.ts';
import { type Actor, type Logger, StoredJson } from '../../src/ports/index.ts';
import type { JsonObject } from '../../src/ports/json.ts';
import { hostnameOf, labelsOf } from './hosts.ts';

/** The program, composed in this process as its command or service would be. */

export const ACCOUNT = 'cmdb';
export const USER = { name: 'bench', password: 'a long enough password' };
export const AUTHORIZATION = `Basic ${Buffer.from(`${USER.name}:${USER.password}`).toString('base64')}`;

export const CALLER: Caller = localOperator({ name: 'bench', path: 'bench', requestId: 'bench' });

export interface OpenOptions {
  /** Folder of the database and everything else. */
  readonly folder: string;
  readonly role?: ProcessRole;
  readonly config?: Partial<Config>;
}

const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields ?? {})}\n`),
  error: (message, fields) => process.stderr.write(`${message} ${String(fields?.error ?? '')}\n`),
  child: () => quiet,
};

export async function openProduct({ folder, role = 'command', config = {} }: OpenOptions): Promise<App> {
  const settings: Config = {
    ...configSchema.parse({ DATABASE_URL: `sqlite:${folder}/muster.db`, DATA_DIR: `${folder}/data`, HTTP_PORT: 0 }),
    ...config,
  };
  const origins = Object.fromEntries(Object.keys(settings).map((key) => [key, 'default'])) as never;
  const app = await createApp({ config: settings, origins, workingDirectory: folder, role, logger: quiet });
  await app.start();
  return app;
}

/** An account for the API, or for a CSV file, and a user who may do everything. */
export async function addBasics(app: App, csv?: string): Promise<void> {
  const settings = csv === undefined ? {} : { path: csv, hostname_field: 'host' };
  const type = csv === undefined ? 'api' : 'csv';
  const account = { name: ACCOUNT, type, settings };
  await app.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  const user = { name: USER.name, password: USER.password, roles: ['all'], admin: true };
  await app.executor.value(addUser, { kind: 'value', value: user }, CALLER);
}

export async function addHosts(app: App, count: number): Promise<void> {
  const account = await app.services.accounts.byName(ACCOUNT);
  if (account === undefined) throw new Error('addBasics comes first');
  const actor: Actor = { kind: 'account', name: ACCOUNT };
  const { id, isObject, objectType } = account;
  for (let from = 0; from < count; from += 1000) {
    const entries = Array.from({ length: Math.min(1000, count - from) }, (_, index) => ({
      hostname: hostnameOf(from + index),
      labels: StoredJson.ofValue(labelsOf(from + index)),
    }));
    await app.services.storage.hosts.saveLabels({
      account: { id, isObject, objectType },
      entries,
      at: new Date(),
      actor,
      runId: 'bench',
    });
  }
}

export async function addRules(app: App, rules: Readonly<Record<string, readonly JsonObject[]>>): Promise<void> {
  const answer = await app.executor.value(importRules, { kind: 'value', value: { rules, override: true } }, CALLER);
  if (answer.details.length > 0) throw new Error(`rules refused: ${JSON.stringify(answer.details.slice(0, 3))}`);
}
