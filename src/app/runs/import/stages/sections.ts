import { worded } from '../../../../kit/worded.ts';
import {
  AppError,
  type HostRecord,
  type InventoryOutcome,
  type JsonObject,
  type Scratch,
  StoredJson,
} from '../../../../ports/index.ts';
import { inspectSectionKey } from '../../../hosts/decisions/inventory.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import { recordScope } from '../decisions/record-scope.ts';
import { collectedUnder, sectionOf, suffixesOf, takesRecord } from '../decisions/section-match.ts';
import {
  DEFERRED,
  type DeferredOutcome,
  type ImportRun,
  NOTHING_FINISHED,
  type Stage,
  TOO_LARGE,
  type WriteOutcome,
} from '../import-stage.ts';
import { FilledSections } from './filled-sections.ts';

const HOSTS_A_BATCH = 500;

const NO_HOST: WriteOutcome = {
  kind: 'skipped',
  reason: worded`no host fits it; this import only fills an inventory section of hosts that exist`,
};
const OTHER_HOST: WriteOutcome = {
  kind: 'skipped',
  reason: worded`the host has another value than inventorize_match_attribute asks for`,
};

/** A section for one host, and the record that it is of; none for what was collected. */
interface Fill {
  readonly host: HostRecord;
  readonly key: string;
  readonly section: StoredJson<JsonObject>;
  readonly record?: PreparedRecord;
}

/**
 * Writes each record into a section of hosts that exist, whichever account owns them, and neither creates nor archives one. Of several
 * records for one host the last wins, of domains the most precise one.
 */
export async function hostSections(run: ImportRun): Promise<Stage> {
  const { options, collectTemplate } = run;
  const { hosts } = run.stores;
  const filled = new Map<string, FilledSections>();
  const named = namedSection(run);
  for (const key of [named, collectionOf(named)]) await openFilled(key);
  let scratch: Scratch | undefined;
  /** Records whose section a later one fills. */
  let repeats = 0;
  /** Records by domain, until all are read. */
  const domains: PreparedRecord[] = [];
  /** By the section with the collection, then by the host. */
  const collected = new Map<string, Map<string, string[]>>();
  let before: Promise<unknown> = Promise.resolve();

  /** Must be opened before anything of it is written. Inventorizing leaves sections as they are on hosts that are no longer named. */
  async function openFilled(key: string): Promise<void> {
    if (options.fills === 'section' && !filled.has(key)) filled.set(key, await FilledSections.open(run, key));
  }

  function keyOf({ fills }: PreparedRecord): string {
    return fills?.suffix === undefined ? named : requiredKey(`${named}_${fills.suffix}`, run);
  }

  async function begin(records: readonly PreparedRecord[]): Promise<void> {
    for (const key of new Set(records.map(keyOf))) for (const at of [key, collectionOf(key)]) await openFilled(at);
    for (const record of records) collect(record);
  }

  /** Defers records to the end of the read: if several fill one section, the last counts, and the others write nothing. */
  async function defer(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    await begin(records);
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const rows = new Map<string, string>();
    for (const { record, host } of await byName(records)) {
      const takes = takesRecord(host.labels.value, record, options.inventorize_match_attribute);
      outcomes.set(record, takes ? DEFERRED : OTHER_HOST);
      if (!takes) continue;
      const row = `${keyOf(record)}\u0000${host.hostname}`;
      if (rows.has(row)) repeats++;
      rows.set(row, JSON.stringify([record.position, sectionOf(record)]));
    }
    if (rows.size > 0) {
      scratch ??= await run.openScratch();
      const table = scratch.table('fills');
      repeats += table.get([...rows.keys()]).filter((text) => text !== undefined).length;
      table.put([...rows]);
    }
    return records.map((record) => outcomes.get(record) ?? NO_HOST);
  }

  /** Writes the deferred sections. */
  async function* fillDeferred(): AsyncGenerator<readonly DeferredOutcome[]> {
    const table = scratch?.table('fills');
    for (let after = ''; table !== undefined; ) {
      const rows = table.page({ after, limit: HOSTS_A_BATCH });
      if (rows.length === 0) return;
      after = rows.at(-1)?.[0] ?? '';
      const kept = rows.map(([row, text]) => {
        const [key = '', hostname = ''] = row.split('\u0000');
        const [position, section] = JSON.parse(text) as [string, JsonObject];
        return { key, hostname, position, section };
      });
      const present = await hosts.findEach(kept.map(({ hostname }) => hostname));
      const fills = kept.flatMap(({ key, section }, index) => {
        const host = present[index];
        return host === undefined ? [] : [{ host, key, section: StoredJson.ofValue(section) }];
      });
      const outcomes = await fill(fills);
      let next = 0;
      yield kept.map(({ position, hostname }, index) => {
        const outcome = together(undefined, present[index] === undefined ? undefined : outcomes[next++]);
        return { record: deferredRecord(position, hostname), outcome };
      });
    }
  }

  async function write(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    await begin(records);
    const { found, passed } = await byDomain(records);
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const fills: Fill[] = [];
    for (const { record, host } of found) {
      if (takesRecord(host.labels.value, record, options.inventorize_match_attribute)) {
        fills.push({ host, key: keyOf(record), section: StoredJson.ofValue(sectionOf(record)), record });
      } else if (!outcomes.has(record)) outcomes.set(record, OTHER_HOST);
    }
    const results = await fill(fills);
    for (const [index, { record }] of fills.entries()) {
      if (record !== undefined) outcomes.set(record, together(outcomes.get(record), results[index]));
    }
    return records.map((record) => outcomes.get(record) ?? (passed.has(record) ? 'unchanged' : NO_HOST));
  }

  function collect(record: PreparedRecord): void {
    const { inventorize_collect_by_key: member } = options;
    if (member === '') return;
    const { position, hostname } = record;
    const labels = record.labels.value;
    const render =
      collectTemplate &&
      (() => collectTemplate(recordScope({ kind: 'record', position, hostname, labels }, undefined)));
    const host = collectedUnder(record, member, render);
    if (host === undefined) return;
    const into = collectionOf(keyOf(record));
    const of = collected.get(into) ?? new Map<string, string[]>();
    collected.set(into, of);
    const names = of.get(host);
    if (names === undefined) of.set(host, [hostname]);
    else names.push(hostname);
  }

  async function byName(records: readonly PreparedRecord[]) {
    const present = await hosts.findEach(records.map(({ hostname }) => hostname));
    return records.flatMap((record, index) => {
      const host = present[index];
      return host === undefined || host.archive !== null ? [] : [{ record, host }];
    });
  }

  /** One walk over the hosts once all domains are known: they are few, and hosts are not held in memory. The most precise one that takes a host counts. */
  async function byDomain(records: readonly PreparedRecord[]) {
    const endings = new Map<string, PreparedRecord[]>();
    for (const record of records) endings.set(record.hostname, [...(endings.get(record.hostname) ?? []), record]);
    const places = new Map(records.map((record, index) => [record, index]));
    const found: { record: PreparedRecord; host: HostRecord }[] = [];
    const passed = new Set<PreparedRecord>();
    for await (const batch of hosts.scan({ scope: null, kind: 'all', state: 'active' }, HOSTS_A_BATCH)) {
      for (const host of batch) {
        const keys = new Set<string>();
        for (const ending of suffixesOf(host.hostname)) {
          for (const record of (endings.get(ending) ?? []).toReversed()) {
            if (keys.has(keyOf(record))) {
              passed.add(record);
              continue;
            }
            if (takesRecord(host.labels.value, record, options.inventorize_match_attribute)) keys.add(keyOf(record));
            found.push({ record, host });
          }
        }
      }
    }
    found.sort((a, b) => (places.get(a.record) ?? 0) - (places.get(b.record) ?? 0));
    return { found, passed };
  }

  /** One outcome each, in order; later ones of a host see earlier ones. */
  async function fill(fills: readonly Fill[]): Promise<readonly InventoryOutcome[]> {
    const outcomes: InventoryOutcome[] = [];
    for (let start = 0; start < fills.length; start += HOSTS_A_BATCH) {
      const part = fills.slice(start, start + HOSTS_A_BATCH);
      for (const [at, sections] of filled) {
        await sections.filling(part.filter((one) => one.key === at).map(({ host }) => host.hostname));
      }
      const entries = part.map(({ host, key, section }) => ({ hostname: host.hostname, key, section }));
      const write = { entries, scope: null, at: run.clock.now(), actor: run.actor };
      outcomes.push(...(await hosts.saveInventory(write)));
    }
    return outcomes;
  }

  async function fillCollection(key: string, of: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const names = [...of.keys()];
    for (let start = 0; start < names.length; start += HOSTS_A_BATCH) {
      const present = await hosts.findEach(names.slice(start, start + HOSTS_A_BATCH));
      await fill(
        present.flatMap((host) => {
          if (host === undefined || host.archive !== null) return [];
          const list = (of.get(host.hostname) ?? []).map((name, index): [string, string] => [`${index}`, name]);
          return { host, key, section: StoredJson.ofValue(Object.fromEntries(list)) };
        }),
      );
    }
  }

  return {
    repeatsCount: true,
    write(records) {
      if (options.inventorize_match_by_domain) {
        domains.push(...records);
        return Promise.resolve(records.map(() => DEFERRED));
      }
      const next = before.then(
        () => defer(records),
        () => defer(records),
      );
      before = next.catch(() => undefined);
      return next;
    },
    async *finishDeferred(isWhole) {
      try {
        if (domains.length > 0) {
          const outcomes = await write(domains);
          yield domains.map((record, index) => ({ record, outcome: outcomes[index] ?? NO_HOST }));
        }
        yield* fillDeferred();
        for (; repeats > 0; repeats--) yield [{ record: deferredRecord('', ''), outcome: 'unchanged' }];
        if (isWhole) for (const [key, of] of collected) await fillCollection(key, of);
      } finally {
        scratch?.close();
        scratch = undefined;
      }
    },
    async finish(except) {
      let emptied = 0;
      for (const [at, sections] of filled) {
        // Under which host a record is collected that could not be used is not known.
        if (at.endsWith(COLLECTION) && at !== named && except.size > 0) continue;
        const finished = await sections.finish(except);
        if (finished.refusal !== undefined) return finished;
        emptied += finished.emptied ?? 0;
      }
      return { ...NOTHING_FINISHED, emptied };
    },
  };
}

/** Counted at the end of the read; of what it holds nothing is asked any more. */
function deferredRecord(position: string, hostname: string): PreparedRecord {
  return { position, hostname, labels: StoredJson.ofValue({}), inventory: [] };
}

const COLLECTION = '_collection';

function collectionOf(key: string): string {
  return `${key}${COLLECTION}`;
}

function namedSection(run: ImportRun): string {
  const { options, account, section: ofPart } = run;
  const isOwn = options.fills === 'section';
  const key = isOwn ? options.section || options.inventorize_key || account.type : options.inventorize_key || ofPart;
  if (key === undefined || key === '') {
    throw new AppError('failed', `set inventorize_key of account ${account.name}: the inventory section that it fills`);
  }
  return requiredKey(key, run);
}

function requiredKey(key: string, { options, account }: ImportRun): string {
  const inspected = inspectSectionKey(key);
  if (inspected.ok) return inspected.value;
  const option = options.fills === 'section' && options.section !== '' ? 'section' : 'inventorize_key';
  throw new AppError('failed', `${option} of account ${account.name}: ${inspected.message}`);
}

/** Returns the most significant of a record's outcomes at several hosts. */
function together(known: WriteOutcome | undefined, outcome: InventoryOutcome | undefined): WriteOutcome {
  if (outcome === 'too_large') return TOO_LARGE;
  if (outcome === 'updated' || known === 'updated') return 'updated';
  if (outcome === 'unchanged' || known === 'unchanged') return 'unchanged';
  return known ?? NO_HOST;
}
