import type { AnyOperation } from './execution/operation.ts';

/**
 * The operations that are commands, by the first word: a command loads those that begin as it does, and no others. Written by
 * `npm run catalogue` from the files that declare them.
 */
export const COMMAND_INDEX: Readonly<Record<string, () => Promise<readonly AnyOperation[]>>> = {
  host: async () => [
    (await import('./operations/hosts/archive-host.ts')).archiveHost,
    (await import('./operations/hosts/host-history.ts')).hostHistory,
    (await import('./operations/hosts/restore-host.ts')).restoreHost,
  ],
};
