import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { fileSpools } from '../../../src/adapters/scratch/file-spool.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { InventoryCatalogue } from '../../../src/app/inventory/catalogue.ts';
import { KeptInventories } from '../../../src/app/inventory/kept/kept-inventories.ts';
import type { InventorySource } from '../../../src/app/inventory/kept/kept-inventory.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { renderInventory as rendered } from '../../../src/app/inventory/render.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { type ChangeFeed, type InventoryHost, type Logger, StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { red } from '../../../src/testing/samples.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { runs } from '../../support/number-of-runs.ts';
import { anyHostWrite, template } from '../hosts/any-host-write.ts';
import { OPERATOR, OperationsApp } from '../operations/operations-app.ts';

/** What is served of a kept inventory is what a process answers that has kept nothing, whatever was written in between. */

const INVENTORY = { provider: 'automation' };
const CALLERS = [OPERATOR, { ...OPERATOR, scope: [red.id] }, { ...OPERATOR, templates: [template] }];

type Step = (muster: OperationsApp) => Promise<unknown>;

const ruleWrite: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom('automation_customvars', 'automation_groups', 'automation_filter'),
    fc.boolean(),
    fc.constantFrom('1', '{{ os }}', 'role', '{{ syncer_account }}'),
  )
  .map(([rule_type, enabled, value]): Step => {
    const outcomes: Readonly<Record<string, object>> = {
      automation_groups: { group_name: `in_${value}`, parent_groups: 'top' },
      automation_filter: { action: 'whitelist_attribute', attribute_name: '*' },
      automation_customvars: { attribute_name: 'groups', attribute_value: value },
    };
    const rule = {
      name: 'one',
      enabled,
      condition_typ: 'anyway',
      conditions: [],
      outcomes: [outcomes[rule_type]],
      last_match: false,
    };
    return (muster) =>
      muster.run(importRulesOfType, { rule_type, rules: [{ ...rule, sort_field: 0 }], override: true });
  });

const steps = fc.array(
  fc.oneof(
    {
      arbitrary: anyHostWrite.map(
        (write): Step =>
          ({ storage }) =>
            write(storage),
      ),
      weight: 6,
    },
    { arbitrary: ruleWrite, weight: 1 },
    { arbitrary: fc.constant('ask' as const), weight: 4 },
  ),
  { minLength: 6, maxLength: 30 },
);

async function isAsRendered(storage: OpenedStorage['storage'], given: readonly (Step | 'ask')[]): Promise<void> {
  const muster = await OperationsApp.serving(storage);
  for (const step of given) {
    if (step !== 'ask') {
      await step(muster);
      continue;
    }
    const fresh = await OperationsApp.over(storage);
    for (const caller of CALLERS) {
      const expected = await fresh.text(renderInventory, INVENTORY, caller);
      expect(await muster.text(renderInventory, INVENTORY, caller)).toBe(expected);
    }
  }
}

async function createMemory(): Promise<OpenedStorage> {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  return { storage, close: () => storage.stop() };
}

describe.each([
  ['memory', createMemory, 30],
  ['SQLite', createSqlite, 15],
  ['MongoDB', createStorage, 4],
] as const)('a kept inventory over %s', (_name, create, numRuns) => {
  let opened: OpenedStorage;
  beforeAll(async () => {
    opened = await create();
  });
  afterAll(() => opened.close());

  it('is what is stored', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await opened.storage.transfer.clear();
        await isAsRendered(opened.storage, given);
      }),
      { numRuns: runs(numRuns) },
    );
  }, 120_000);
});

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const OPTIONS = {
  templateText: 'break',
  names: 'keep',
  ansibleLabels: 'safe',
  foreign: false,
  logger: SILENT,
  groups: [],
} as const;

/** An inventory of made hosts and a feed of what was changed. */
class Made {
  readonly hosts = new Map<string, InventoryHost>();
  readonly told: string[] = [];
  /** Names that were asked for one by one. */
  asked: string[] = [];
  revision = '1';
  isOpen = false;

  constructor(count: number) {
    for (let index = 0; index < count; index++) this.set(`web${String(index).padStart(5, '0')}`, 'a');
  }

  set(hostname: string, value: string, groups: readonly string[] = [`group_${hostname.at(-1)}`]): void {
    const variables = StoredJson.ofValue({ value, padding: 'x'.repeat(400) });
    this.hosts.set(hostname, { hostname, variables, groups });
    this.told.push(hostname);
  }

  delete(hostname: string): void {
    this.hosts.delete(hostname);
    this.told.push(hostname);
  }

  get all(): readonly InventoryHost[] {
    return [...this.hosts.values()].sort((a, b) => Buffer.compare(Buffer.from(a.hostname), Buffer.from(b.hostname)));
  }

  get source(): InventorySource {
    const hosts = async (names: readonly string[]) => {
      this.asked.push(...names);
      return names.flatMap((name) => this.hosts.get(name) ?? []);
    };
    return { parts: { revision: this.revision, hosts }, options: OPTIONS };
  }

  get feed(): ChangeFeed {
    return {
      after: async (since, limit) => {
        const from = since === 'now' ? this.told.length : Number(since);
        const entries = this.told
          .slice(from, from + limit)
          .map((hostname) => ({ hostname, current: null, changes: [] }));
        const next = `${from + entries.length}`;
        return { entries: entries as never, next, more: from + entries.length < this.told.length, isOpen: this.isOpen };
      },
    };
  }

  async *batches(): AsyncGenerator<readonly InventoryHost[]> {
    const all = this.all;
    for (let from = 0; from < all.length; from += 250) yield all.slice(from, from + 250);
  }
}

async function textOf(body: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(parts).toString();
}

/** What is answered, and whether it was kept. */
async function asked(kept: KeptInventories, made: Made): Promise<readonly [text: string, wasKept: boolean]> {
  made.asked = [];
  const found = await kept.read('key', made.source);
  const text = await textOf(found ?? kept.render('key', made.source, made.batches()));
  expect(text).toBe(await textOf(rendered(made.batches(), OPTIONS)));
  return [text, found !== undefined];
}

function keptOver(made: Made, { maxMemory = 64_000_000, maxDisk = 64_000_000, idleMilliseconds = 60_000 } = {}) {
  const open = fileSpools({ maxMemory, maxDisk });
  return new KeptInventories({ openSpool: async () => open(), feed: made.feed, logger: SILENT, idleMilliseconds });
}

describe.each([
  ['in memory', 64_000_000],
  ['on the disk', 0],
  ['partly on the disk', 600_000],
] as const)('hosts that are kept %s', (_where, maxMemory) => {
  test('are rendered anew only where they changed', async () => {
    const made = new Made(3000);
    const kept = keptOver(made, { maxMemory });
    expect((await asked(kept, made))[1]).toBe(false);
    expect((await asked(kept, made))[1]).toBe(true);
    expect(made.asked).toEqual([]);
    made.set('web00700', 'b');
    made.set('zulu', 'new', ['z']);
    made.set('alpha', 'new', []);
    made.set('büro', 'new', ['é']);
    made.delete('web00000');
    made.delete('never there');
    expect((await asked(kept, made))[1]).toBe(true);
    expect([...made.asked].sort()).toEqual(['alpha', 'büro', 'never there', 'web00000', 'web00700', 'zulu']);
    for (const name of [...made.hosts.keys()].slice(0, 900)) made.delete(name);
    expect((await asked(kept, made))[1]).toBe(true);
    kept.close();
    expect(kept.held).toEqual({ memory: 0, disk: 0 });
  });

  test('are read by who began before others changed', async () => {
    const made = new Made(2000);
    const kept = keptOver(made, { maxMemory });
    const [before] = await asked(kept, made);
    const slow = await kept.read('key', made.source);
    const reader = (slow as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const first = await reader.next();
    made.set('web00001', 'b');
    await asked(kept, made);
    made.revision = '2';
    // Given up for others meanwhile.
    expect((await asked(kept, made))[1]).toBe(false);
    const rest: Uint8Array[] = [first.value as Uint8Array];
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) rest.push(next.value);
    expect(Buffer.concat(rest).toString()).toBe(before);
  });
});

test('one whose rules changed, or where many hosts changed, is rendered', async () => {
  const made = new Made(2000);
  const kept = keptOver(made);
  await asked(kept, made);
  made.revision = '2';
  expect((await asked(kept, made))[1]).toBe(false);
  for (const name of [...made.hosts.keys()].slice(0, 1200)) made.set(name, 'b');
  expect((await asked(kept, made))[1]).toBe(false);
  expect((await asked(kept, made))[1]).toBe(true);
});

test('while somebody writes whose changes cannot be read yet, it is rendered and stays kept', async () => {
  const made = new Made(500);
  const kept = keptOver(made);
  await asked(kept, made);
  made.isOpen = true;
  expect((await asked(kept, made))[1]).toBe(false);
  made.isOpen = false;
  expect((await asked(kept, made))[1]).toBe(true);
});

test('hosts of which two may be served under one name are not kept', async () => {
  const made = new Made(500);
  made.set('a{{b', 'c');
  made.set('a{ {b', 'c');
  const kept = keptOver(made);
  await asked(kept, made);
  expect((await asked(kept, made))[1]).toBe(false);
  expect(kept.held).toEqual({ memory: 0, disk: 0 });
});

test('where there is no room, it is served and not kept', async () => {
  const made = new Made(2000);
  const kept = keptOver(made, { maxMemory: 200_000, maxDisk: 200_000 });
  await asked(kept, made);
  expect((await asked(kept, made))[1]).toBe(false);
});

test('what a slow reader still reads counts as held until he has read it', async () => {
  const made = new Made(3000);
  const kept = keptOver(made);
  await asked(kept, made);
  const { memory } = kept.held;
  const slow = ((await kept.read('key', made.source)) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  await slow.next();
  for (let turn = 0; turn < 3; turn++) {
    for (const name of [...made.hosts.keys()].filter((_, at) => at % 100 === turn)) made.set(name, `turn ${turn}`);
    await asked(kept, made);
  }
  // Each turn wrote every block anew.
  expect(kept.held.memory).toBeGreaterThan(3 * memory);
  await slow.return?.();
  expect(kept.held.memory).toBeLessThan(1.1 * memory);
});

test('one that nobody asks for is given back', async () => {
  const made = new Made(500);
  const kept = keptOver(made, { idleMilliseconds: 20 });
  await asked(kept, made);
  expect(kept.held.memory).toBeGreaterThan(0);
  await expect.poll(() => kept.held.memory).toBe(0);
  expect((await asked(kept, made))[1]).toBe(false);
});

test.each([null, {}, { revision: 1, hosts: () => [] }, { revision: '1' }])(
  'a plugin that answers %j for its parts is named, and nothing is kept of it',
  async (parts) => {
    const made = new Made(3);
    const provider = { full: () => made.batches(), host: () => false, revision: () => '1', parts: () => parts };
    const catalogue = new InventoryCatalogue({
      plugins: { providers: () => new Map([['strange', { pluginId: 'stranger', item: () => provider }]]) } as never,
      services: {} as never,
      timeoutSeconds: 5,
      kept: keptOver(made),
      logger: SILENT,
    });
    const request = { scope: null, signal: new AbortController().signal };
    await expect(catalogue.answer({ provider: 'strange', request, render: OPTIONS })).rejects.toThrow(
      /plugin stranger: .* did not answer parts of an inventory/,
    );
  },
);

test('callers at the same time share the list of hosts and groups, and one who leaves ends it for no other', async () => {
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const made = new Made(3);
  const provider = {
    host: () => false,
    revision: () => '1',
    async *full() {
      await gate;
      yield* made.batches();
    },
  };
  const catalogue = new InventoryCatalogue({
    plugins: { providers: () => new Map([['shared', { pluginId: 'sharer', item: () => provider }]]) } as never,
    services: {} as never,
    timeoutSeconds: 5,
    logger: SILENT,
  });
  const asked = (signal: AbortSignal) =>
    catalogue.index({ provider: 'shared', request: { scope: null, signal }, render: OPTIONS });
  const leaving = new AbortController();
  const left = asked(leaving.signal);
  const stays = asked(new AbortController().signal);
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  go();
  expect((await stays).hosts).toHaveLength(3);
});
