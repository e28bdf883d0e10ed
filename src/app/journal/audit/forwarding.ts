import type { AccessStore, AuditSink, AuditStore, Clock, Logger } from '../../../ports/index.ts';
import type { AuditChain } from './audit-chain.ts';

const BATCH_SIZE = 200;
/** A turn is this long, or twice as long. While it lasts, no other node forwards to the same place; what is sent twice all the same has the same id. */
const TURN_MS = 2_000;
/** The doctor reports entries that wait longer than this. */
const LATE_MS = 5 * 60_000;

export interface AuditForwardingDeps {
  readonly store: AuditStore;
  readonly chain: Pick<AuditChain, 'continues'>;
  readonly access: AccessStore;
  /** The places, made at the first use. */
  readonly sinks: () => Promise<readonly AuditSink[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ForwardingState {
  readonly name: string;
  /** The oldest entry that waits longer than it should; `undefined` while none does. */
  readonly lateSince: Date | undefined;
}

/**
 * Sends the entries of the audit log's chain to other places, in order, each from the position that the storage has noted. A
 * place that does not answer holds up no other and loses nothing: its entries wait in the log. If the log was reset to an earlier
 * state since, a place gets all of it again, so that no new entry hides behind the number of an old one.
 */
export class AuditForwarding {
  readonly #deps: AuditForwardingDeps;
  /** By place, why it failed last, so that it is said once. */
  readonly #failures = new Map<string, string>();

  constructor(deps: AuditForwardingDeps) {
    this.#deps = deps;
  }

  /** Sends what waits, to all places at once. */
  async run(signal: AbortSignal): Promise<void> {
    const sinks = await this.#deps.sinks();
    await Promise.all(sinks.map((sink) => this.#runSink(sink, signal)));
  }

  async states(): Promise<readonly ForwardingState[]> {
    const { store, sinks, clock } = this.#deps;
    const noted = await store.forwarded();
    return Promise.all(
      (await sinks()).map(async ({ name }) => {
        let lateSince: Date | undefined;
        for await (const [first] of store.linked({ after: noted.get(name)?.seq ?? 0, batchSize: 1 })) {
          if (first !== undefined && first.at.getTime() < clock.now().getTime() - LATE_MS) lateSince = first.at;
          break;
        }
        return { name, lateSince };
      }),
    );
  }

  async #runSink(sink: AuditSink, signal: AbortSignal): Promise<void> {
    const { store, chain, access, clock, logger } = this.#deps;
    const { name } = sink;
    try {
      const now = clock.now();
      const first = Math.floor(now.getTime() / TURN_MS);
      // Each stretch of time has a key of its own, so that a turn under a clock that was ahead holds up nothing once it is right.
      for (const turn of [first, first + 1]) {
        const until = new Date((turn + 1) * TURN_MS);
        if (!(await access.useOnce({ key: `audit forwarding ${name} ${turn}`, now, until }))) return;
      }
      let noted = (await store.forwarded()).get(name);
      const after = noted !== undefined && (await chain.continues(noted)) ? noted.seq : 0;
      for await (const entries of store.linked({ after, batchSize: BATCH_SIZE })) {
        if (signal.aborted) return;
        await sink.send(entries);
        const last = entries.at(-1)?.link;
        if (last === undefined || last === null) continue;
        // Another node continues from here.
        if (!(await store.noteForwarded(name, { from: noted, to: last }))) return;
        noted = last;
      }
      if (this.#failures.delete(name)) logger.info('audit entries are forwarded again', { to: name });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#failures.get(name) !== reason) {
        logger.error('audit entries could not be forwarded; they wait in the storage', { to: name, reason });
      }
      this.#failures.set(name, reason);
    }
  }
}
