import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-files.ts';

// The suites that authors of plugins are given must notice what is wrong: each mutant in `mutants.fixture.ts` has to fail in one of them.

const execute = promisify(execFile);

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[];
  }[];
}

let folder: string;
/** Statuses of the tests of each mutant, by kind and name. */
const outcomes = new Map<string, string[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-mutants-'));
  const file = join(folder, 'report.json');
  const args = [
    'run',
    '--config',
    join(ROOT, 'test/testing-kit/vitest.config.ts'),
    '--reporter=json',
    `--outputFile=${file}`,
  ];
  // It fails, because most of what it runs is wrong.
  await execute(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: ROOT }).catch(
    () => undefined,
  );
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  for (const { assertionResults } of report.testResults) {
    for (const { ancestorTitles, status } of assertionResults) {
      const [mutant = ''] = ancestorTitles;
      outcomes.set(mutant, [...(outcomes.get(mutant) ?? []), status]);
    }
  }
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the testing kit', () => {
  it('has mutants of each kind', () => {
    const kinds = new Set([...outcomes.keys()].map((mutant) => mutant.split('/')[0]));
    expect([...kinds].sort()).toEqual([
      'action',
      'condition operator',
      'inventory provider',
      'job',
      'record processor',
      'template filter',
    ]);
  });

  it('finds nothing wrong in what is right', () => {
    const right = [...outcomes].filter(([mutant]) => mutant.endsWith('/right'));
    expect(right.length).toBe(6);
    for (const [mutant, statuses] of right) expect([mutant, new Set(statuses)]).toEqual([mutant, new Set(['passed'])]);
  });

  it('notices every mutant', () => {
    const unnoticed = [...outcomes].filter(
      ([mutant, statuses]) => !mutant.endsWith('/right') && !statuses.includes('failed'),
    );
    expect(unnoticed.map(([mutant]) => mutant)).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(25);
  });
});
