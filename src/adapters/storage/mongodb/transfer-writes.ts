import { ObjectId } from 'mongodb';
import type { TransferPart, TransferRecord } from '../../../ports/index.ts';
import {
  auditChainItem,
  auditItem,
  contributionItem,
  cronStateItem,
  type HostItem,
  hostItem,
  logItem,
  playbookMatchItem,
  playbookRunItem,
  relationItem,
  ruleItem,
  tokenUseItem,
} from '../shared/transfer-records.ts';
import { batchesOf, HOSTS_A_BATCH } from './batches.ts';
import { type RuleDoc, ruleKey } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { Context } from './session.ts';
import { putChanges, putContributions } from './transfer-host-writes.ts';
import { putVersions } from './transfer-version-writes.ts';

/** Stores transferred records as they are. */
export async function writePart(
  context: Context,
  part: TransferPart,
  records: readonly TransferRecord[],
): Promise<void> {
  for (const batch of batchesOf(records, HOSTS_A_BATCH)) await WRITERS[part](context, batch);
}

type Write = (context: Context, records: readonly TransferRecord[]) => Promise<void>;

const WRITERS: Readonly<Record<TransferPart, Write>> = {
  rules: putRules,
  rule_versions: putVersions,
  hosts: putHosts,
  contributions: (context, records) => putContributions(context, records.map(contributionItem)),

  async relations({ database }, records) {
    await database.relations.bulkWrite(
      records.map(relationItem).map(({ source, ...edge }) => ({
        updateOne: { filter: edge, update: { $set: { source } }, upsert: true },
      })),
      { ordered: false },
    );
  },

  host_changes: putChanges,

  async logs({ database }, records) {
    await database.logs.bulkWrite(
      records.map(logItem).map(({ id: _id, details, ...item }) => ({
        replaceOne: {
          filter: { _id },
          replacement: { ...item, details: [...details], at: new Date(item.at) },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  },

  async audit({ database }, records) {
    await database.audit.bulkWrite(
      records.map(auditItem).map(({ id: _id, at, seq, mark, ...item }) => {
        const entry = { ...item, at: new Date(at) };
        const replacement = seq === null || mark === null ? entry : { ...entry, seq, mark };
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      }),
      { ordered: false },
    );
  },

  async audit_chain({ database }, records) {
    for (const record of records) {
      const state = auditChainItem(record);
      const last = await database.audit.findOne({ seq: { $exists: true } }, { sort: { seq: -1 } });
      const replacement = { state, waiting: [], settled: { state, seq: last?.seq ?? 0 } };
      await database.auditChain.replaceOne({ _id: record.key }, replacement, { upsert: true });
    }
  },

  async token_uses({ database }, records) {
    await database.tokenUses.bulkWrite(
      records.map(tokenUseItem).map(({ tokenId: _id, at }) => ({
        replaceOne: { filter: { _id }, replacement: { at: new Date(at) }, upsert: true },
      })),
      { ordered: false },
    );
  },

  async cron_states({ database }, records) {
    await database.cronStates.bulkWrite(
      records.map(cronStateItem).map(({ groupId: _id, lastStart, lastEnd, ...state }) => ({
        replaceOne: {
          filter: { _id },
          replacement: { ...state, lastStart: new Date(lastStart), lastEnd: dateOf(lastEnd), leaseUntil: 0 },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  },

  async playbook_runs({ database }, records) {
    await database.playbookRuns.bulkWrite(
      records.map(playbookRunItem).map(({ id: _id, startedAt, endedAt, ...run }) => {
        const times = { startedAt: new Date(startedAt), endedAt: dateOf(endedAt) };
        const replacement = { ...run, ...times, leaseUntil: 0, cancelRequested: false };
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      }),
      { ordered: false },
    );
  },

  async playbook_matches({ database }, records) {
    await database.playbookMatches.bulkWrite(
      records.map(playbookMatchItem).map(({ since, ...match }) => ({
        updateOne: { filter: match, update: { $set: { since: new Date(since) } }, upsert: true },
      })),
      { ordered: false },
    );
  },
};

/** Under the lease of rule changes, so that no bundle is decided upon documents that are just being replaced. */
async function putRules(context: Context, records: readonly TransferRecord[]): Promise<void> {
  const items = records.map(ruleItem);
  await changeRules(context, async () => {
    const { rules } = context.database;
    await rules.bulkWrite(
      items.map((item) => {
        const { type, id, name, uniqueValue, version, document } = item;
        const changedAt = new Date(item.changedAt);
        const confirmedBy = item.confirmedBy ?? 'nobody';
        const content: Partial<RuleDoc> = { type, id, name, version, changedAt, document, confirmedBy };
        const value = uniqueValue === null ? { $unset: { uniqueValue: '' as const } } : {};
        // Whether a name must be unique is not transferred; the next write of the document says it again.
        return {
          updateOne: {
            filter: { _id: ruleKey(type, id) },
            update: {
              $set: { ...content, ...(uniqueValue === null ? {} : { uniqueValue }) },
              $setOnInsert: { latest: 0 },
              ...value,
            },
            upsert: true,
          },
        };
      }),
    );
    await context.revisions.bump(context.database, [...new Set(items.map(({ type }) => `rules/${type}`))]);
    return { answer: undefined, steps: [] };
  });
}

async function putHosts(context: Context, records: readonly TransferRecord[]): Promise<void> {
  const token = new ObjectId();
  const items = records.map(hostItem);
  await context.revisions.changingHosts(context.database, async (announce) => {
    await announce();
    await context.database.hosts.bulkWrite(
      items.map((item) => ({
        updateOne: {
          filter: { _id: item.hostname },
          // Contributions and history are parts of their own and stay.
          update: { $set: { ...fieldsOf(item), w: token }, $setOnInsert: { change: null }, $inc: { v: 1 } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  });
}

function fieldsOf(item: HostItem) {
  const { archive } = item;
  return {
    account: item.accountId,
    isObject: item.isObject,
    objectType: item.objectType,
    labels: item.labels,
    inventory: item.inventory,
    members: item.members,
    folder: item.folder,
    createdAt: new Date(item.createdAt),
    createdBy: item.createdBy,
    lastSeen: dateOf(item.lastSeen),
    lastUpdate: dateOf(item.lastUpdate),
    sight: new Date(item.lastSeen ?? item.createdAt),
    archived: archive !== null,
    archivedAt: dateOf(archive?.at ?? null),
    archivedBy: archive?.by ?? null,
    run: item.runId,
  };
}

function dateOf(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

/** Deletes everything but what the nodes agree about. The audit log goes last: it tells what was going on here. */
export async function clearEverything(context: Context): Promise<void> {
  const { database, revisions } = context;
  await changeRules(context, async () => {
    const types = await database.rules.distinct('type');
    for (const name of ['rules', 'ruleVersions', 'rulePlans'] as const) await database[name].deleteMany({});
    if (types.length > 0)
      await revisions.bump(
        database,
        types.map((type) => `rules/${type}`),
      );
    return { answer: undefined, steps: [] };
  });
  if ((await database.hosts.findOne({}, { projection: { _id: 1 } })) !== null) {
    await revisions.changingHosts(database, async (announce) => {
      await announce();
      await database.hosts.deleteMany({});
    });
  }
  const journals = ['history', 'relations', 'purges', 'logs', 'tokenUses', 'usedOnce'] as const;
  const others = [...journals, 'cronStates', 'playbookRuns', 'playbookMatches', 'sessions'] as const;
  const trail = ['auditForwarded', 'auditChain', 'audit'] as const;
  for (const name of [...others, ...trail]) await database[name].deleteMany({});
}
