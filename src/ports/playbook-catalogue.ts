import type { ErrorDetail } from './errors.ts';

/** A playbook that may be run. */
export interface Playbook {
  /** As the manifest names it: relative to the folder of playbooks, with `/`. Identifies it. */
  readonly file: string;
  /** For people. */
  readonly name: string;
  /** The inventory provider that it runs with unless told otherwise. */
  readonly inventory: string;
  readonly description: string;
}

export interface PlaybookList {
  /** By file. */
  readonly playbooks: readonly Playbook[];
  /** Entries that cannot be used, each with where it stands and why. */
  readonly problems: readonly ErrorDetail[];
}

/** The playbooks that there are. Only what stands here is ever run. */
export interface PlaybookCatalogue {
  /** Reads the manifest anew. Throws `AppError('failed')` when there is none or it cannot be read at all. */
  list(): Promise<PlaybookList>;
}
