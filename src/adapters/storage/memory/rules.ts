import { stateOf } from '../../../app/rules/decisions/state-before.ts';
import type { RuleRemoval, RuleVersion, RuleWrite } from '../../../ports/index.ts';
import {
  type Actor,
  type RuleOutcome,
  type RuleRecord,
  type RuleState,
  type RuleStore,
  StoredJson,
} from '../../../ports/index.ts';
import { confirmationAfter, stronger } from '../shared/confirmation.ts';
import { documentWithId } from '../shared/rule-text.ts';
import { sizedBatches, sizeOfRule } from '../shared/sized-batches.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { type MemoryState, removeWhere, type StoredRule } from './state.ts';

/** A document as a caller brings it; who vouches for it may depend on the one that it replaces. */
type WrittenRule = Omit<StoredRule, 'version' | 'changedAt' | 'confirmedBy'> & Pick<RuleWrite, 'confirmedBy'>;

interface Change {
  readonly at: Date;
  readonly actor: Actor;
}

/** Rule documents in memory. */
export function memoryRules(state: () => MemoryState): RuleStore {
  return {
    async list(type) {
      return sorted(state(), type).map(toRecord);
    },

    async *scan(type, batchSize) {
      let last: StoredRule | undefined;
      for (;;) {
        const rules = sorted(state(), type);
        const from = last;
        const batch = (from === undefined ? rules : rules.filter((rule) => compareRules(rule, from) > 0)).slice(
          0,
          batchSize,
        );
        last = batch.at(-1);
        if (last === undefined) return;
        yield* sizedBatches(batch.map(toRecord), sizeOfRule);
      }
    },

    async get(type, id) {
      const rule = state().rules.get(type)?.get(id);
      return rule === undefined ? undefined : toRecord(rule);
    },

    async findByName(type, name) {
      const rule = byName(state(), type, name);
      return rule === undefined ? undefined : toRecord(rule);
    },

    async counts() {
      const counts = new Map<string, number>();
      for (const [type, rules] of state().rules) if (rules.size > 0) counts.set(type, rules.size);
      return counts;
    },

    async write(request) {
      for (const entry of request.entries) if (!('removes' in entry)) JSON.parse(entry.document.text);
      const moved = [...(request.basis ?? [])].some(([name, value]) => (state().revisions.get(name) ?? 0) !== value);
      if (moved) return request.entries.map(() => 'changed');
      return request.entries.map((entry) =>
        'removes' in entry ? removeVersion(state(), entry, request) : writeRule(state(), entry, request.mode, request),
      );
    },

    async replace(request) {
      const present = state().rules.get(request.entry.type)?.get(request.entry.id);
      if (present === undefined) return 'not_found';
      if (present.version !== request.expectedVersion) return 'conflict';
      if (nameTaken(state(), request.entry, present) || valueTaken(state(), request.entry, present))
        return 'name_taken';
      putRule(state(), ruleOf(request.entry, request.entry.document.text), present, request);
      return 'replaced';
    },

    async confirm({ type, id, expectedVersion, by }) {
      const present = state().rules.get(type)?.get(id);
      if (present === undefined) return 'not_found';
      if (present.version !== expectedVersion) return 'conflict';
      setConfirmation(state(), present, stronger(present.confirmedBy, by));
      return 'confirmed';
    },

    async remove(request) {
      const present = state().rules.get(request.type)?.get(request.id);
      if (present !== undefined) removeRule(state(), present, request);
      return present !== undefined;
    },

    async versions(type, id, limit, characters = Number.POSITIVE_INFINITY) {
      const versions = state().ruleVersions.filter((version) => version.type === type && version.id === id);
      const [first = []] = sizedBatches(versions.reverse().slice(0, limit), sizeOfRule, characters);
      return first;
    },

    async oldestVersion(type, id) {
      return state().ruleVersions.find((version) => version.type === type && version.id === id);
    },

    async statesBefore(type, ids, moment) {
      const wanted = new Set(ids);
      const kept = new Map<string, RuleVersion[]>();
      for (const version of state().ruleVersions) {
        if (version.type !== type || !wanted.has(version.id)) continue;
        kept.set(version.id, [version, ...(kept.get(version.id) ?? [])]);
      }
      const states = new Map<string, RuleState>();
      for (const [id, versions] of kept) {
        const state = stateOf(versions, moment);
        if (state !== undefined) states.set(id, state);
      }
      return states;
    },

    async *lastVersions({ change, type }, batchSize) {
      const last = new Map(
        state()
          .ruleVersions.filter((version) => type === undefined || version.type === type)
          .map((version) => [`${version.type} ${version.id}`, version]),
      );
      const newestFirst = state().ruleVersions.filter(
        (version) => last.get(`${version.type} ${version.id}`) === version,
      );
      const found = newestFirst.filter((version) => version.change === change).reverse();
      for (let start = 0; start < found.length; start += batchSize)
        yield* sizedBatches(found.slice(start, start + batchSize), sizeOfRule);
    },

    async rewriteVersions({ type, id, documents }) {
      const versions = state().ruleVersions;
      for (const [place, version] of versions.entries()) {
        const document = version.type === type && version.id === id ? documents.get(version.version) : undefined;
        if (document !== undefined) versions[place] = { ...version, document };
      }
    },

    async pruneVersions(before) {
      const versions = state().ruleVersions;
      const newest = new Set<RuleVersion>();
      for (const rules of state().rules.values()) {
        for (const rule of rules.values()) {
          const last = versions.findLast((version) => version.type === rule.type && version.id === rule.id);
          if (last !== undefined) newest.add(last);
        }
      }
      return removeWhere(versions, (version) => version.at < before && !newest.has(version));
    },
  };
}

function writeRule(state: MemoryState, entry: RuleWrite, mode: 'skip' | 'replace', change: Change): RuleOutcome {
  const byId = state.rules.get(entry.type)?.get(entry.id);
  const present = byId ?? (entry.uniqueName ? byName(state, entry.type, entry.name) : undefined);
  if (present === undefined) {
    if (valueTaken(state, entry, undefined)) return 'duplicate';
    putRule(state, ruleOf(entry, entry.document.text), undefined, change);
    return 'imported';
  }
  if (mode === 'skip') return 'duplicate';
  if (nameTaken(state, entry, present)) return 'name_taken';
  if (valueTaken(state, entry, present)) return 'duplicate';
  const document = byId === undefined ? documentWithId(entry.document.text, present.id) : entry.document.text;
  putRule(state, { ...ruleOf(entry, document), id: present.id }, present, change);
  return 'replaced';
}

function removeVersion(state: MemoryState, { type, id, removes }: RuleRemoval, change: Change): RuleOutcome {
  const present = state.rules.get(type)?.get(id);
  if (present?.version !== removes) return 'conflict';
  removeRule(state, present, change);
  return 'removed';
}

function removeRule(state: MemoryState, present: StoredRule, change: Change): void {
  state.rules.get(present.type)?.delete(present.id);
  state.ruleVersions.push(versionOf(present, 'removed', change));
  state.bump(`rules/${present.type}`);
}

/** Stores a document as the next version of `present`. One that is equal to the letter leaves no trace. */
export function putRule(state: MemoryState, rule: WrittenRule, present: StoredRule | undefined, change: Change): void {
  const isSame = present?.document === rule.document && present.name === rule.name;
  const confirmedBy = confirmationAfter(present && { ...present, isSame }, rule.confirmedBy);
  if (present !== undefined && isSame) {
    setConfirmation(state, present, confirmedBy);
    return;
  }
  const stored = {
    ...rule,
    confirmedBy,
    version: (present?.version ?? lastVersion(state, rule)) + 1,
    changedAt: change.at.getTime(),
  };
  let rules = state.rules.get(rule.type);
  if (rules === undefined) {
    rules = new Map();
    state.rules.set(rule.type, rules);
  }
  rules.set(rule.id, stored);
  state.ruleVersions.push(versionOf(stored, present === undefined ? 'created' : 'replaced', change));
  state.bump(`rules/${rule.type}`);
}

/** The highest version that is kept of a document that was removed; 0 without one. */
function lastVersion({ ruleVersions }: MemoryState, { type, id }: WrittenRule): number {
  return ruleVersions.reduce((last, kept) => {
    return kept.type === type && kept.id === id && kept.version > last ? kept.version : last;
  }, 0);
}

function setConfirmation(state: MemoryState, rule: StoredRule, confirmedBy: StoredRule['confirmedBy']): void {
  if (rule.confirmedBy === confirmedBy) return;
  state.rules.get(rule.type)?.set(rule.id, { ...rule, confirmedBy });
  state.bump(`rules/${rule.type}`);
}

function ruleOf(entry: RuleWrite, document: string): WrittenRule {
  const { type, id, name, confirmedBy } = entry;
  return { type, id, name, uniqueValue: entry.uniqueValue ?? null, document, confirmedBy };
}

function versionOf(rule: StoredRule, change: RuleVersion['change'], by: Change): RuleVersion {
  return {
    type: rule.type,
    id: rule.id,
    name: rule.name,
    version: rule.version,
    at: by.at,
    actor: by.actor.name,
    change,
    document: StoredJson.ofText(rule.document),
  };
}

function nameTaken(state: MemoryState, entry: RuleWrite, present: StoredRule): boolean {
  if (!entry.uniqueName) return false;
  return some(state, entry.type, (rule) => rule.name === entry.name && rule.id !== present.id);
}

function valueTaken(state: MemoryState, entry: RuleWrite, present: StoredRule | undefined): boolean {
  const value = entry.uniqueValue;
  if (value === undefined) return false;
  return some(state, entry.type, (rule) => rule.uniqueValue === value && rule.id !== present?.id);
}

function some(state: MemoryState, type: string, matches: (rule: StoredRule) => boolean): boolean {
  return [...(state.rules.get(type)?.values() ?? [])].some(matches);
}

function byName(state: MemoryState, type: string, name: string): StoredRule | undefined {
  return sorted(state, type).find((rule) => rule.name === name);
}

function sorted(state: MemoryState, type: string): StoredRule[] {
  return [...(state.rules.get(type)?.values() ?? [])].sort(compareRules);
}

function compareRules(left: StoredRule, right: StoredRule): number {
  return compareUtf8(left.name, right.name) || compareUtf8(left.id, right.id);
}

function toRecord(rule: StoredRule): RuleRecord {
  return {
    type: rule.type,
    id: rule.id,
    name: rule.name,
    document: StoredJson.ofText(rule.document),
    version: rule.version,
    changedAt: new Date(rule.changedAt),
    confirmedBy: rule.confirmedBy,
  };
}
