import type { Filter } from 'mongodb';
import type { PlaybookMatch, PlaybookRun, PlaybookStore, RememberedMatch } from '../../../ports/index.ts';
import { batchesOf } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { DocumentReader } from './document-reader.ts';
import type { PlaybookMatchDoc, PlaybookRunDoc } from './documents.ts';
import { isDuplicateKey } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import type { Session } from './session.ts';
import { behind } from './transfer-reading.ts';

const NEWEST_FIRST = { startedAt: -1, _id: -1 } as const;
const RUNS = { $gt: ['$leaseUntil', SERVER_NOW] };

/** Runs of playbooks and what has fired. Each call is one write of one document, and the server's clock says whether a lease lasts. */
export function mongodbPlaybooks(session: Session): PlaybookStore {
  return {
    begin: ({ id: _id, leaseMs, ...run }) =>
      session.run(async ({ database }) => {
        const open = { endedAt: null, status: 'running', exitCode: null, message: '', output: '' } as const;
        // In two steps, because only a pipeline knows the server's time: until the second one it is as if it were lost.
        const { playbook, provider, hostname, checkMode, source, startedBy, startedAt, choices } = run;
        const told = { playbook, provider, hostname, checkMode, source, startedBy, startedAt };
        const chosen = choices === undefined ? {} : { choices };
        await database.playbookRuns.insertOne({
          _id,
          ...told,
          ...chosen,
          ...open,
          leaseUntil: 0,
          cancelRequested: false,
        });
        await database.playbookRuns.updateOne({ _id }, [{ $set: { leaseUntil: leaseOf(leaseMs) } }]);
      }),

    keep: ({ id, leaseMs, output }) =>
      session.run(async ({ database }) => {
        // A text that begins with a dollar would be read as the name of a field.
        const told = output === undefined ? {} : { output: { $literal: output } };
        const run = await database.playbookRuns.findOneAndUpdate(
          { _id: id, status: 'running' },
          [{ $set: { leaseUntil: leaseOf(leaseMs), ...told } }],
          { projection: { cancelRequested: 1 } },
        );
        if (run === null) return 'ended';
        return run.cancelRequested ? 'cancel' : 'kept';
      }),

    end: ({ id, at: endedAt, status, exitCode, message, output }) =>
      session.run(async ({ database }) => {
        const update = { $set: { endedAt, status, exitCode, message, output } };
        return (await database.playbookRuns.updateOne({ _id: id, status: 'running' }, update)).matchedCount === 1;
      }),

    requestCancel: (id) =>
      session.run(async ({ database }) => {
        const running: Filter<PlaybookRunDoc> = { _id: id, status: 'running', $expr: RUNS };
        const { matchedCount } = await database.playbookRuns.updateOne(running, { $set: { cancelRequested: true } });
        if (matchedCount === 1) return 'requested';
        const found = await database.playbookRuns.findOne({ _id: id }, { projection: { _id: 1 } });
        return found === null ? 'not_found' : 'not_running';
      }),

    find: (id) =>
      session.run(async ({ database }) => {
        const [run] = await database.playbookRuns.aggregate<ReadRun>([{ $match: { _id: id } }, HELD]).toArray();
        return run === undefined ? undefined : { ...toRun(run), output: run.output };
      }),

    latest: ({ limit, before }) =>
      session.run(async ({ database }) => {
        if (limit <= 0) return [];
        const stages = [{ $sort: NEWEST_FIRST }, { $limit: limit }, HELD, { $unset: 'output' }];
        const place = before === undefined ? [] : [{ $match: earlierThan(before.startedAt, before.id) }];
        const runs = await database.playbookRuns.aggregate<ReadRun>([...place, ...stages]).toArray();
        return runs.map(toRun);
      }),

    prune: (before) =>
      session.run(async ({ database }) => {
        const over = { $or: [{ $ne: ['$status', 'running'] }, { $lte: ['$leaseUntil', SERVER_NOW] }] };
        return deleteMatching(
          database.playbookRuns,
          { startedAt: { $lt: before }, $expr: over },
          { still: { $expr: over } },
        );
      }),

    matches: (batchSize) =>
      session.stream(async function* ({ database }) {
        const docs = new DocumentReader<PlaybookMatchDoc>((last) => {
          const filter: Filter<PlaybookMatchDoc> =
            last === undefined ? {} : behind({ hostname: last.hostname, ruleId: last.ruleId, playbook: last.playbook });
          return database.playbookMatches.find(filter, { sort: { hostname: 1, ruleId: 1, playbook: 1 } });
        });
        for await (const page of docs.batches(batchSize)) yield page.map(toMatch);
      }),

    remember: ({ hostname, ruleId, playbook, since }) =>
      session.run(async ({ database }) => {
        const key = { hostname, ruleId, playbook };
        try {
          const { upsertedCount } = await database.playbookMatches.updateOne(
            key,
            { $setOnInsert: { since } },
            { upsert: true },
          );
          return upsertedCount === 1;
        } catch (error) {
          // Another node inserted it at the same moment.
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    forget: (matches) =>
      session.run(async ({ database }) => {
        let count = 0;
        for (const batch of batchesOf(matches, 1_000)) {
          const deletes = batch.map((match) => ({ deleteOne: { filter: keyOf(match) } }));
          count += (await database.playbookMatches.bulkWrite(deletes, { ordered: false })).deletedCount;
        }
        return count;
      }),
  };
}

type ReadRun = PlaybookRunDoc & { readonly isHeld: boolean };

const HELD = { $addFields: { isHeld: RUNS } };

function leaseOf(milliseconds: number): object {
  return { $add: [SERVER_NOW, milliseconds] };
}

function earlierThan(startedAt: Date, id: string): Filter<PlaybookRunDoc> {
  return { $or: [{ startedAt: { $lt: startedAt } }, { startedAt, _id: { $lt: id } }] };
}

function toRun({ _id, leaseUntil, cancelRequested, output, isHeld, status, ...run }: ReadRun): PlaybookRun {
  return { ...run, id: _id, status: status === 'running' && !isHeld ? 'lost' : status };
}

function toMatch({ hostname, ruleId, playbook, since }: PlaybookMatchDoc): RememberedMatch {
  return { hostname, ruleId, playbook, since };
}

function keyOf({ hostname, ruleId, playbook }: PlaybookMatch): PlaybookMatch {
  return { hostname, ruleId, playbook };
}
