/** Why an account left a mark at a host: it brought the host with a part of its source, filled a section of it, or knows it by a key. */
export type MarkKind = 'part' | 'section' | 'key';

/** A set of marked hosts: those that an account brought with one part, or those of which it filled one section. */
export interface MarkedBy {
  readonly accountId: string;
  readonly kind: MarkKind;
  /** The name of the part, the key of the section, or what the host is known by (`serial=J4711`). */
  readonly value: string;
}

/** A host with one of the keys that an account knows it by: `serial=J4711`. */
export type KeyedHost = Pick<HostMark, 'hostname' | 'value'>;

export interface HostMark extends MarkedBy {
  readonly hostname: string;
  /** When the account last said so. */
  readonly at: Date;
}

/**
 * Records what accounts did to hosts, as far as a later run must know it: to withdraw what is no longer named, and nothing of
 * others.
 */
export interface MarkStore {
  /** Marks hosts, whether or not there are such hosts; a mark that is there is renewed, and its time never moves back. */
  put(mark: MarkedBy & { readonly hostnames: readonly string[]; readonly at: Date }): Promise<void>;

  /** How many hosts are marked so. */
  count(mark: MarkedBy): Promise<number>;

  /** The values of all marks of a kind that an account left, each once, in byte order. */
  values(mark: Omit<MarkedBy, 'value'>): Promise<readonly string[]>;

  /**
   * The names of marked hosts whose mark was last renewed before the time, in byte order, in batches of at most `batchSize`.
   * Marks of a batch may be removed before the next one is asked for.
   */
  unrenewed(mark: MarkedBy & { readonly since: Date; readonly batchSize: number }): AsyncIterable<readonly string[]>;

  /** All marks of these hosts, by hostname, kind, value, then account. */
  of(hostnames: readonly string[]): Promise<readonly HostMark[]>;

  /** Takes marks back that were not renewed since the time. */
  remove(mark: MarkedBy & { readonly hostnames: readonly string[]; readonly since: Date }): Promise<void>;

  /** As `put`, for marks of kind `key`, each with its own value. */
  putKeys(request: {
    readonly accountId: string;
    readonly keys: readonly KeyedHost[];
    readonly at: Date;
  }): Promise<void>;

  /** The marks of kind `key` with one of these values, from any account, by value, hostname, then account. */
  holders(values: readonly string[]): Promise<readonly HostMark[]>;

  /** As `unrenewed`, for all keys that an account left, by value, then hostname. */
  unrenewedKeys(request: {
    readonly accountId: string;
    readonly since: Date;
    readonly batchSize: number;
  }): AsyncIterable<readonly KeyedHost[]>;

  /** As `remove`, for keys. */
  removeKeys(request: {
    readonly accountId: string;
    readonly keys: readonly KeyedHost[];
    readonly since: Date;
  }): Promise<void>;

  /** Takes back every mark that an account left, of whatever kind. Answers the count. */
  clear(accountId: string): Promise<number>;
}
