import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { type Config, configSchema } from '../../src/app/kernel/config/schema.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { showConfig } from '../../src/app/maintenance/operations/show-config.ts';
import { supportBundle } from '../../src/app/maintenance/operations/support-bundle.ts';
import { type App, createApp } from '../../src/main/compose.ts';
import type { ProcessRole } from '../../src/main/settings.ts';
import { Stores } from '../../src/main/store.ts';
import { AppError, type StoreDriver } from '../../src/ports/index.ts';
import { dropSchema, freshUrl, withRaw } from '../adapters/postgresql/harness.ts';
import { OPERATOR } from '../app/operations/operations-app.ts';
import { hasPostgresql } from '../support/postgresql-server.ts';
import { type LoggedLine, recordingLogger } from '../support/recording-logger.ts';

const FIRST = 'sesame-0815';
const SECOND = 'sesame-4711';

/** A source of secrets as anyone may write one. */
const SOURCE = `export default { id: 'vessel', apiVersion: 2, register(host) {
  host.secretSource({ id: 'vessel', title: 'Vessel', description: '', example: 'vessel:database',
    open: ({ machine }) => ({ read: (name, context) => machine.file(name, context) }) });
} };`;

let folder: string;
let log: LoggedLine[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-password-'));
  log = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function appOf(given: Partial<Config>, role: ProcessRole = 'command'): Promise<App> {
  await writeFile(join(folder, 'vessel.mjs'), SOURCE);
  const config: Config = {
    ...configSchema.parse({ INSTANCE_KEY: '11'.repeat(32) }),
    ...{ PLUGINS: [join(folder, 'vessel.mjs')], SECRET_DIRS: [folder], SECRET_CACHE_SECONDS: 0, WORKER_THREADS: 1 },
    ...given,
  };
  const origins = Object.fromEntries(Object.keys(config).map((key) => [key, `SERVICE_${key}`])) as never;
  return createApp({ config, origins, workingDirectory: folder, role, logger: recordingLogger(log) });
}

describe('a reference to the password of the database', () => {
  it.each([
    ['sesame', {}, 'must name a source and a secret there'],
    ['cupboard:muster', {}, 'no plugin provides a source of secrets called cupboard; there are'],
    ['file:../muster', {}, 'leads out of its folder'],
    ['vessel:muster', { DATABASE_PASSWORD: FIRST }, 'DATABASE_PASSWORD in SERVICE_DATABASE_PASSWORD is set too'],
  ])('that cannot be one stops the program: %s', async (reference, others, said) => {
    const refused = await appOf({ DATABASE_URL: 'memory:', DATABASE_PASSWORD_FROM: reference, ...others }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('bad value of DATABASE_PASSWORD_FROM in SERVICE_DATABASE_PASSWORD_FROM'),
    });
    expect(refused).toMatchObject({ message: expect.stringContaining(said) });
    expect(inspect(refused, { depth: 9 })).not.toContain(FIRST);
  });

  it('is asked for each connection, and once read, the store goes on while its source is silent', async () => {
    const secrets = { problem: () => undefined, read: vi.fn(async () => FIRST) };
    let password: (() => Promise<string>) | undefined;
    const driver: StoreDriver = {
      ...{ schemes: ['shelf'], addresses: 'shelf:', isShared: true, files: () => [] },
      async open(_address, settings) {
        password = settings.password;
        return { storage: { start: async () => undefined } as never };
      },
    };
    const stores = new Stores([driver], secrets);
    const config = { ...configSchema.parse({}), DATABASE_URL: 'shelf:1', DATABASE_PASSWORD_FROM: 'vessel:muster' };
    const open = (address: string) =>
      stores.open(address, { config, workingDirectory: folder }, recordingLogger(log), { now: () => new Date() });
    await open('shelf:2');
    expect(password).toBeUndefined();

    secrets.read.mockRejectedValueOnce(new AppError('failed', 'the secret vessel:muster cannot be read: it is shut'));
    const { storage } = await open('shelf:1');
    await expect(storage.start()).rejects.toMatchObject({
      code: 'failed',
      message:
        'DATABASE_PASSWORD_FROM: the secret vessel:muster cannot be read: it is shut. See that its source answers and has it, or set DATABASE_PASSWORD instead.',
    });
    await storage.start();
    secrets.read.mockResolvedValueOnce(SECOND);
    expect(await password?.()).toBe(SECOND);
    secrets.read.mockRejectedValueOnce(new AppError('failed', 'it is shut'));
    expect(await password?.()).toBe(SECOND);
    expect(log.map(({ message }) => message)).toEqual([expect.stringContaining('DATABASE_PASSWORD_FROM')]);
    secrets.read.mockReturnValueOnce(new Promise(() => undefined));
    expect(await password?.()).toBe(SECOND);
    expect(await password?.()).toBe(FIRST);
  });
});

describe.skipIf(!hasPostgresql)('the password of a PostgreSQL database that is kept elsewhere', () => {
  const role = `kept${randomUUID().slice(0, 8)}`;
  let owner: string | undefined;

  afterAll(async () => {
    if (owner === undefined) return;
    await dropSchema(owner);
    await withRaw(owner, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
  });

  async function passwordIs(secret: string): Promise<void> {
    await withRaw(owner ?? '', async (client) => {
      await client.query(`ALTER ROLE ${role} PASSWORD '${secret}'`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
    });
  }

  it('opens it for the service and its threads, is read again once it was changed, and shows nowhere', async () => {
    owner = await freshUrl();
    await withRaw(owner, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${FIRST}'`);
      await client.query(`GRANT CREATE ON DATABASE muster TO ${role}; GRANT USAGE ON SCHEMA extensions TO ${role}`);
    });
    const address = new URL(owner);
    address.username = role;
    // The one in the address loses.
    address.password = 'wrong';
    const config = { DATABASE_URL: address.href, DATABASE_PASSWORD_FROM: 'vessel:database' };

    const start = async (): Promise<unknown> => (await appOf(config)).start();
    const refused = await start().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/^DATABASE_PASSWORD_FROM: the secret vessel:database cannot be read: /),
    });

    await writeFile(join(folder, 'database'), FIRST);
    const app = await appOf(config, 'server');
    const shown: unknown[] = [refused];
    try {
      await app.start();
      const call = (operation: unknown, value: unknown = {}): Promise<unknown> =>
        app.executor.value(operation as never, { kind: 'value', value }, OPERATOR);
      const inventory = async (): Promise<string> => {
        const given = { kind: 'value', value: { provider: 'ansible' } } as const;
        const { body } = await app.executor.stream(renderInventory as never, given, OPERATOR);
        const pieces: Buffer[] = [];
        for await (const piece of body) pieces.push(Buffer.from(piece));
        return Buffer.concat(pieces).toString();
      };
      await call(addAccount, { name: 'mine', type: 'api' });
      await call(saveHost, { hostname: 'web01', account: 'mine', labels: {} });
      expect(await inventory()).toContain('web01');

      await writeFile(join(folder, 'database'), SECOND);
      await passwordIs(SECOND);
      await call(saveHost, { hostname: 'web02', account: 'mine', labels: {} });
      expect(await inventory()).toContain('web02');

      await rm(join(folder, 'database'));
      await passwordIs(SECOND);
      await call(saveHost, { hostname: 'web03', account: 'mine', labels: {} });
      expect(log.map(({ message }) => message)).toContainEqual(expect.stringContaining('is tried'));
      const { findings } = (await call(runDoctor)) as { findings: readonly unknown[] };
      expect(findings).toContainEqual({
        check: 'DATABASE_PASSWORD_FROM',
        ok: false,
        message: expect.stringContaining('the secret vessel:database cannot be read'),
      });
      shown.push(findings, await call(showConfig), await call(supportBundle));
    } finally {
      await app.stop();
    }

    await writeFile(join(folder, 'database'), 'wrong-too');
    shown.push(await start().catch((error: unknown) => error));
    expect(shown.at(-1)).toMatchObject({ message: expect.stringContaining('refused the credentials') });
    const everything = inspect([shown, log], { depth: 12, maxStringLength: null, maxArrayLength: null });
    for (const secret of [FIRST, SECOND, 'wrong-too']) expect(everything).not.toContain(secret);
    expect(everything).toContain('vessel:database');
  });
});
