/** Work that a node offers to all nodes. */
export interface OfferedWork {
  /** 24 hex digits. */
  readonly id: string;
  /** JSON: what is to be done. The store does not read it. */
  readonly body: string;
  readonly offeredAt: Date;
  /** Names the process and the run that wait for the work. */
  readonly offeredBy: string;
  /** True while the lease of the offer lasts. */
  readonly isOffered: boolean;
  /** How long it has been waiting for a node: since the offer, the last promise, or the end of the rest after the last lease on it. */
  readonly waitingMs: number;
  /** The process that does it, did it or died over it; `null` before the first claim and after a release. */
  readonly holder: string | null;
  /** True while the lease of the holder lasts. */
  readonly isHeld: boolean;
  /** True while none may claim it, because its last holder fell silent over it a short time ago. */
  readonly isResting: boolean;
  /** How often it was claimed. */
  readonly attempts: number;
  /** JSON: how it ended; `null` before that. */
  readonly result: string | null;
}

/**
 * Work that waits for a node, and the nodes doing it. A node that waits for its end holds a lease on the offer, and the node that
 * does it holds one on the work: a node that dies releases it automatically. Leases run by the clock of the store. These entries
 * are not part of transfers.
 */
export interface WorkStore {
  /**
   * Offers work from now on. An offer of the same id is replaced. With `priorityMs`, it goes before work that was offered up to this long before it, and
   * not before older work, so that none waits for ever.
   */
  offer(work: {
    readonly id: string;
    readonly body: string;
    readonly at: Date;
    readonly offeredBy: string;
    readonly leaseMs: number;
    readonly priorityMs?: number;
  }): Promise<void>;

  /** Everything that was offered and not removed: oldest first (by the offer less its priority, then id). */
  list(): Promise<readonly OfferedWork[]>;

  /**
   * Takes work and counts the attempt. False, and nothing changes, while another holder's lease lasts, while it rests after that, when it has ended, when the
   * lease of its offer is over, or when it is unknown. Of many who claim at once, one succeeds. If the lease runs out, the work rests for `restMs` (absent: not
   * at all): it may be what killed the holder.
   */
  claim(request: {
    readonly id: string;
    readonly holder: string;
    readonly leaseMs: number;
    readonly restMs?: number;
  }): Promise<boolean>;

  /**
   * Lengthens the lease of the offer or of the holder from now on, by the name of either. False, and nothing changes, for any other name, when the work is
   * unknown, and for a holder when the work has ended or the lease of its offer is over.
   */
  keep(request: { readonly id: string; readonly name: string; readonly leaseMs: number }): Promise<boolean>;

  /**
   * Notes that a live node takes the work as soon as it has room: its waiting time starts again. False if the work is held, has
   * ended, or is unknown.
   */
  promise(id: string): Promise<boolean>;

  /** Stores how the work ended and lets go. False, and nothing changes, when the holder does not have it any more or it has ended. */
  end(request: { readonly id: string; readonly holder: string; readonly result: string }): Promise<boolean>;

  /** Lets go of work that has not ended, without counting the attempt. False, and nothing changes, when the holder does not have it. */
  release(request: { readonly id: string; readonly holder: string }): Promise<boolean>;

  /** Takes an offer away, whatever became of it. True when it was there. */
  remove(id: string): Promise<boolean>;
}
