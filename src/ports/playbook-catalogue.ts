import type { ErrorDetail } from './errors.ts';

/** A playbook that may be run. */
export interface Playbook {
  /** As the manifest names it: relative to the folder of playbooks, with `/`. Identifies it. */
  readonly file: string;
  /** For people. */
  readonly name: string;
  /** The inventory provider that it runs with by default. */
  readonly inventory: string;
  readonly description: string;
}

export interface PlaybookList {
  /** By file. */
  readonly playbooks: readonly Playbook[];
  /** Entries that cannot be used, each with its position and the reason. */
  readonly problems: readonly ErrorDetail[];
}

/** The available playbooks. Only playbooks listed here are ever run. */
export interface PlaybookCatalogue {
  /** Reads the manifest again. Throws `AppError('failed')` if it does not exist or cannot be read at all. */
  list(): Promise<PlaybookList>;
}
