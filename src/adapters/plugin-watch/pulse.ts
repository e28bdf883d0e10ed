import type { CallsUnderWay } from '../../app/kernel/plugin-host/guard.ts';

const HEAD_BYTES = 8;
const TEXT_BYTES = 4_096;
const BEATS = 0;
const TEXT_LENGTH = 1;

/**
 * Memory by which one thread sees from outside whether another one still runs its event loop, and which plugins are called there. It needs
 * nothing of the other thread's loop, which may be held.
 */
export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #text: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + TEXT_BYTES)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 2);
    this.#text = new Uint8Array(memory, HEAD_BYTES);
  }

  beat(): void {
    Atomics.add(this.#head, BEATS, 1);
  }

  /** Called by the thread that is watched. */
  tell(calls: CallsUnderWay): void {
    // What does not fit is of calls that came later than those that would be named first.
    const text = JSON.stringify(calls.slice(-10).map(({ pluginId, what }) => [pluginId, what.slice(0, 100)]));
    const { read, written } = new TextEncoder().encodeInto(text, this.#text);
    Atomics.store(this.#head, TEXT_LENGTH, read === text.length ? written : 0);
  }

  get beats(): number {
    return Atomics.load(this.#head, BEATS);
  }

  get calls(): CallsUnderWay {
    const length = Atomics.load(this.#head, TEXT_LENGTH);
    if (length === 0) return [];
    const calls = JSON.parse(new TextDecoder().decode(this.#text.slice(0, length))) as readonly [string, string][];
    return calls.map(([pluginId, what]) => ({ pluginId, what }));
  }
}

/** Tells how long a thread has been silent, by own ticks: a machine that slept has missed none. */
export class SilenceMeter {
  readonly #pulse: Pulse;
  #last: number | undefined;
  #ticks = 0;

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  /** Called at a steady pace; answers for how many calls in a row there was no beat. */
  tick(): number {
    const { beats } = this.#pulse;
    this.#ticks = beats === this.#last ? this.#ticks + 1 : 0;
    this.#last = beats;
    return this.#ticks;
  }
}

export const TICK_MILLISECONDS = 1_000;

/** In ticks. A loop is held for a moment by other work too. */
export function patienceOf(timeoutSeconds: number): number {
  return Math.max(2, Math.ceil((timeoutSeconds * 1_000) / TICK_MILLISECONDS));
}

/** `plugin racks did not give control back for 30 seconds (inventory racks)` */
export function heldText(calls: CallsUnderWay, ticks: number): string {
  const names = [...new Set(calls.map(({ pluginId }) => pluginId))].join(', ');
  const whats = [...new Set(calls.map(({ what }) => what))].join(', ');
  const seconds = Math.round((ticks * TICK_MILLISECONDS) / 1_000);
  return `plugin ${names} did not give control back for ${seconds} seconds (${whats})`;
}
