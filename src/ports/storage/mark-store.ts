/** Why an account left a mark at a host: it brought the host with a part of its source, or filled a section of it. */
export type MarkKind = 'part' | 'section';

/** What is marked: the hosts that an account brought with one part, or those of which it filled one section. */
export interface MarkedBy {
  readonly accountId: string;
  readonly kind: MarkKind;
  /** The name of the part, or the key of the section. */
  readonly value: string;
}

export interface HostMark extends MarkedBy {
  readonly hostname: string;
  /** When the account last said so. */
  readonly at: Date;
}

/** What accounts did to hosts, as far as a later run must know it: to take back what is no longer named, and nothing of others. */
export interface MarkStore {
  /** Marks hosts, whether or not there are such hosts; a mark that is there is renewed, and its time never moves back. */
  put(mark: MarkedBy & { readonly hostnames: readonly string[]; readonly at: Date }): Promise<void>;

  /** How many hosts are marked so. */
  count(mark: MarkedBy): Promise<number>;

  /**
   * The names of marked hosts whose mark was last renewed before the time, in byte order, in batches of at most `batchSize`.
   * Marks of a batch may be removed before the next one is asked for.
   */
  unrenewed(mark: MarkedBy & { readonly since: Date; readonly batchSize: number }): AsyncIterable<readonly string[]>;

  /** All marks of these hosts, by hostname, kind, value, then account. */
  of(hostnames: readonly string[]): Promise<readonly HostMark[]>;

  /** Takes marks back that were not renewed since the time. */
  remove(mark: MarkedBy & { readonly hostnames: readonly string[]; readonly since: Date }): Promise<void>;
}
