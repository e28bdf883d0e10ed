import type { PublishedFile } from './records/published-store.ts';

/** The texts that the account of a target publishes: clients with the role `automation` read them over HTTP, on every node. */
export interface PublishedFiles {
  /** Lists the currently published files, by name in byte order. */
  list(): Promise<readonly PublishedFile[]>;
  /** The text of a file; `undefined` when there is none of this name. */
  text(name: string): Promise<string | undefined>;
  /**
   * Makes these all files of the account, at once: readers see the files of before until then. A file without `text` stays as it is. Throws
   * `AppError('failed')` when they are too large together, and nothing changes.
   */
  replace(files: readonly NewPublishedFile[]): Promise<void>;
}

export interface NewPublishedFile {
  readonly name: string;
  readonly contentType: string;
  readonly text?: string;
}
