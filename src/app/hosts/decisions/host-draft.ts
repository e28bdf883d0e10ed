import type { Actor, HostChange, HostReach, RelationRecord } from '../../../ports/index.ts';
import type { RuleEffect } from './folder-seats.ts';
import type { Remembered } from './host-changes.ts';
import { bytesOf } from './host-size.ts';
import type { HostState } from './host-state.ts';
import type { HostLayer } from './label-layers.ts';

/** A stored host with everything that changes may look at or replace. A host without contributions has no layers. */
export interface DraftHost extends HostState {
  readonly objectType: string;
  readonly lastUpdate: number | null;
  readonly labels: string;
  readonly inventory: string;
  readonly members: string;
  /** One per account; the owner's own labels among them. */
  readonly layers: readonly HostLayer[];
}

/** The parts of a host that may be large, so a store reads them only for changes that name them. */
export type HostPart = 'labels' | 'inventory' | 'members' | 'layers';

export interface ChangedBy {
  readonly at: Date;
  readonly actor: Actor;
}

export type HistoryEntry = Omit<HostChange, 'hostname'>;

export type DraftRelation = Omit<RelationRecord, 'hostname'>;

export interface HostScales {
  /** How large a host may be, bytes. */
  readonly limit: number;
  /**
   * Returns the present size of a host in a draft, see `sizeOfParts`; `undefined` if the store has not asked for the parts that
   * it did not read. See `HostDraft.unweighed`.
   */
  weigh(host: DraftHost): number | undefined;
}

/** The bytes of labels (of everybody's, while others contribute), inventory and members, as far as they are known. */
export function sizeOfParts({ labels, inventory, members, layers = [] }: Partial<DraftHost>): number {
  const given = layers.length === 0 ? [labels] : layers.map((layer) => layer.labels);
  return [inventory, members, ...given].reduce((sum, text) => sum + (text === undefined ? 0 : bytesOf(text)), 0);
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** A host while it is decided what happens to it. Changes work on it, and a store writes what has become different. */
export class HostDraft {
  readonly hostname: string;
  /** The changed members of a host that already existed. */
  readonly changes: Partial<Writable<DraftHost>> = {};
  readonly history: HistoryEntry[] = [];
  readonly effects: RuleEffect[] = [];
  /** Present if these replace all relations of the host. */
  relations: readonly DraftRelation[] | undefined;
  /** Set where readers of active hosts will see a difference. */
  visible = false;
  /** The actor and time of the host's creation, if it did not exist. */
  createdBy: ChangedBy | undefined;
  /** The former reach, if others reach the record that replaces the host, or if nothing else reports the change. */
  reachBefore: (HostReach & ChangedBy) | undefined;
  /** Set where the host grows and its store has not weighed it: the store does so and lets the change decide once more. */
  unweighed = false;
  readonly #scales: HostScales;
  #host: DraftHost | undefined;

  /** `host` belongs to the draft: changes are written into it. */
  constructor(hostname: string, host: DraftHost | undefined, scales: HostScales) {
    this.hostname = hostname;
    this.#host = host;
    this.#scales = scales;
  }

  /** The host in its present state, always the same object; `undefined` while there is none. */
  get host(): DraftHost | undefined {
    return this.#host;
  }

  /** Whether the host may be written with other text in the place of a part of it. */
  mayBecome(before: string, after: string): boolean {
    const growth = before === after ? 0 : bytesOf(after) - bytesOf(before);
    if (growth <= 0) return true;
    const size = this.#host === undefined ? 0 : this.#scales.weigh(this.#host);
    if (size === undefined) {
      this.unweighed = true;
      return true;
    }
    return size + growth <= this.#scales.limit;
  }

  /** Replaces members of a host that is there. */
  change(changes: Partial<DraftHost>): void {
    Object.assign(this.#host as DraftHost, changes);
    Object.assign(this.changes, changes);
  }

  /** The host was seen. As `change`, for what happens to hosts most often. */
  see(lastSeen: number, runId: string | null): void {
    const host = this.#host as Writable<DraftHost>;
    host.lastSeen = lastSeen;
    host.runId = runId;
    this.changes.lastSeen = lastSeen;
    this.changes.runId = runId;
  }

  /** Stores a whole host, in the place of the one that is there or as a new one, which then belongs to the draft. */
  put(host: DraftHost, by: ChangedBy): void {
    if (this.#host !== undefined) {
      this.change(host);
      return;
    }
    this.#host = host;
    this.createdBy = by;
  }

  remember({ kind, changes }: Remembered, { at, actor }: ChangedBy): void {
    this.history.push({ at, actor, kind, changes });
  }
}
