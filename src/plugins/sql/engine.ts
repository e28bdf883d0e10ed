import type { JsonValue } from '../../ports/index.ts';

/** One row: the values in the order of the columns. `undefined` where a value is left out. */
export type Row = readonly (JsonValue | undefined)[];

/** Some rows of an answer, and what its columns are called. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Reading {
  readonly signal: AbortSignal;
  /** Columns with bytes as Base64; else their values are left out. */
  readonly base64: boolean;
}

/** A database that is open, for reading only. */
export interface Database {
  /** How it is called in messages. */
  readonly name: string;
  /**
   * The rows of a statement, in pieces of bounded size, the first one of a statement without rows too. Ends without an error only
   * when the database said that these are all.
   */
  rows(statement: string, reading: Reading): AsyncIterable<Rows>;
  /** Returns the logged-in user, empty if there is no login, and the version that the database reports. */
  about(): Promise<{ readonly user: string; readonly version: string }>;
  /** Ends the connection, also one that hangs. Never throws. */
  close(): Promise<void>;
}

const FIRST_ROWS = 4;
const MOST_ROWS = 1000;
const PIECE_BYTES = 256 * 1024;

/** How many rows to ask for next, so that a piece stays small whatever rows hold: as many as rows of late would fill it with. */
export class PieceSize {
  rows = FIRST_ROWS;

  /** Adjusts the size after a piece of that many rows and bytes. */
  learn(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor(PIECE_BYTES / Math.max(1, bytes / rows));
    this.rows = Math.max(1, Math.min(fitting, this.rows * 4, MOST_ROWS));
  }
}
