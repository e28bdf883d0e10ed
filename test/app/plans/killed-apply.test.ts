import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/index.ts';
import { dropDatabase, freshUrl } from '../../adapters/mongodb/harness.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { DeviceRegistry } from '../../support/device-registry.ts';

// The program as people run it, from dist/, killed in the midst of applying plans.

const PROGRAM = join(ROOT, 'bin/muster');
/** An export of a round makes and deletes a quarter of them, and changes the others: as many calls, and one that makes many. */
const COUNT = 60;
const PASSING = COUNT / 4;
const TIMES = process.env.THOROUGH === '1' ? 50 : 1;

const sqlite = ['SQLite', async (folder: string) => `sqlite:${join(folder, 'muster.db')}`] as const;
const mongodb = ['MongoDB', () => freshUrl()] as const;

describe.each(process.env.THOROUGH === '1' ? [sqlite, mongodb] : [sqlite])('%s: a killed export', (_, urlOf) => {
  let folder: string;
  let url: string;
  let registry: DeviceRegistry;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-killed-apply-'));
    url = await urlOf(folder);
    registry = await new DeviceRegistry().start();
    await muster('account', 'add', 'red', '--type', 'csv', '--set', 'path=hosts.csv');
    const archive = ['delete_host_if_not_found_on_import=true', 'delete_threshold_percent=100'];
    await muster('account', 'set', 'red', ...archive.flatMap((option) => ['--set', option]));
    const set = [`url=${registry.url}`, 'delete_threshold=100%'].flatMap((option) => ['--set', option]);
    await muster('account', 'add', 'out', '--type', 'device-registry', ...set, '--password-stdin');
  }, 60_000);
  afterAll(async () => {
    await registry.stop();
    if (url.startsWith('mongodb')) await dropDatabase(url);
    await rm(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: process.env.PATH,
    SERVICE_DATABASE_URL: url,
    SERVICE_PLUGINS: join(ROOT, 'examples/plugins/device-registry'),
  });

  async function muster(...args: readonly string[]): Promise<string> {
    const running = promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: folder, env: environment() });
    running.child.stdin?.end('sesame\n');
    return (await running).stdout;
  }

  const exported = async (): Promise<JsonObject> => JSON.parse(await muster('export', 'out', '--json'));

  async function importHosts(round: number): Promise<void> {
    const rows = Array.from({ length: COUNT }, (_row, n) => `h${n + (round % 3) * PASSING},s${n % 4},os${round}`);
    await writeFile(join(folder, 'hosts.csv'), ['host,site,os', ...rows, ''].join('\n'));
    await muster('import', 'red');
  }

  it(
    `comes to the same end when it is run again, killed at moments: ${TIMES}`,
    async () => {
      const foreign = registry.put('devices', { name: 'h1', owner: 'somebody' });
      const text = JSON.stringify(foreign);
      const moments: number[] = [];
      let killed = 0;
      for (let round = 0; round < TIMES; round++) {
        await importHosts(round);
        registry.delay = 5;
        registry.writes.length = 0;
        const child = spawn(process.execPath, [PROGRAM, 'export', 'out'], {
          cwd: folder,
          env: environment(),
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        const moment = Math.floor(Math.random() * (round === 0 ? 5 : COUNT));
        while (child.exitCode === null && registry.writes.length <= moment) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
        child.kill('SIGKILL');
        await ended;
        if (child.signalCode === 'SIGKILL') killed++;
        moments.push(registry.writes.length);
        registry.delay = 0;
        // Who died on this machine holds the account no longer.
        const report = await exported().catch((error: { stdout: string }) => JSON.parse(error.stdout));
        const wanted = Array.from({ length: COUNT }, (_row, n) => `h${n + (round % 3) * PASSING}`);
        const names = registry.names('devices');
        expect(names, `round ${round}: ${JSON.stringify(report)}`).toEqual([...new Set([...wanted, 'h1'])].sort());
        expect(JSON.stringify(registry.devices.get(foreign.id))).toBe(text);
        registry.writes.length = 0;
        const last = await exported().catch((error: { stdout: string }) => JSON.parse(error.stdout));
        expect(registry.writes).toEqual([]);
        expect(last).toMatchObject({ written: 0 });
      }
      expect(Math.max(...moments), `killed after ${moments} writing calls`).toBeGreaterThan(0);
      expect(killed, 'most of them died over it').toBeGreaterThan(TIMES / 2);
    },
    60_000 + TIMES * 20_000,
  );
});
