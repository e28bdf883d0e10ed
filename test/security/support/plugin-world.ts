import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import { addUser } from '../../../src/app/users/operations/add-user.ts';
import { createApp } from '../../../src/main/compose.ts';
import { PLUGIN_API_VERSION } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { fakeTerminal } from '../../adapters/cli/fake-terminal.ts';
import { OperationsApp, PASSWORD } from '../../app/operations/operations-app.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One store, and a folder of plugins, with programs over them that are configured differently. */
export class PluginWorld {
  readonly opened: OpenedStorage;
  readonly folder: string;
  readonly log: LoggedLine[] = [];
  readonly #programs: OperationsApp[] = [];
  readonly #https: FastifyInstance[] = [];

  private constructor(opened: OpenedStorage, folder: string) {
    this.opened = opened;
    this.folder = folder;
  }

  static async create(create: () => Promise<OpenedStorage>): Promise<PluginWorld> {
    return new PluginWorld(await create(), await mkdtemp(join(tmpdir(), 'muster-plugins-')));
  }

  /** Writes a module and answers its path, for PLUGINS. */
  async module(name: string, source: string): Promise<string> {
    const path = join(this.folder, `${name}.mjs`);
    await writeFile(path, source);
    return path;
  }

  async program(config: Partial<Config> = {}): Promise<OperationsApp> {
    const settings = { PLUGIN_TIMEOUT_SECONDS: 1, ...config };
    const program = await OperationsApp.over(this.opened.storage, settings, recordingLogger(this.log));
    this.#programs.push(program);
    return program;
  }

  /** The HTTP interface of a program, as its user `root` who may do everything. */
  async http(
    program: OperationsApp,
  ): Promise<(url: string, body?: unknown) => Promise<{ status: number; body: string }>> {
    await program.run(addUser, { name: 'root', password: PASSWORD, roles: ['all'] }).catch(() => undefined);
    const { services, executor } = program.app;
    const app = buildHttpApp({ version: '0.0.0' }, { services, executor, mounts: [] });
    this.#https.push(app);
    const authorization = `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}`;
    return async (url, body) => {
      const text = typeof body === 'string';
      const response = await app.inject({
        method: body === undefined ? 'GET' : 'POST',
        url,
        headers: { authorization, ...(text ? { 'content-type': 'text/plain' } : {}) },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return { status: response.statusCode, body: response.body };
    };
  }

  /** Runs one command over the same store. */
  async command(args: readonly string[], given: Partial<Config> = {}, stdin?: string): Promise<Ran> {
    const config: Config = {
      ...configSchema.parse({ INSTANCE_KEY: '11'.repeat(32) }),
      PLUGIN_TIMEOUT_SECONDS: 1,
      ...given,
    };
    const origins = Object.fromEntries(Object.keys(config).map((key) => [key, 'default'])) as never;
    const fake = fakeTerminal({ workingDirectory: this.folder, ...(stdin === undefined ? {} : { stdin }) });
    const exitCode = await runCli(args, fake.terminal, {
      version: '0.0.0',
      open: async () => {
        const app = await createApp({
          config,
          origins,
          workingDirectory: this.folder,
          role: 'command',
          storage: this.opened.storage,
        });
        await app.start();
        return { ...app, inventoryProvider: undefined, inventoryHost: undefined, inventoryHosts: undefined };
      },
    });
    return { exitCode, stdout: fake.stdout(), stderr: fake.stderr() };
  }

  async close(): Promise<void> {
    for (const app of this.#https) await app.close();
    for (const program of this.#programs) await program.stop();
    await this.opened.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A plugin whose rule type `guard` takes every host out that its rule names, and otherwise does what `action` says. */
export function guardPlugin(
  action = 'if (host.hostname === document.hide) host.filter.ignoreHost(); else host.filter.add(ALL);',
  more = '',
): string {
  return `
const ALL = { on: 'name', text: '', prefix: true, show: true };
export default {
  id: 'guard-plugin',
  apiVersion: ${PLUGIN_API_VERSION},
  register(host) {
    host.ruleType({
      id: 'guard',
      aliases: [],
      title: 'Guard',
      description: 'Hides hosts.',
      keyedBy: 'name',
      uniqueNames: true,
      conditional: true,
      exportGroup: 'rules',
      secretMembers: [],
      schema: { type: 'object' },
      check: () => [],
      evaluation: { stage: 'filter', compile: (document) => (host) => { ${action} } },
    });
  },
  ${more}
};`;
}

export const guardRule = (hide: string, more: object = {}) => ({
  name: `hide ${hide}`,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [],
  hide,
  ...more,
});
