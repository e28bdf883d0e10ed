/** Receives the duration of calls. It is invoked for each call, so it must return at once and never throw. */
export interface Timings {
  /** `part` and `name` are words of the program and never of data. */
  took(part: string, name: string, milliseconds: number, failed: boolean): void;
}
