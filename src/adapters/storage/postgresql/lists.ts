/**
 * A column of rows that a statement takes as lists, `unnest($1::text[], …)`: its name, its type, and how its value is got of an item. Without
 * that the value is the member of the same name: `account_id` is `accountId`.
 */
export type Column<Item> = readonly [
  name: string,
  type: 'text' | 'bigint' | 'boolean',
  of?: (item: Item) => string | number | boolean | null | undefined,
];

export interface Lists {
  /** `a, b, c` */
  readonly names: string;
  /** `unnest($1::text[], …) WITH ORDINALITY AS u(a, b, c, number)` */
  readonly rows: string;
  readonly values: readonly unknown[];
}

/** Items as lists of columns; the numbers of their values follow those of `before`. */
export function listsOf<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  before: readonly unknown[] = [],
): Lists {
  const names = columns.map(([name]) => name).join(', ');
  const lists = columns.map(([, type], index) => `$${before.length + index + 1}::${type}[]`);
  const values = columns.map(([name, , of = memberOf(name)]) => items.map(of));
  return { names, rows: `unnest(${lists}) WITH ORDINALITY AS u(${names}, number)`, values: [...before, ...values] };
}

/** `accountId` for `account_id`. */
export function memberName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function memberOf<Item>(column: string): (item: Item) => string | number | boolean | null {
  const name = memberName(column);
  return (item) => (item as Readonly<Record<string, string | number | boolean | null>>)[name] ?? null;
}

/** Selects the first rows whose texts together hold this many characters, in the order of the inner statement. */
export function sized(columns: string, text: string, inner: string, order: string, characters: number): string {
  return `SELECT ${columns} FROM (SELECT *, sum(length(${text})) OVER (ORDER BY ${order}) - length(${text}) AS before
    FROM (${inner}) p) s WHERE before < ${characters} ORDER BY ${order}`;
}
