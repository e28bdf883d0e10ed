import type { Connection, SqlValue } from '../connection.ts';

/** Rows of one statement, which costs half as much as one each. */
const ROWS_AT_ONCE = 20;

/** Writes rows by a statement that ends before its values; `tail` may follow them. */
export function writeRows(
  connection: Connection,
  head: string,
  rows: readonly (readonly SqlValue[])[],
  tail = '',
): void {
  const [first] = rows;
  if (first === undefined) return;
  const row = `(${first.map(() => '?').join(', ')})`;
  const one = `${head} VALUES ${row} ${tail}`;
  const many = `${head} VALUES ${Array(ROWS_AT_ONCE).fill(row).join(', ')} ${tail}`;
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    if (some.length === ROWS_AT_ONCE) connection.run(many, ...some.flat());
    else for (const values of some) connection.run(one, ...values);
  }
}
