import type { CallsUnderWay } from '../../app/kernel/plugin-host/guard.ts';
import { counted } from '../../kit/words/amounts.ts';

const HEAD_BYTES = 16;
const TEXT_BYTES = 4_096;
const TURN_BYTES = 512;
const HEARTBEATS = 0;
const TEXT_LENGTH = 1;
const TURN_LENGTH = 2;
const IN_TURN = 3;

type Call = CallsUnderWay[number];

/**
 * Shared memory by which one thread can tell from outside whether another one still runs its event loop, and which plugins are
 * called there. It works without the other thread's loop, which may be held.
 */
export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #text: Uint8Array;
  readonly #turn: Uint8Array;
  #inTurn: Call | undefined;
  #written: Call | undefined;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + TEXT_BYTES + TURN_BYTES)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 4);
    this.#text = new Uint8Array(memory, HEAD_BYTES, TEXT_BYTES);
    this.#turn = new Uint8Array(memory, HEAD_BYTES + TEXT_BYTES);
  }

  heartbeat(): void {
    Atomics.add(this.#head, HEARTBEATS, 1);
  }

  /** Called by the thread that is watched. */
  report(calls: CallsUnderWay): void {
    // Calls that do not fit began later than those that would be named first.
    const text = JSON.stringify(calls.slice(-10).map(({ pluginId, what }) => [pluginId, what.slice(0, 100)]));
    const { read, written } = new TextEncoder().encodeInto(text, this.#text);
    Atomics.store(this.#head, TEXT_LENGTH, read === text.length ? written : 0);
  }

  /**
   * Called by the thread that is watched, for every host and rule: so the name is written only if it differs from the last one.
   * Returns the previous call.
   */
  turn(call: Call | undefined): Call | undefined {
    const before = this.#inTurn;
    this.#inTurn = call;
    if (call !== undefined && call !== this.#written) {
      this.#written = call;
      const text = JSON.stringify([call.pluginId, call.what.slice(0, 100)]);
      const { read, written } = new TextEncoder().encodeInto(text, this.#turn);
      Atomics.store(this.#head, TURN_LENGTH, read === text.length ? written : 0);
    }
    Atomics.store(this.#head, IN_TURN, call === undefined ? 0 : 1);
    return before;
  }

  get heartbeats(): number {
    return Atomics.load(this.#head, HEARTBEATS);
  }

  /** Calls that may hold the thread: the one that has its turn, else all that are awaited. Read while the thread is silent. */
  get calls(): CallsUnderWay {
    const [turn] = Atomics.load(this.#head, IN_TURN) === 0 ? [] : callsIn([this.#read(this.#turn, TURN_LENGTH)]);
    if (turn !== undefined) return [turn];
    const all = this.#read(this.#text, TEXT_LENGTH);
    return Array.isArray(all) ? callsIn(all) : [];
  }

  /** Returns `undefined` if the area is empty or being written at this moment. */
  #read(area: Uint8Array, lengthAt: number): unknown {
    const length = Atomics.load(this.#head, lengthAt);
    if (length === 0) return undefined;
    try {
      return JSON.parse(new TextDecoder().decode(area.slice(0, length)));
    } catch {
      return undefined;
    }
  }
}

function callsIn(pairs: readonly unknown[]): CallsUnderWay {
  return pairs.flatMap((pair) => (Array.isArray(pair) ? [{ pluginId: String(pair[0]), what: String(pair[1]) }] : []));
}

/** Measures how long a thread has been silent, by own ticks: a machine that slept has missed none. */
export class SilenceMeter {
  readonly #pulse: Pulse;
  #last: number | undefined;
  #ticks = 0;

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  /** Called at a steady pace; answers for how many calls in a row there was no heartbeat. */
  tick(): number {
    const { heartbeats } = this.#pulse;
    this.#ticks = heartbeats === this.#last ? this.#ticks + 1 : 0;
    this.#last = heartbeats;
    return this.#ticks;
  }
}

export const TICK_MILLISECONDS = 1_000;

/** Returns the timeout in ticks. A loop is held for a moment by other work too. */
export function ticksOf(timeoutSeconds: number): number {
  return Math.max(2, Math.ceil((timeoutSeconds * 1_000) / TICK_MILLISECONDS));
}

/** Returns `plugin racks did not give control back for 30 seconds (inventory racks)`. */
export function heldText(calls: CallsUnderWay, ticks: number): string {
  const names = [...new Set(calls.map(({ pluginId }) => pluginId))].join(', ');
  const whats = [...new Set(calls.map(({ what }) => what))].join(', ');
  const seconds = Math.round((ticks * TICK_MILLISECONDS) / 1_000);
  return `plugin ${names} did not give control back for ${counted(seconds, 'second')} (${whats})`;
}
