import {
  AppError,
  type RecordStore,
  type SessionRecord,
  type SessionSignIn,
  type SessionStore,
  type SignInStore,
} from '../../../ports/index.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { type Decision, type Kept, RecordKind, timeKey, within } from './record-kind.ts';

/** A session with the wrong passwords that were tried in it. Times are milliseconds. */
interface StoredSession extends Omit<SessionRecord, 'begunAt' | 'seenAt' | 'signIn'> {
  readonly begunAt: number;
  readonly seenAt: number;
  readonly signIn?: StoredSignIn;
  readonly failures: number;
}

interface StoredSignIn extends Omit<SessionSignIn, 'vouchedAt' | 'askedAt'> {
  readonly vouchedAt: number;
  readonly askedAt: number;
}

const USER = 0;
const METHOD = 1;
const SEEN = 2;
const BEGUN = 3;

/** Sessions read at once. */
const PAGE = 500;

export function recordedSessions(records: () => RecordStore): SessionStore {
  const kind = new RecordKind<StoredSession>(records, {
    name: 'sessions',
    key: ({ id }) => id,
    sorts: [
      ({ userId, id }) => `${userId}\u0000${id}`,
      ({ signIn, id }) => (signIn === undefined ? null : `${signIn.method}\u0000${id}`),
      ({ seenAt, id }) => `${timeKey(seenAt)}\u0000${id}`,
      ({ begunAt, id }) => `${timeKey(begunAt)}\u0000${id}`,
    ],
  });

  const changeThere = <Answer>(
    id: string,
    otherwise: Answer,
    decide: (session: StoredSession) => Decision<StoredSession, Answer>,
  ): Promise<Answer> => kind.change(id, (session) => (session === undefined ? { answer: otherwise } : decide(session)));

  /** Ends those of a range that are meant, and answers how many. */
  async function endEach(
    range: { readonly by: number; readonly from?: string; readonly before?: string },
    isMeant: (session: StoredSession) => boolean,
  ): Promise<number> {
    let count = 0;
    for await (const page of kind.pages({ ...range, limit: PAGE })) {
      for (const { key } of page.filter(({ item }) => isMeant(item))) if (await end(key)) count++;
    }
    return count;
  }

  const end = (id: string): Promise<boolean> =>
    kind.change(id, (session): Decision<StoredSession, boolean> => {
      return session === undefined ? { answer: false } : { answer: true, put: null };
    });

  return {
    async begin(session) {
      const stored = { ...fromSession(session), failures: 0 };
      if ((await records().write([kind.put(stored, null)])) === null)
        throw new AppError('conflict', 'there is a session of that id already');
    },

    async find(id) {
      const { kept } = await kind.find(id);
      return kept && toSession(kept);
    },

    seen: (id, at) =>
      changeThere(id, undefined, (session) =>
        session.seenAt < at.getTime()
          ? { answer: undefined, put: { ...session, seenAt: at.getTime() } }
          : { answer: undefined },
      ),

    countFailure: (id) =>
      changeThere(id, 0, (session) => {
        const failures = session.failures + 1;
        return { answer: failures, put: { ...session, failures } };
      }),

    async ofUser(userId) {
      const found: Kept<StoredSession>[] = [];
      for await (const page of kind.pages({ by: USER, ...within(userId), limit: PAGE })) found.push(...page);
      return found.sort((a, b) => b.item.seenAt - a.item.seenAt || compareUtf8(a.key, b.key)).map(toSession);
    },

    end,

    endOfUser: (userId, except) => endEach({ by: USER, ...within(userId) }, ({ id }) => id !== except),

    ask: (id, { notSince, at }) =>
      changeThere(id, false, (session): Decision<StoredSession, boolean> => {
        const { signIn } = session;
        if (signIn === undefined || signIn.askedAt > notSince.getTime()) return { answer: false };
        return { answer: true, put: { ...session, signIn: { ...signIn, askedAt: at.getTime() } } };
      }),

    vouch: (id, { at, kept }) =>
      changeThere(id, undefined, (session) => {
        if (session.signIn === undefined) return { answer: undefined };
        return { answer: undefined, put: { ...session, signIn: { ...session.signIn, vouchedAt: at.getTime(), kept } } };
      }),

    async endOfLogin({ method, subject, session }) {
      if (subject === undefined && session === undefined) return 0;
      return endEach(
        { by: METHOD, ...within(method) },
        ({ signIn }) =>
          signIn !== undefined &&
          (subject === undefined || signIn.subject === subject) &&
          (session === undefined || signIn.session === session),
      );
    },

    async prune({ seenBefore, begunBefore }) {
      const unseen = await endEach({ by: SEEN, before: timeKey(seenBefore.getTime()) }, () => true);
      return unseen + (await endEach({ by: BEGUN, before: timeKey(begunBefore.getTime()) }, () => true));
    },
  };
}

function fromSession({ begunAt, seenAt, signIn, ...session }: SessionRecord): Omit<StoredSession, 'failures'> {
  return {
    ...session,
    begunAt: begunAt.getTime(),
    seenAt: seenAt.getTime(),
    ...(signIn && {
      signIn: { ...signIn, vouchedAt: signIn.vouchedAt.getTime(), askedAt: signIn.askedAt.getTime() },
    }),
  };
}

function toSession({ item }: Kept<StoredSession>): SessionRecord {
  const { failures: _, begunAt, seenAt, signIn, ...session } = item;
  return {
    ...session,
    begunAt: new Date(begunAt),
    seenAt: new Date(seenAt),
    ...(signIn && {
      signIn: { ...signIn, vouchedAt: new Date(signIn.vouchedAt), askedAt: new Date(signIn.askedAt) },
    }),
  };
}

/** When another system last confirmed a user, milliseconds. */
interface StoredConfirmation {
  readonly userId: string;
  readonly at: number;
}

export function recordedSignIns(records: () => RecordStore): SignInStore {
  const kind = new RecordKind<StoredConfirmation>(records, { name: 'sign_ins', key: ({ userId }) => userId });
  return {
    vouch: (userId, at) =>
      kind.change(userId, (known) =>
        known === undefined || known.at < at.getTime()
          ? { answer: undefined, put: { userId, at: at.getTime() } }
          : { answer: undefined },
      ),

    async vouchedAt(userId) {
      const { kept } = await kind.find(userId);
      return kept && new Date(kept.item.at);
    },

    withdraw: (userId) =>
      kind.change(userId, (known): Decision<StoredConfirmation, boolean> => {
        return known === undefined ? { answer: false } : { answer: true, put: null };
      }),
  };
}
