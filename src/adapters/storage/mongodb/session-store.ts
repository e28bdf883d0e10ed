import type { SessionRecord, SessionStore } from '../../../ports/index.ts';
import type { SessionDoc } from './documents.ts';
import type { Session } from './session.ts';

/** Sessions of the admin interface in MongoDB, a document each. */
export function mongodbSessions(session: Session): SessionStore {
  return {
    begin: ({ id: _id, signIn, ...others }) =>
      session.run(async ({ database }) => {
        await database.sessions.insertOne({ _id, ...others, ...(signIn === undefined ? {} : { signIn }), failures: 0 });
      }),

    find: (id) =>
      session.run(async ({ database }) => {
        const doc = await database.sessions.findOne({ _id: id });
        return doc === null ? undefined : toSession(doc);
      }),

    seen: (id, at) =>
      session.run(async ({ database }) => {
        await database.sessions.updateOne({ _id: id }, { $max: { seenAt: at } });
      }),

    countFailure: (id) =>
      session.run(async ({ database }) => {
        const update = { $inc: { failures: 1 } };
        const doc = await database.sessions.findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' });
        return doc?.failures ?? 0;
      }),

    ofUser: (userId) =>
      session.run(async ({ database }) => {
        const docs = await database.sessions.find({ userId }, { sort: { seenAt: -1, _id: 1 } }).toArray();
        return docs.map(toSession);
      }),

    end: (id) =>
      session.run(async ({ database }) => (await database.sessions.deleteOne({ _id: id })).deletedCount === 1),

    endOfUser: (userId, except) =>
      session.run(async ({ database }) => {
        const filter = except === undefined ? { userId } : { userId, _id: { $ne: except } };
        return (await database.sessions.deleteMany(filter)).deletedCount;
      }),

    ask: (id, { notSince, at }) =>
      session.run(async ({ database }) => {
        const filter = { _id: id, 'signIn.askedAt': { $lte: notSince } };
        return (await database.sessions.updateOne(filter, { $set: { 'signIn.askedAt': at } })).matchedCount === 1;
      }),

    vouch: (id, { at, kept }) =>
      session.run(async ({ database }) => {
        const filter = { _id: id, 'signIn.method': { $exists: true } };
        await database.sessions.updateOne(filter, { $set: { 'signIn.vouchedAt': at, 'signIn.kept': kept } });
      }),

    endOfLogin: ({ method, subject, session: login }) =>
      session.run(async ({ database }) => {
        if (subject === undefined && login === undefined) return 0;
        const filter = {
          'signIn.method': method,
          ...(subject === undefined ? {} : { 'signIn.subject': subject }),
          ...(login === undefined ? {} : { 'signIn.session': login }),
        };
        return (await database.sessions.deleteMany(filter)).deletedCount;
      }),

    prune: ({ seenBefore, begunBefore }) =>
      session.run(async ({ database }) => {
        const filter = { $or: [{ seenAt: { $lt: seenBefore } }, { begunAt: { $lt: begunBefore } }] };
        return (await database.sessions.deleteMany(filter)).deletedCount;
      }),
  };
}

function toSession({ _id: id, failures: _, signIn, ...others }: SessionDoc): SessionRecord {
  return { id, ...others, ...(signIn === undefined ? {} : { signIn }) };
}
