import type { HostDraft, HostPart } from './host-draft.ts';
import type { HostState } from './host-state.ts';

/** A host as imports mostly meet it: not archived, without contributions of others, and with the likely labels. */
export type LikelyHost = Pick<HostState, 'accountId' | 'lastSeen' | 'runId'> & { readonly archive: null };

/** A host that was seen again, and nothing else. */
export interface SeenAgain<Outcome> extends Pick<HostState, 'runId'> {
  readonly outcome: Outcome;
  readonly lastSeen: number;
}

/**
 * One thing that can happen to hosts, for every store. It is plain code without a closure over a request, so that a message
 * can name it to a thread, and it decides again wherever its first decision came too late.
 */
export interface NamedChange<Message, Entry, Outcome> {
  readonly name: string;
  /** The parts that it looks at or replaces; others are not read and must not be touched. */
  readonly reads: readonly HostPart[];
  /** True if it only answers: such a change may run even if nothing can be written. */
  readonly isQuestion?: boolean;
  /**
   * Returns the labels that the host most likely has already. A store that can compare labels in the database need not read those
   * that are the same to the letter.
   */
  likely?(entry: Entry): string;
  /**
   * The fast path for hosts that are as likely, without a draft: what `deciding` would come to where it would only note that
   * the host was seen, `undefined` elsewhere. A store need not take it.
   */
  glancing?(message: Message): (host: LikelyHost) => SeenAgain<Outcome> | undefined;
  /** How the message decides, host by host, on what is said of each. Must not wait. */
  deciding(message: Message): (draft: HostDraft, entry: Entry) => Outcome;
}

/** A message with the hosts that it is about: entry `i` is about `hostnames[i]`, which is cheaper to send than objects. */
export interface ChangeRequest<Message, Entry> {
  readonly message: Message;
  readonly hostnames: readonly string[];
  /** As long as `hostnames`; a host may be named more than once, and later entries see what earlier ones did. */
  readonly entries: readonly Entry[];
}
