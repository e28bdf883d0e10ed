/** A message for a receiver. */
export interface NewOutboxMessage {
  /** Identifies event and receiver, so that a message put twice is stored once, and one sent twice is recognised. */
  readonly id: string;
  /** The name of the account that it is sent through. */
  readonly receiver: string;
  /** The topic, by which a rule finds its newest message: `<rule>/<subject>`. */
  readonly topic: string;
  /** When it was put. */
  readonly at: Date;
  /** `held_back`: a rule reported its topic a short while ago, so the message is noted and never sent. */
  readonly state: 'waiting' | 'held_back';
  /** JSON. */
  readonly body: string;
}

/** `dead`: it was tried too often, or its receiver refused it, and waits for people. */
export type OutboxState = 'waiting' | 'sent' | 'held_back' | 'dead';

export interface OutboxMessage extends Omit<NewOutboxMessage, 'state'> {
  /** Its place among all messages; later ones have higher numbers. */
  readonly place: number;
  readonly state: OutboxState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Not sent before. */
  readonly dueAt: Date;
  /** Why it was not sent, at the last time; empty when it was not tried, or was sent. */
  readonly error: string;
  /** When it was sent or given up; `null` while it waits. */
  readonly settledAt: Date | null;
}

/** The progress of a process that fills the outbox. */
export interface OutboxMark {
  readonly name: string;
  readonly text: string;
}

/** The outcome for a message that was claimed. */
export type OutboxOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'waiting'; readonly error: string; readonly delayMs: number }
  | { readonly state: 'dead'; readonly error: string };

export interface OutboxBacklog {
  readonly waiting: number;
  readonly dead: number;
  readonly oldestWaitingAt: Date | null;
}

/**
 * Messages for receivers. For each receiver, only the oldest waiting message is ever handed out, so receivers get theirs in
 * order; a message that was handed out and not settled is handed out again. These messages are not part of transfers: another
 * store sends its own.
 */
export interface OutboxStore {
  /**
   * Stores messages behind all others, in their order, and the mark. One whose id is there is left out. Where a call is cut off, the mark is not stored before all
   * messages are. Answers how many are new.
   */
  put(request: { readonly messages: readonly NewOutboxMessage[]; readonly mark?: OutboxMark }): Promise<number>;

  mark(name: string): Promise<string | undefined>;

  /** The newest message about a topic that waits, was sent or is dead; one that was held back does not count. */
  newest(topic: string): Promise<OutboxMessage | undefined>;

  /**
   * Hands out a message that is due, for `leaseMs`: the oldest that waits of its receiver, and of several such receivers the one with the lowest place. `undefined` when
   * there is none. Of many who ask at once, one gets it. A due time or a lease more than two hours ahead is taken for one of a clock that
   * was wrong: it holds up nothing.
   */
  claim(request: { readonly holder: string; readonly leaseMs: number }): Promise<OutboxMessage | undefined>;

  /** Stores what happened to a message, and counts the attempt. False, and nothing changes, when another holder has it by now. */
  settle(request: { readonly id: string; readonly holder: string; readonly outcome: OutboxOutcome }): Promise<boolean>;

  /** Puts a dead message behind all others, to be sent as a new one with the same id. False when it is not dead or not there. */
  retry(id: string): Promise<boolean>;

  /** By place, newest first, at most `limit`; of one state, of one receiver, and before a place when those are given. */
  list(request: {
    readonly limit: number;
    readonly state?: OutboxState;
    readonly receiver?: string;
    readonly before?: number;
  }): Promise<readonly OutboxMessage[]>;

  /** How many there are of each state. */
  counts(): Promise<Readonly<Record<OutboxState, number>>>;

  /**
   * The numbers of messages still to be sent and of those given up, and since when the oldest waits; `null` if none does. Costs
   * nothing for sent messages.
   */
  backlog(): Promise<OutboxBacklog>;

  /** Deletes messages that were put before the date and do not wait. Answers the count. */
  prune(before: Date): Promise<number>;
}
