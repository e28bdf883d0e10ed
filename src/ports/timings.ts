/** Takes how long calls took. It is told of each call, so it answers at once and never throws. */
export interface Timings {
  /** `part` and `name` are words of the program and never of data. */
  took(part: string, name: string, milliseconds: number, failed: boolean): void;
}
