import type { AnyOperation } from './kernel/operation.ts';

/**
 * The operations that are commands, by the first word: a command loads those that begin as it does, and no others. Written by
 * `npm run catalogue` from the files that declare them.
 */
export const COMMAND_INDEX: Readonly<Record<string, () => Promise<readonly AnyOperation[]>>> = {
  backup: async () => [(await import('./maintenance/operations/back-up.ts')).backUp],
  host: async () => [
    (await import('./hosts/operations/archive-host.ts')).archiveHost,
    (await import('./hosts/operations/host-history.ts')).hostHistory,
    (await import('./hosts/operations/restore-host.ts')).restoreHost,
  ],
  storage: async () => [(await import('./maintenance/operations/rotate-key.ts')).rotateKey],
};
