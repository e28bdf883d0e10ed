import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { flatLabels } from '../../src/kit/records/flat-labels.ts';
import type { JsonObject } from '../../src/ports/index.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { readPage } from '../docs/support/markdown.ts';
import { exportedDocuments } from '../oracle/fixtures.ts';

/** What the recording set in labels of imported hosts by itself. */
const SET_LATER = new Set(['patched', 'monitored']);

let folder: string;
let muster: OperationsApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-moved-sources-'));
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  muster = await OperationsApp.over(storage);
});
afterEach(async () => {
  await muster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Records of several racks have this name; the page on migration tells which of them counts. */
const SEVERAL = 'PP:MDF';

/** The files that the recorded imports read, see test/oracle/oracle.mjs. */
async function sourceText(file: string): Promise<string> {
  switch (file) {
    case 'all-nodes.csv':
      return readFile('sample/wikimedia-nodes.csv', 'utf8');
    case 'all-devices.json': {
      const { results } = JSON.parse(await readFile('src/plugins/json/fixtures/netbox-devices.json', 'utf8')) as {
        results: { name: string | null }[];
      };
      return JSON.stringify({ results: results.filter(({ name }) => name !== null) });
    }
    default:
      return JSON.stringify([
        { host: 'pair', names: ['pair-a.example.net', 'pair-b.example.net'], site: 'codfw' },
        { host: 'one', names: 'one.example.net' },
        { host: 'none', names: [] },
      ]);
  }
}

it.each([
  ['thousand/export.jsonl.gz', 'nodes', 'all-nodes.csv', 964],
  ['thousand/export.jsonl.gz', 'devices', 'all-devices.json', 48],
  ['everything/export.jsonl', 'pairs', 'pairs.json', 3],
] as const)(
  'of %s, the account %s imports the hosts and labels that it imported there',
  async (exported, name, file, count) => {
    const documents = exportedDocuments(exported);
    const found = documents.get('accounts')?.find((document) => document.name === name) as JsonObject;
    const { password_crypted: _, ...account } = found;
    const path = join(folder, file);
    await writeFile(path, await sourceText(file));
    const custom_fields = (account.custom_fields as JsonObject[]).map((field) =>
      field.name === 'path' ? { ...field, value: path } : field,
    );
    await muster.run(importRules, { rules: { accounts: [{ ...account, custom_fields }] } });
    const report = await muster.run(importAccount, { account: name });
    expect(report).toMatchObject({ summary: { created: count, failed: 0, conflicts: 0 } });

    const theirs = (documents.get('host_objects') ?? []).filter(
      ({ source_account_name, hostname }) => source_account_name === name && !/^typed-/.test(String(hostname)),
    );
    const hostnames = theirs.map(({ hostname }) => String(hostname));
    const ours = await muster.storage.hosts.findEach(hostnames);
    expect(theirs).toHaveLength(count);
    for (const [index, { hostname, labels }] of theirs.entries()) {
      const then = Object.entries(flatLabels(labels as JsonObject)).filter(([key]) => !SET_LATER.has(key));
      if (hostname === SEVERAL) {
        expect(readPage('docs/migration.md')).toContain('- **If several records have one name, the first counts,**');
        expect(ours[index]?.labels.value).not.toEqual(Object.fromEntries(then));
      } else
        expect({ hostname, labels: ours[index]?.labels.value }).toEqual({ hostname, labels: Object.fromEntries(then) });
    }
  },
);
