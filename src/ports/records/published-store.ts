/** A file that an account publishes, as those who read it over HTTP see it. */
export interface PublishedFile {
  /** As it is asked for: `targets.json`, `by-site/berlin.json`. */
  readonly name: string;
  readonly contentType: string;
  /** The SHA-256 of its text, in hexadecimal digits. */
  readonly digest: string;
  /** Bytes of its text. */
  readonly size: number;
  readonly publishedAt: Date;
}

export interface PublishedContent extends PublishedFile {
  /** The text in gzip's form, as Base64. */
  readonly body: string;
}

/** Files that exports publish, by account. Not part of backups and copies: the next export creates them again. */
export interface PublishedStore {
  /**
   * Makes these all files of the account. One call is one atomic unit: readers see either the old or the new files, and a list
   * never names one that cannot be read. All of them together may have `MAX_PUBLISHED` characters.
   */
  replace(accountId: string, files: readonly PublishedContent[]): Promise<void>;

  /** All files of the account by name, in byte order. */
  list(accountId: string): Promise<readonly PublishedFile[]>;

  /** `undefined` when the account has no file of this name. */
  read(accountId: string, name: string): Promise<PublishedContent | undefined>;
}

/** Characters of all bodies and names of an account. A document of MongoDB holds 16 MB. */
export const MAX_PUBLISHED = 12_000_000;
