import type { Actor, ConfirmedBy, RuleOutcome, RuleRemoval, RuleWrite } from '../../../ports/index.ts';
import { confirmationAfter } from '../shared/confirmation.ts';
import { documentWithId } from '../shared/rule-text.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { batchesOf } from './batches.ts';
import { AN_ANSWER, type DocumentReader } from './document-reader.ts';
import type { RuleDoc } from './documents.ts';
import type { RuleStep } from './rule-plan-documents.ts';
import { rulesByKey, rulesByName, rulesByValue, versionsOf } from './rule-reads.ts';
import type { Database } from './schema.ts';
import { confirmedByOf, ruleKey } from './stored-records.ts';

/** Up to this many entries of a type, only documents that they could meet are read; else the whole type. */
const FEW = 100;
const IDS_A_QUERY = 1_000;

interface Change {
  readonly at: Date;
  readonly actor: Actor;
}

/** The documents that entries can meet, and what happens to them step by step. */
export class RulePlanner {
  readonly steps: RuleStep[] = [];
  readonly #change: Change;
  readonly #byKey = new Map<string, RuleDoc>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #byValue = new Map<string, Set<string>>();
  /** The highest version that is kept of documents that were removed. */
  readonly #lastVersions = new Map<string, number>();

  private constructor(change: Change) {
    this.#change = change;
  }

  static async load(
    database: Database,
    entries: readonly (RuleWrite | RuleRemoval)[],
    change: Change,
  ): Promise<RulePlanner> {
    const planner = new RulePlanner(change);
    for (const type of new Set(entries.map((entry) => entry.type))) {
      const own = entries.filter((entry) => entry.type === type);
      const readers = own.length > FEW ? [rulesByName(database, type)] : matchingReaders(database, type, own);
      await Promise.all(readers.map((reader) => planner.#keepAll(reader)));
      await planner.#readLastVersions(database, type, own);
    }
    return planner;
  }

  async #keepAll(reader: DocumentReader<RuleDoc>): Promise<void> {
    for await (const docs of reader.batches(AN_ANSWER)) for (const doc of docs) this.#keep(doc);
  }

  /** Reads the last versions of documents that do not exist: they may have existed before. */
  async #readLastVersions(database: Database, type: string, entries: readonly Pick<RuleWrite, 'id'>[]): Promise<void> {
    const ids = new Set(entries.flatMap(({ id }) => (this.get(type, id) === undefined ? [id] : [])));
    for (const batch of batchesOf([...ids], IDS_A_QUERY)) {
      for await (const versions of versionsOf(database, type, batch).batches(AN_ANSWER)) {
        for (const { id, version } of versions) {
          const key = ruleKey(type, id);
          this.#lastVersions.set(key, Math.max(version, this.#lastVersions.get(key) ?? 0));
        }
      }
    }
  }

  get(type: string, id: string): RuleDoc | undefined {
    return this.#byKey.get(ruleKey(type, id));
  }

  write(entry: RuleWrite, mode: 'skip' | 'replace'): RuleOutcome {
    const byId = this.get(entry.type, entry.id);
    const present = byId ?? (entry.uniqueName ? this.#firstOfName(entry) : undefined);
    if (present === undefined) {
      if (this.isValueTaken(entry, undefined)) return 'duplicate';
      this.put(entry, entry.document.text, undefined);
      return 'imported';
    }
    if (mode === 'skip') return 'duplicate';
    if (this.isNameTaken(entry, present)) return 'name_taken';
    if (this.isValueTaken(entry, present)) return 'duplicate';
    this.put(
      entry,
      byId === undefined ? documentWithId(entry.document.text, present.id) : entry.document.text,
      present,
    );
    return 'replaced';
  }

  isNameTaken(entry: RuleWrite, present: RuleDoc): boolean {
    return entry.uniqueName && hasOther(this.#byName.get(named(entry.type, entry.name)), present._id);
  }

  isValueTaken(entry: RuleWrite, present: RuleDoc | undefined): boolean {
    if (entry.uniqueValue === undefined) return false;
    return hasOther(this.#byValue.get(named(entry.type, entry.uniqueValue)), present?._id);
  }

  /** Makes the document the next version of `present`. One that is equal to the letter leaves no trace. */
  put(entry: RuleWrite, document: string, present: RuleDoc | undefined): void {
    const name = wellFormed(entry.name);
    const isSame = present?.document === document && present.name === name;
    const confirmedBy = confirmationAfter(
      present && { confirmedBy: confirmedByOf(present), isSame },
      entry.confirmedBy,
    );
    if (present !== undefined && isSame) {
      this.confirm(present, confirmedBy);
      return;
    }
    const id = present?.id ?? entry.id;
    const doc: RuleDoc = {
      _id: ruleKey(entry.type, id),
      type: entry.type,
      id,
      name,
      ...(entry.uniqueName ? { uniqueName: name } : {}),
      ...(entry.uniqueValue === undefined ? {} : { uniqueValue: wellFormed(entry.uniqueValue) }),
      document,
      version: (present?.version ?? this.#lastVersions.get(ruleKey(entry.type, id)) ?? 0) + 1,
      changedAt: this.#change.at,
      confirmedBy: confirmedBy ?? 'nobody',
      latest: 0,
    };
    if (present !== undefined) this.#drop(present);
    this.#keep(doc);
    this.#step(present === undefined ? 'created' : 'replaced', doc, present?.version ?? 0);
  }

  confirm(present: RuleDoc, confirmedBy: ConfirmedBy): void {
    if (confirmedByOf(present) === confirmedBy) return;
    const doc: RuleDoc = { ...present, confirmedBy: confirmedBy ?? 'nobody' };
    this.#drop(present);
    this.#keep(doc);
    this.#step('confirmed', doc, present.version);
  }

  removeVersion({ type, id, removes }: RuleRemoval): RuleOutcome {
    const present = this.get(type, id);
    if (present?.version !== removes) return 'conflict';
    this.remove(present);
    return 'removed';
  }

  remove(present: RuleDoc): void {
    this.#drop(present);
    this.#lastVersions.set(present._id, present.version);
    this.#step('removed', present, present.version);
  }

  #step(change: RuleStep['change'], doc: RuleDoc, expected: number): void {
    this.steps.push({ change, doc, expected, at: this.#change.at, actor: this.#change.actor.name });
  }

  #firstOfName(entry: RuleWrite): RuleDoc | undefined {
    const keys = [...(this.#byName.get(named(entry.type, entry.name)) ?? [])].sort(compareUtf8);
    return keys[0] === undefined ? undefined : this.#byKey.get(keys[0]);
  }

  #keep(doc: RuleDoc): void {
    this.#byKey.set(doc._id, doc);
    addTo(this.#byName, named(doc.type, doc.name), doc._id);
    if (doc.uniqueValue !== undefined) addTo(this.#byValue, named(doc.type, doc.uniqueValue), doc._id);
  }

  #drop(doc: RuleDoc): void {
    this.#byKey.delete(doc._id);
    this.#byName.get(named(doc.type, doc.name))?.delete(doc._id);
    if (doc.uniqueValue !== undefined) this.#byValue.get(named(doc.type, doc.uniqueValue))?.delete(doc._id);
  }
}

/** Documents with the id, the name or the value of one of the entries, some of them more than once. */
function matchingReaders(
  database: Database,
  type: string,
  entries: readonly (RuleWrite | RuleRemoval)[],
): DocumentReader<RuleDoc>[] {
  const writes = entries.filter((entry): entry is RuleWrite => !('removes' in entry));
  const names = writes.map(({ name }) => wellFormed(name));
  const values = writes.flatMap(({ uniqueValue }) => (uniqueValue === undefined ? [] : [wellFormed(uniqueValue)]));
  return [
    rulesByKey(
      database,
      entries.map(({ id }) => ruleKey(type, id)),
    ),
    rulesByName(database, type, { name: { $in: names } }),
    ...(values.length > 0 ? [rulesByValue(database, type, values)] : []),
  ];
}

function named(type: string, text: string): string {
  return JSON.stringify([type, wellFormed(text)]);
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, new Set([value]));
  else values.add(value);
}

function hasOther(values: ReadonlySet<string> | undefined, own: string | undefined): boolean {
  return values !== undefined && [...values].some((value) => value !== own);
}
