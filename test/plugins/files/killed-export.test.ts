import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/index.ts';
import { ROOT } from '../../architecture/source-files.ts';

// The program as people run it, from dist/, killed in the midst of writing files.

const PROGRAM = join(ROOT, 'bin/muster');
const THOROUGH = process.env.THOROUGH === '1';
const TIMES = THOROUGH ? 50 : 1;
const COUNT = THOROUGH ? 3_000 : 600;
const SITES = 30;

interface Row {
  readonly hostname: string;
  readonly variables: { readonly os: string };
}

/** One file whole, and one for each site of which a third is another one in the next round. */
const ONE = { name: 'one', type: 'json_file', set: ['path=out/one.json', 'format=json'] } as const;
const MANY = { name: 'many', type: 'files', set: ['path=out/sites/{{ site }}.json', 'shape=json'] } as const;
const ACCOUNTS = THOROUGH ? [MANY, ONE] : [MANY];

describe('an export into files that is killed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-killed-export-'));
    await mkdir(join(folder, 'out/sites'), { recursive: true });
    await muster('account', 'add', 'red', '--type', 'csv', '--set', 'path=hosts.csv');
    for (const { name, type, set } of ACCOUNTS) {
      await muster('account', 'add', name, '--type', type, ...set.flatMap((option) => ['--set', option]));
    }
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const environment = { PATH: process.env.PATH };

  async function muster(...args: readonly string[]): Promise<string> {
    const running = promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: folder, env: environment });
    running.child.stdin?.end();
    return (await running).stdout;
  }

  const siteOf = (n: number, round: number): number => (n % SITES) + (n % 3 === 0 ? (round % 2) * SITES : 0);

  async function importHosts(round: number): Promise<void> {
    const filling = 'x'.repeat(500);
    const rows = Array.from({ length: COUNT }, (_row, n) => `h${n},s${siteOf(n, round)},os${round},${filling}`);
    await writeFile(join(folder, 'hosts.csv'), ['host,site,os,filling', ...rows, ''].join('\n'));
    await muster('import', 'red');
  }

  /** What readers see: every file whole, and of one export. */
  async function expectWhole(rounds: readonly number[]): Promise<Map<string, number>> {
    const seen = new Map<string, number>();
    for (const below of ['out', 'out/sites']) {
      for (const name of await readdir(join(folder, below))) {
        if (!/^[^.].*\.json$/.test(name)) continue;
        const text = await readFile(join(folder, below, name), 'utf8').catch(() => undefined);
        // Taken away between the two calls.
        if (text === undefined) continue;
        const systems = new Set((JSON.parse(text) as readonly Row[]).map(({ variables }) => variables.os));
        expect(systems.size, `${below}/${name}`).toBe(1);
        const [system = ''] = systems;
        expect(rounds.map((round) => `os${round}`)).toContain(system);
        seen.set(`${below}/${name}`, Number(system.slice(2)));
      }
    }
    return seen;
  }

  /** Whether it has begun to write: what is not whole has a name of its own. */
  async function hasBegun(): Promise<boolean> {
    const names = [...(await readdir(join(folder, 'out'))), ...(await readdir(join(folder, 'out/sites')))];
    return names.some((name) => /\.(?:part|tmp)$/.test(name));
  }

  async function takeAwayTemporary(): Promise<void> {
    for (const below of ['out', 'out/sites']) {
      for (const name of await readdir(join(folder, below))) {
        if (/\.(?:part|tmp)$/.test(name)) await rm(join(folder, below, name));
      }
    }
  }

  async function killAtSomeMoment(child: ChildProcess, round: number): Promise<void> {
    while (child.exitCode === null && !(await hasBegun())) await new Promise((resolve) => setTimeout(resolve, 1));
    // Half of them die as soon as the first file has taken its place.
    if (round % 4 < 2) {
      const folders = ['out', 'out/sites'].map((below) => watch(join(folder, below)));
      const placed = folders.map((watched) => {
        return new Promise<void>((resolve) => {
          watched.on('change', (_event, name) => {
            if (/^[^.].*\.json$/.test(String(name))) resolve();
          });
        });
      });
      await Promise.race([...placed, once(child, 'exit')]);
      child.kill('SIGKILL');
      for (const watched of folders) watched.close();
      return;
    }
    const until = performance.now() + Math.random() * (THOROUGH ? 150 : 60);
    // Others read meanwhile.
    do {
      await expectWhole([round - 1, round]);
    } while (child.exitCode === null && performance.now() < until);
    child.kill('SIGKILL');
  }

  it(
    `leaves whole files, and the next run ends with nothing to do, killed so often: ${TIMES}`,
    async () => {
      await importHosts(0);
      for (const { name } of ACCOUNTS) await muster('export', name);
      let killed = 0;
      const between = new Set<string>();
      for (let round = 1; round <= TIMES; round++) {
        await importHosts(round);
        const killedName = ACCOUNTS[round % ACCOUNTS.length]?.name ?? '';
        await takeAwayTemporary();
        const options = { cwd: folder, env: environment, stdio: 'ignore' } as const;
        const child = spawn(process.execPath, [PROGRAM, 'export', killedName], options);
        const ended = once(child, 'exit');
        await killAtSomeMoment(child, round);
        await ended;
        if (child.signalCode === 'SIGKILL') killed++;
        const seen = await expectWhole([round - 1, round]);
        const rounds = new Set([...seen].filter(([file]) => file.includes('sites/')).map(([, of]) => of));
        between.add([...rounds].sort().length > 1 ? 'some' : rounds.has(round) ? 'all' : 'none');
        for (const { name } of ACCOUNTS) {
          const report: JsonObject = JSON.parse(await muster('export', name, '--json'));
          expect(report, `round ${round}`).toMatchObject({ status: 'done', failed: 0 });
          const again = JSON.parse(await muster('export', name, '--dry-run', '--json'));
          expect(again).toMatchObject({ written: 0, unchanged: COUNT });
          expect(again.documents ?? []).toEqual([]);
        }
        const files = await expectWhole([round]);
        const sites = new Set(Array.from({ length: COUNT }, (_row, n) => `out/sites/s${siteOf(n, round)}.json`));
        expect([...files.keys()].sort()).toEqual([...(THOROUGH ? ['out/one.json'] : []), ...sites].sort());
      }
      expect(killed, 'most of them died over it').toBeGreaterThan(TIMES / 3);
      if (THOROUGH) expect([...between].sort(), 'not all died before the first file').not.toEqual(['none']);
    },
    60_000 + TIMES * 60_000,
  );
});
