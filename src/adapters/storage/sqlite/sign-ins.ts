import type { SignInStore } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import type { WriterClient } from './writer-client.ts';

export function sqliteSignIns(read: () => Connection, writer: () => WriterClient): SignInStore {
  return {
    async vouch(userId, at) {
      await writer().call('confirmUser', { userId, at: at.getTime() });
    },
    async vouchedAt(userId) {
      const row = read().get<{ at: number }>('SELECT at FROM sign_ins WHERE user_id = ?', userId);
      return row === undefined ? undefined : new Date(row.at);
    },
    withdraw: async (userId) => writer().call('withdrawSignIn', userId),
  };
}
