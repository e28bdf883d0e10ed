import { LOGGER_LEVELS, type LoggerLevel, type LoggerLevelSwitch } from '../../ports/index.ts';

/** The level of a process and of all of its threads: a number in memory that they share. */
export class SharedLogLevel implements LoggerLevelSwitch {
  /** Memory from which another thread makes its own instance. */
  readonly memory: SharedArrayBuffer;
  readonly #place: Int32Array;

  constructor(from: LoggerLevel | SharedArrayBuffer) {
    this.memory = typeof from === 'string' ? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) : from;
    this.#place = new Int32Array(this.memory);
    if (typeof from === 'string') this.set(from);
  }

  get level(): LoggerLevel {
    return LOGGER_LEVELS[Atomics.load(this.#place, 0)] ?? 'info';
  }

  set(level: LoggerLevel): void {
    Atomics.store(this.#place, 0, LOGGER_LEVELS.indexOf(level));
  }

  allows(level: LoggerLevel): boolean {
    return LOGGER_LEVELS.indexOf(level) >= Atomics.load(this.#place, 0);
  }
}
