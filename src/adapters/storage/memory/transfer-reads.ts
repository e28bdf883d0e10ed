import type { TransferPart, TransferRecord } from '../../../ports/index.ts';
import {
  auditChainRecord,
  auditRecord,
  contributionRecord,
  cronStateRecord,
  hostChangeRecord,
  hostRecord,
  logRecord,
  playbookMatchRecord,
  playbookRunRecord,
  relationRecord,
  ruleRecord,
  ruleVersionRecord,
  tokenUseRecord,
} from '../shared/transfer-records.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

/** All records of a part in byte order of their keys. */
export function recordsOf(state: MemoryState, part: TransferPart): TransferRecord[] {
  return READERS[part](state).sort((left, right) => compareUtf8(left.key, right.key));
}

const READERS: Readonly<Record<TransferPart, (state: MemoryState) => TransferRecord[]>> = {
  rules: (state) =>
    [...state.rules.values()].flatMap((rules) =>
      [...rules.values()].map((rule) => ruleRecord({ ...rule, name: wellFormed(rule.name) })),
    ),

  rule_versions(state) {
    const place = counter();
    return state.ruleVersions.map((version) =>
      ruleVersionRecord({
        ...version,
        place: place(`${version.type}/${version.id}`),
        name: wellFormed(version.name),
        at: version.at.getTime(),
        document: version.document.text,
      }),
    );
  },

  hosts: (state) => [...state.hosts.values()].map(hostRecord),

  contributions: (state) =>
    [...state.hosts.values()].flatMap(({ hostname, contributions }) =>
      [...contributions.values()].map((item) => contributionRecord({ ...item, hostname })),
    ),

  relations: (state) => state.relations.map(relationRecord),

  host_changes(state) {
    return [...state.history].flatMap(([hostname, changes]) => {
      const place = counter();
      return changes.map(({ at, actor, kind, changes: values }) =>
        hostChangeRecord({
          hostname,
          at: at.getTime(),
          place: place(at.toISOString()),
          actor,
          kind,
          changes: JSON.stringify(values),
        }),
      );
    });
  },

  logs: (state) =>
    state.logs.map((entry) =>
      logRecord({
        ...entry,
        at: entry.at.getTime(),
        message: wellFormed(entry.message),
        source: wellFormed(entry.source),
        details: entry.details.map(({ level, message }) => ({ level, message: wellFormed(message) })),
      }),
    ),

  audit: (state) =>
    state.audit.map(({ link, ...entry }) =>
      auditRecord({
        ...entry,
        at: entry.at.getTime(),
        actor: wellFormed(entry.actor),
        subject: wellFormed(entry.subject),
        details: wellFormed(entry.details),
        seq: link?.seq ?? null,
        mark: link?.mark ?? null,
      }),
    ),

  audit_chain: (state) => (state.auditChain === null ? [] : [auditChainRecord(state.auditChain)]),

  token_uses: (state) => [...state.tokenUses].map(([tokenId, at]) => tokenUseRecord({ tokenId, at: at.getTime() })),

  cron_states: (state) => [...state.cronStates.values()].map(cronStateRecord),

  playbook_runs: (state) => [...state.playbookRuns.values()].map(playbookRunRecord),

  playbook_matches: (state) => [...state.playbookMatches.values()].map(playbookMatchRecord),
};

/** Numbers things by what they share: 0 for the first of each. */
function counter(): (shared: string) => number {
  const counts = new Map<string, number>();
  return (shared) => {
    const place = counts.get(shared) ?? 0;
    counts.set(shared, place + 1);
    return place;
  };
}
