import {
  AppError,
  type HostChange,
  type RuleVersion,
  StoredJson,
  type TransferPart,
  type TransferRecord,
  type ValueChange,
} from '../../../ports/index.ts';
import {
  auditChainItem,
  auditItem,
  contributionItem,
  cronStateItem,
  type HostItem,
  hostChangeItem,
  hostItem,
  isSameVersion,
  logItem,
  playbookMatchItem,
  playbookRunItem,
  relationItem,
  ruleItem,
  ruleVersionItem,
  tokenUseItem,
} from '../shared/transfer-records.ts';
import type { MemoryState } from './state.ts';

/** Stores records as they are. All of them are understood before the first is stored. */
export function writeRecords(state: MemoryState, part: TransferPart, records: readonly TransferRecord[]): void {
  WRITERS[part](state, records);
}

const WRITERS: Readonly<Record<TransferPart, (state: MemoryState, records: readonly TransferRecord[]) => void>> = {
  rules(state, records) {
    const items = records.map(ruleItem);
    for (const item of items) {
      const rules = state.rules.get(item.type) ?? new Map();
      state.rules.set(item.type, rules.set(item.id, item));
    }
    for (const type of new Set(items.map((item) => item.type))) state.bump(`rules/${type}`);
  },

  rule_versions(state, records) {
    const present = new Map<string, number[]>();
    for (const [index, version] of state.ruleVersions.entries()) {
      const places = placesOf(present, version);
      places.push(index);
    }
    const versions = [...state.ruleVersions];
    for (const item of records.map(ruleVersionItem)) {
      const places = placesOf(present, item);
      const index = places[item.place];
      const stored = { ...item, at: new Date(item.at), document: StoredJson.ofText<never>(item.document) };
      if (index === undefined) {
        places.push(versions.length);
        versions.push(versionOf(stored));
        continue;
      }
      const old = versions[index] as RuleVersion;
      if (!isSameVersion({ ...old, at: old.at.getTime() }, item)) {
        throw new AppError('conflict', `another version of ${item.type} ${item.name} is stored in place of this one`);
      }
      versions[index] = versionOf(stored);
    }
    state.ruleVersions.splice(0, state.ruleVersions.length, ...versions);
  },

  hosts(state, records) {
    const items = records.map(hostItem);
    for (const item of items) putHost(state, item);
    if (items.length > 0) state.bump('hosts');
  },

  contributions(state, records) {
    for (const { hostname, ...item } of records.map(contributionItem)) {
      state.hosts.get(hostname)?.contributions.set(item.accountId, item);
    }
  },

  relations(state, records) {
    const places = new Map(state.relations.map((edge, index) => [edgeKey(edge), index]));
    for (const item of records.map(relationItem)) {
      const place = places.get(edgeKey(item)) ?? state.relations.length;
      places.set(edgeKey(item), place);
      state.relations[place] = item;
    }
  },

  host_changes(state, records) {
    for (const { place, at, changes, ...item } of records.map(hostChangeItem)) {
      if (!state.hosts.has(item.hostname)) continue;
      const change: HostChange = { ...item, at: new Date(at), changes: JSON.parse(changes) as ValueChange[] };
      const history = state.history.get(item.hostname) ?? [];
      state.history.set(item.hostname, history);
      const same = history.filter((other) => other.at.getTime() === at);
      const old = same[place];
      history[old === undefined ? history.length : history.indexOf(old)] = change;
    }
  },

  logs(state, records) {
    replaceById(
      state.logs,
      records.map(logItem).map((item) => ({ ...item, at: new Date(item.at) })),
    );
  },

  audit(state, records) {
    replaceById(
      state.audit,
      records.map(auditItem).map(({ seq, mark, ...item }) => ({
        ...item,
        at: new Date(item.at),
        link: seq === null || mark === null ? null : { seq, mark },
      })),
    );
  },

  audit_chain(state, records) {
    for (const record of records) state.auditChain = auditChainItem(record);
  },

  token_uses(state, records) {
    for (const { tokenId, at } of records.map(tokenUseItem)) state.tokenUses.set(tokenId, new Date(at));
  },

  cron_states(state, records) {
    for (const item of records.map(cronStateItem)) state.cronStates.set(item.groupId, { ...item, leaseUntil: 0 });
  },

  playbook_runs(state, records) {
    for (const item of records.map(playbookRunItem)) {
      state.playbookRuns.set(item.id, { ...item, leaseUntil: 0, cancelRequested: false });
    }
  },

  playbook_matches(state, records) {
    for (const record of records) state.playbookMatches.set(record.key, playbookMatchItem(record));
  },
};

function putHost(state: MemoryState, item: HostItem): void {
  const contributions = state.hosts.get(item.hostname)?.contributions ?? new Map();
  state.addHost({ ...item, contributions });
}

function versionOf({ type, id, name, version, at, actor, change, document }: RuleVersion): RuleVersion {
  return { type, id, name, version, at, actor, change, document };
}

function placesOf(
  present: Map<string, number[]>,
  { type, id }: { readonly type: string; readonly id: string },
): number[] {
  const key = `${type}/${id}`;
  const places = present.get(key) ?? [];
  present.set(key, places);
  return places;
}

function edgeKey({ hostname, type, target }: { hostname: string; type: string; target: string }): string {
  return JSON.stringify([hostname, type, target]);
}

function replaceById<T extends { readonly id: string }>(stored: T[], items: readonly T[]): void {
  const places = new Map(stored.map((item, index) => [item.id, index]));
  for (const item of items) {
    const place = places.get(item.id) ?? stored.length;
    places.set(item.id, place);
    stored[place] = item;
  }
}
