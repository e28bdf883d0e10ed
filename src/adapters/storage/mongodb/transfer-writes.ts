import { randomUUID } from 'node:crypto';
import { type Document, ObjectId } from 'mongodb';
import type { TransferPart, TransferRecord } from '../../../ports/index.ts';
import { itemOf, TRANSFER_TABLE, type TransferItem } from '../shared/transfer-table.ts';
import { batchesOf, HOSTS_A_BATCH } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { renewFeed } from './feed-rows.ts';
import { changeRules } from './rule-journal.ts';
import type { Database } from './schema.ts';
import type { Context } from './session.ts';
import { hostFields, ruleKey } from './stored-records.ts';
import { type CollectionPart, collectionOf, documentOf, keyMembers } from './transfer-documents.ts';
import { putChanges, putContributions } from './transfer-host-writes.ts';
import { putVersions } from './transfer-version-writes.ts';

/** Stores transferred records as they are. */
export async function writePart<Part extends TransferPart>(
  context: Context,
  part: Part,
  records: readonly TransferRecord[],
): Promise<void> {
  const put = WRITERS[part];
  for (const batch of batchesOf(records, HOSTS_A_BATCH)) {
    await put(
      context,
      batch.map((record) => itemOf(part, record)),
    );
  }
}

type Put<Part extends TransferPart> = (context: Context, items: readonly TransferItem<Part>[]) => Promise<void>;

const WRITERS: { readonly [Part in TransferPart]: Put<Part> } = {
  rules: putRules,
  rule_versions: putVersions,
  hosts: putHosts,
  contributions: putContributions,
  relations: replacing('relations'),
  account_marks: replacing('account_marks'),
  host_changes: putChanges,
  host_comments: replacing('host_comments'),
  logs: replacing('logs'),
  audit: replacing('audit'),
  audit_chain: putAuditChain,
  token_uses: replacing('token_uses'),
  cron_states: replacing('cron_states'),
  playbook_runs: replacing('playbook_runs'),
  playbook_matches: replacing('playbook_matches'),
  ownership: replacing('ownership'),
  host_counts: replacing('host_counts'),
};

/** Stores documents in place of those that have their keys. */
function replacing<Part extends CollectionPart>(part: Part): Put<Part> {
  const key = keyMembers(part);
  return async ({ database }, items) => {
    await collectionOf(database, part).bulkWrite(
      items.map((item) => {
        const replacement = documentOf(part, item);
        const filter = Object.fromEntries(key.map((member) => [member, replacement[member]]));
        return { replaceOne: { filter, replacement, upsert: true } };
      }),
      { ordered: false },
    );
  };
}

async function putAuditChain({ database }: Context, items: readonly TransferItem<'audit_chain'>[]): Promise<void> {
  for (const { state } of items) {
    const last = await database.audit.findOne({ seq: { $exists: true } }, { sort: { seq: -1 } });
    const replacement = { state, waiting: [], settled: { state, seq: last?.seq ?? 0 } };
    await database.auditChain.replaceOne({ _id: TRANSFER_TABLE.audit_chain.key }, replacement, { upsert: true });
  }
}

/** Under the lease of rule changes, so that no bundle is decided upon documents that are just being replaced. */
async function putRules(context: Context, items: readonly TransferItem<'rules'>[]): Promise<void> {
  await changeRules(context, async () => {
    await context.database.rules.bulkWrite(
      items.map((item) => {
        const { uniqueValue, ...members } = documentOf('rules', item);
        const content: Document = { ...members, confirmedBy: item.confirmedBy ?? 'nobody' };
        const withValue = { $set: { ...content, uniqueValue } };
        const withoutValue = { $set: content, $unset: { uniqueValue: '' as const } };
        // Whether a name must be unique is not transferred; the next write of the document says it again.
        const update = { ...(uniqueValue === null ? withoutValue : withValue), $setOnInsert: { latest: 0 } };
        return { updateOne: { filter: { _id: ruleKey(item.type, item.id) }, update, upsert: true } };
      }),
    );
    await context.revisions.bump(context.database, [...new Set(items.map(({ type }) => `rules/${type}`))]);
    return { answer: undefined, steps: [] };
  });
}
async function putHosts(context: Context, items: readonly TransferItem<'hosts'>[]): Promise<void> {
  const token = new ObjectId();
  await context.revisions.changingHosts(context.database, async (announce) => {
    await announce();
    await context.database.hosts.bulkWrite(
      items.map((item) => {
        const fields = { ...hostFields({ ...item, layers: [] }), createdBy: item.createdBy, w: token };
        // Contributions and history are parts of their own and stay.
        const update = { $set: fields, $setOnInsert: { change: null }, $inc: { v: 1 } };
        return { updateOne: { filter: { _id: item.hostname }, update, upsert: true } };
      }),
      { ordered: false },
    );
  });
}

/** Deletes everything except the shared state of the nodes. The audit log is deleted last: it shows what happened here. */
export async function clearEverything(context: Context): Promise<void> {
  const { database, revisions } = context;
  const clear = (name: keyof Database) => deleteMatching(database.control.db.collection(name), {});
  await renewFeed(context, randomUUID());
  await changeRules(context, async () => {
    const types = await database.rules.distinct('type');
    for (const name of ['rules', 'ruleVersions', 'rulePlans'] as const) await clear(name);
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
      await clear('hosts');
    });
  }
  const journals = [
    'history',
    'relations',
    'accountMarks',
    'purges',
    'renames',
    'logs',
    'tokenUses',
    'usedOnce',
  ] as const;
  const runs = [
    'cronStates',
    'playbookRuns',
    'playbookMatches',
    'hostComments',
    'plans',
    'planEntries',
    'planNames',
    'ownership',
    'hostCounts',
  ] as const;
  const others = [...journals, ...runs, 'sessions', 'signIns', 'activeRuns', 'work', 'outbox', 'outboxMarks'] as const;
  const trail = ['auditForwarded', 'auditChain', 'audit'] as const;
  for (const name of [...others, ...trail]) await clear(name);
}
