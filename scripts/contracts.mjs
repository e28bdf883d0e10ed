#!/usr/bin/env node
// Runs the storage contract over every store and prints one table: which ports, how many tests, how many of them fail or
// are skipped. The same suite runs everywhere, so every column must show the same numbers.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePostgresql } from './postgresql.mjs';
import { capture, root } from './report.mjs';

const tested = ['memory', 'sqlite', 'mongodb', ...((await preparePostgresql()()) ? ['postgresql'] : [])];
const folder = await mkdtemp(join(tmpdir(), 'muster-contracts-'));
const report = join(folder, 'report.json');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { output } = await capture(process.execPath, [
  vitest,
  'run',
  ...tested.map((store) => `test/adapters/${store}/`),
  ...['-t', 'storage contract|two storages over'],
  ...['--reporter=json', `--outputFile=${report}`],
]);

let files;
try {
  files = JSON.parse(await readFile(report, 'utf8')).testResults;
} catch {
  console.error(output);
  process.exit(1);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A store may have its suite in a group of its own. */
const suite = /^(.*): (storage contract|two storages over the same data)$/;
const suites = new Map();
for (const { assertionResults } of files) {
  for (const { ancestorTitles, status } of assertionResults) {
    const place = ancestorTitles.findIndex((title) => suite.test(title));
    const found = suite.exec(ancestorTitles[place] ?? '');
    if (!found) continue;
    const port = found[2] === 'storage contract' ? (ancestorTitles[place + 1] ?? 'Storage') : 'two storages';
    const stores = suites.get(port) ?? new Map();
    suites.set(port, stores);
    const counts = stores.get(found[1]) ?? { passed: 0, failed: 0, skipped: 0 };
    stores.set(found[1], counts);
    counts[status === 'passed' || status === 'failed' ? status : 'skipped'] += 1;
  }
}

const stores = [...new Set([...suites.values()].flatMap((row) => [...row.keys()]))].sort();
const cell = (counts) =>
  counts === undefined
    ? '–'
    : [`${counts.passed}`, counts.failed && `${counts.failed} failed`, counts.skipped && `${counts.skipped} skipped`]
        .filter(Boolean)
        .join(', ');
const rows = [...suites].map(([port, row]) => [port, ...stores.map((store) => cell(row.get(store)))]);
const totals = stores.map((store) => {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const row of suites.values()) {
    for (const name of Object.keys(sum)) sum[name] += row.get(store)?.[name] ?? 0;
  }
  return cell(sum);
});
const table = [['port', ...stores], ...rows, ['all', ...totals]];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
for (const row of table)
  console.log(
    row
      .map((text, column) => text.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );

const failed = [...suites.values()].some((row) => [...row.values()].some((counts) => counts.failed || counts.skipped));
const same = [...suites]
  .filter(([port]) => port !== 'two storages')
  .every(
    ([, row]) => row.size === stores.length && new Set([...row.values()].map((counts) => counts.passed)).size === 1,
  );
if (failed || !same) {
  console.error('\nThe stores do not pass the same tests.');
  if (failed) console.error(output);
  process.exit(1);
}
