/** A comment of a person on a host. */
export interface HostComment {
  readonly hostname: string;
  /** 24 hex digits; a later comment has a greater one. */
  readonly id: string;
  readonly at: Date;
  /** Name of the user. */
  readonly author: string;
  readonly text: string;
}

/** Comments on hosts. A rename of the host takes them along, and a purge removes them. They are part of transfers. */
export interface CommentStore {
  add(comment: HostComment): Promise<void>;
  /** Comments on a host by id, newest first, at most `limit`; only those with a smaller id than `before`, if given. */
  list(request: {
    readonly hostname: string;
    readonly limit: number;
    readonly before?: string;
  }): Promise<readonly HostComment[]>;
  count(hostname: string): Promise<number>;
  /** False when the host has no such comment. */
  remove(comment: Pick<HostComment, 'hostname' | 'id'>): Promise<boolean>;
}
