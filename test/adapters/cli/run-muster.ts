import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { createApp } from '../../../src/main/compose.ts';
import { loadConfig } from '../../../src/main/config/load.ts';
import type { PlaybookRunner, Storage } from '../../../src/ports/index.ts';
import { type FakeTerminalOptions, fakeTerminal } from './fake-terminal.ts';

interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunMusterOptions extends FakeTerminalOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly inventoryProvider?: string;
  readonly inventoryHost?: string;
  readonly inventoryHosts?: string;
  readonly playbookRunner?: PlaybookRunner;
}

export interface MusterHarness {
  /** Runs one command line in this process; all runs of a harness share one storage. */
  run(args: readonly string[], options?: RunMusterOptions): Promise<RunResult>;
  /** The standard output of a run that must succeed, as JSON. */
  json<T>(args: readonly string[], options?: RunMusterOptions): Promise<T>;
  readonly directory: string;
  /** Of all runs, for what no command may write. */
  readonly storage: Storage;
  close(): Promise<void>;
}

const VERSION = '0.0.0-test';

/** `storage` is started already, and closed by whoever made it. */
export async function musterHarness(given?: Storage): Promise<MusterHarness> {
  const directory = await mkdtemp(join(tmpdir(), 'muster-cli-'));
  const storage = given ?? memoryStorage()({ clock: systemClock });
  if (given === undefined) await storage.start();

  async function run(args: readonly string[], options: RunMusterOptions = {}): Promise<RunResult> {
    const fake = fakeTerminal({ workingDirectory: directory, ...options });
    const { playbookRunner } = options;
    const runner = playbookRunner === undefined ? {} : { playbookRunner };
    const environment = { SERVICE_DATABASE_URL: 'memory:', SERVICE_CMDB_MODE: '1', ...options.environment };
    const exitCode = await runCli(args, fake.terminal, {
      version: VERSION,
      async open({ flags, role }) {
        const { config, origins } = await loadConfig({ environment, workingDirectory: directory, flags });
        const app = await createApp({ config, origins, workingDirectory: directory, role, storage, ...runner });
        await app.start();
        const { inventoryProvider, inventoryHost, inventoryHosts } = options;
        return { ...app, inventoryProvider, inventoryHost, inventoryHosts };
      },
    });
    return { exitCode, stdout: fake.stdout(), stderr: fake.stderr() };
  }

  return {
    run,
    async json(args, options) {
      const result = await run([...args, '--json'], options);
      if (result.exitCode !== 0) throw new Error(`muster ${args.join(' ')} failed: ${result.stderr}`);
      return JSON.parse(result.stdout);
    },
    directory,
    storage,
    async close() {
      if (given === undefined) await storage.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
