import type { HostRename } from '../../../ports/index.ts';
import type { HostDiff } from './write-mode.ts';

/** What a dry run tells of hosts that would get another name: it compares them under the name that they still have. */
export class RenameDiffs {
  readonly #tell: (diff: HostDiff) => void;
  /** By the names that they still have. */
  #renames = new Map<string, string>();

  constructor(tell: (diff: HostDiff) => void) {
    this.#tell = tell;
  }

  readonly tell = (diff: HostDiff): void => {
    const { hostname: from, changes } = diff;
    const to = this.#renames.get(from);
    if (to === undefined) {
      this.#tell(diff);
      return;
    }
    this.#renames.delete(from);
    this.#tell({
      hostname: to,
      outcome: 'updated',
      changes: [{ path: 'hostname', before: from, after: to }, ...changes],
    });
  };

  /** Does the work for which these hosts are renamed, and tells of each of them, also where nothing else changes. */
  async renaming<T>(renames: readonly HostRename[], work: () => Promise<T>): Promise<T> {
    this.#renames = new Map(renames.map(({ from, to }) => [from, to]));
    const done = await work();
    for (const from of [...this.#renames.keys()]) this.tell({ hostname: from, outcome: 'updated', changes: [] });
    return done;
  }
}
