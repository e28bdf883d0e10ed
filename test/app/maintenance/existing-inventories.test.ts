import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { compareInventory } from '../../../src/app/migration/operations/compare-inventory.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { readPage } from '../../docs/support/markdown.ts';
import { exportedDocuments, fixtureJson, fixtureText } from '../../oracle/fixtures.ts';
import { STORES, THOROUGH_STORES } from '../../security/support/two-stores.ts';
import { OperationsApp } from '../operations/operations-app.ts';

/** When the inventories were recorded. */
const THEN = new Date('2026-11-02T10:30:00Z');

/** Differences that the page on migration tells, by the words in bold there. */
interface Known {
  readonly inventory: string;
  readonly variables: RegExp;
  readonly hosts?: RegExp;
  readonly count: number;
  readonly why: string;
}

const EMPTY = 'A filter line with a whole name';
const RENAMED = 'A renamed attribute is gone at once.';
const NUMBERS = 'Numbers are those of JSON:';

/** A thousand hosts, and hosts that have a value of each type, with rules of every kind; which are which: see test/oracle/python. */
const THOUSAND: readonly Known[] = [
  { inventory: 'network', variables: /^serial$/, count: 48, why: EMPTY },
  { inventory: 'operators', variables: /^bool_/, count: 64, why: '`bool` knows what is false,' },
  { inventory: 'operators', variables: /^(in_list_\d.*|number_in_list)$/, count: 11, why: '`in_list` finds numbers' },
  { inventory: 'operators', variables: /^template_.*_3$/, count: 26, why: 'A condition compares with nothing' },
  { inventory: 'operators', variables: /^(equal|in|ewith)_/, hosts: /^typed-16/, count: 6, why: NUMBERS },
  {
    inventory: 'operators',
    variables: /^(equal|in|not_in|ewith)_/,
    hosts: /^typed-18/,
    count: 8,
    why: 'Upper and lower case',
  },
  {
    inventory: 'operators',
    variables: /^(equal|in|not_in|swith|ewith|regex)_/,
    hosts: /^typed-(08|09|10|17)/,
    count: 52,
    why: 'Lists are compared by their elements, and objects not at all.',
  },
  { inventory: 'rewriting', variables: /^last$/, count: 24, why: RENAMED },
  { inventory: 'rewriting', variables: /^site_up$/, count: 2, why: 'A rewrite keeps every value:' },
  { inventory: 'showing', variables: /^(truth|list|text|facts__uptime)$/, count: 11, why: EMPTY },
  { inventory: 'texts', variables: /^t_4[05]$/, count: 48, why: 'Line breaks in texts of rules stay.' },
  { inventory: 'texts', variables: /^t_/, hosts: /^typed-16/, count: 4, why: NUMBERS },
  { inventory: 'decided', variables: /^second$/, count: 24, why: 'Custom attributes see each other' },
  { inventory: 'decided', variables: /^again$/, count: 24, why: RENAMED },
  { inventory: 'decided', variables: /^(truth|any)$/, count: 13, why: EMPTY },
  { inventory: 'decided', variables: /^site/, count: 36, why: 'Nested labels are objects where a rule names them,' },
];

const EVERYTHING: readonly Known[] = [
  { inventory: 'ansible', variables: /^empty$/, count: 1, why: EMPTY },
  { inventory: 'ansible', variables: /^hit_17$/, count: 1, why: 'Dotted names reach into objects' },
  { inventory: 'ages', variables: /^from$/, count: 1, why: '`syncer_account` is the account of the host' },
  { inventory: 'bare', variables: /^/, count: 2367, why: 'A project without a filter rule shows everything.' },
  {
    inventory: 'cmk_sites',
    variables: /^(ansible_user|cmk_secret|server_user|cmk_server_address|webserver_certificate_.*)$/,
    count: 6,
    why: 'Sites of a monitoring',
  },
];

const WORLDS = [
  {
    world: 'thousand',
    exported: 'thousand/export.jsonl.gz',
    file: (inventory: string) => `thousand/${inventory}.json.gz`,
    inventories: {
      ...{ ansible: 1017, network: 48, ages: 1036, lists: 1136 },
      ...{ operators: 24, names: 24, rewriting: 24, showing: 22, texts: 24, decided: 24 },
    },
    known: THOUSAND,
    config: { CMDB_MODE: true },
  },
  {
    world: 'everything',
    exported: 'everything/export.jsonl',
    file: (inventory: string) => `everything/inventories/${inventory}.json`,
    inventories: { ansible: 107, ages: 110, lists: 114, bare: 110, strict: 110, cmk_sites: 3 },
    known: EVERYTHING,
    config: { CMDB_MODE: true, INVENTORY_MERGE_ATTRIBUTES: ['contact'] },
  },
] as const;

async function moved(
  create: () => Promise<OpenedStorage>,
  exported: string,
  config: Partial<Config>,
): Promise<{ muster: OperationsApp; close: () => Promise<void> }> {
  const opened = await create();
  const muster = await OperationsApp.over(opened.storage, config, undefined, undefined, { now: () => THEN });
  await muster.run(importRules, { text: fixtureText(exported) });
  const close = async () => {
    await muster.stop();
    await opened.close();
  };
  return { muster, close };
}

describe.each(THOROUGH_STORES)('%s', (_store, create) => {
  describe.each(WORLDS)('an installation that moved in: $world', ({ exported, file, inventories, known, config }) => {
    let muster: OperationsApp;
    let close = async () => {};

    beforeAll(async () => {
      ({ muster, close } = await moved(create, exported, {
        ...config,
        INVENTORY_MERGE_ATTRIBUTES: [
          ...('INVENTORY_MERGE_ATTRIBUTES' in config ? config.INVENTORY_MERGE_ATTRIBUTES : []),
        ],
      }));
    }, 60_000);
    afterAll(() => close());

    it.each(Object.entries(inventories))(
      'serves the inventory %s as before, but for what the page tells',
      async (inventory, hosts) => {
        const theirs = fixtureText(file(inventory));
        const report = await muster.run(compareInventory, { provider: inventory, theirs, examples: 1000 });
        expect(report.hosts).toMatchObject({ theirs: hosts, ours: hosts });
        const rows = known.filter((row) => row.inventory === inventory);
        const counts = new Map(rows.map((row) => [row, 0]));
        for (const { variable, count, examples } of report.groups) {
          expect(examples).toHaveLength(count);
          for (const { hostname, ...values } of examples) {
            const row = rows.find((one) => one.variables.test(variable ?? '') && (one.hosts ?? /^/).test(hostname));
            expect(row, `${hostname}: ${variable} ${JSON.stringify(values)}`).toBeDefined();
            if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1);
          }
        }
        for (const [row, count] of counts) expect(`${row.variables}: ${count}`).toBe(`${row.variables}: ${row.count}`);
      },
    );
  });
});

/** What the page on migration says in bold, a line for each difference. */
function told(): readonly string[] {
  const [, section = ''] = readPage('docs/migration.md').split('## What is different');
  return [...section.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, title = '']) => title);
}

it('the page on migration tells every difference that is known', () => {
  for (const { why } of [...THOUSAND, ...EVERYTHING]) expect(told()).toContain(why);
});

describe('rules that fire', () => {
  it('match what they matched, and more by what only rules and inventories know', async () => {
    const [, create] = STORES[0] as (typeof STORES)[number];
    const { muster, close } = await moved(create, 'thousand/export.jsonl.gz', {});
    const program = await muster.app.services.evaluators.preview(null);
    const names = (exportedDocuments('thousand/export.jsonl.gz').get('host_objects') ?? []).map(({ hostname }) =>
      String(hostname),
    );
    const ours: string[] = [];
    for (const host of await muster.storage.hosts.findEach([...names, 'row.example.net'])) {
      if (host === undefined) continue;
      for (const { ruleName, wishes } of program.playbooks(host).hits) {
        for (const { playbook } of wishes) ours.push(`${ruleName} → ${playbook} at ${host.hostname}`);
      }
    }
    await close();
    const theirs = (fixtureJson('thousand/fires.json.gz') as [string, string, string][]).map(
      ([rule, host, playbook]) => `${rule} → ${playbook} at ${host}`,
    );
    expect(theirs.filter((fired) => !ours.includes(fired))).toEqual([
      'firing: from a list → setup.yml at row.example.net',
    ]);
    const more = ours.filter((fired) => !theirs.includes(fired)).map((fired) => fired.replace(/ → .*/, ''));
    expect([...new Set(more)].sort()).toEqual([
      'firing: by a rule',
      'firing: by a section',
      'firing: by a template',
      // A run of it fails and says so.
      'firing: no playbook of that name',
    ]);
    expect(told()).toContain('Rules that fire see every attribute,');
  });
});
