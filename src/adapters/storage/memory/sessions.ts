import { AppError, type SessionRecord, type SessionStore } from '../../../ports/index.ts';
import type { MemoryState } from './state.ts';

export function memorySessions(state: () => MemoryState): SessionStore {
  const removeEach = (matches: (session: SessionRecord) => boolean): number => {
    const { sessions } = state();
    const found = [...sessions.values()].filter(matches);
    for (const { id } of found) sessions.delete(id);
    return found.length;
  };
  return {
    async begin(session) {
      const { sessions } = state();
      if (sessions.has(session.id)) throw new AppError('conflict', 'there is a session of that id already');
      sessions.set(session.id, { ...structuredClone(session), failures: 0 });
    },
    async find(id) {
      const found = state().sessions.get(id);
      return found === undefined ? undefined : recordOf(found);
    },
    async seen(id, at) {
      const { sessions } = state();
      const found = sessions.get(id);
      if (found !== undefined && found.seenAt < at) sessions.set(id, { ...found, seenAt: new Date(at) });
    },
    async countFailure(id) {
      const { sessions } = state();
      const found = sessions.get(id);
      if (found === undefined) return 0;
      sessions.set(id, { ...found, failures: found.failures + 1 });
      return found.failures + 1;
    },
    async ofUser(userId) {
      return [...state().sessions.values()]
        .filter((session) => session.userId === userId)
        .sort((a, b) => b.seenAt.getTime() - a.seenAt.getTime() || (a.id < b.id ? -1 : 1))
        .map(recordOf);
    },
    end: async (id) => state().sessions.delete(id),
    endOfUser: async (userId, except) => removeEach((session) => session.userId === userId && session.id !== except),
    async ask(id, { notSince, at }) {
      const { sessions } = state();
      const found = sessions.get(id);
      if (found?.signIn === undefined || found.signIn.askedAt > notSince) return false;
      sessions.set(id, { ...found, signIn: { ...found.signIn, askedAt: new Date(at) } });
      return true;
    },
    async vouch(id, { at, kept }) {
      const { sessions } = state();
      const found = sessions.get(id);
      if (found?.signIn === undefined) return;
      sessions.set(id, { ...found, signIn: { ...found.signIn, vouchedAt: new Date(at), kept } });
    },
    async endOfLogin({ method, subject, session }) {
      if (subject === undefined && session === undefined) return 0;
      return removeEach(
        ({ signIn }) =>
          signIn?.method === method &&
          (subject === undefined || signIn.subject === subject) &&
          (session === undefined || signIn.session === session),
      );
    },
    prune: async ({ seenBefore, begunBefore }) =>
      removeEach((session) => session.seenAt < seenBefore || session.begunAt < begunBefore),
  };
}

function recordOf({ failures: _, ...session }: SessionRecord & { readonly failures: number }): SessionRecord {
  return structuredClone(session);
}
