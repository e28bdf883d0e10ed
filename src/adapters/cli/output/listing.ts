import { columnName, columnNames } from '../../../app/kernel/listing.ts';
import type { Colours, Column } from '../../../app/kernel/print.ts';
import { csvLine } from '../../../kit/words/csv.ts';
import { printable } from '../../../kit/words/escape.ts';
import { jsonText, valueText } from '../../../kit/words/json.ts';
import type { JsonValue } from '../../../ports/json.ts';
import { UsageError } from '../usage-error.ts';
import { renderTable } from './table.ts';

/** `name` is the name of each row on a line of its own. */
export type ListForm = 'table' | 'json' | 'yaml' | 'csv' | 'name';

/** A user's request for the form of a list. */
export interface ListRequest {
  readonly form: ListForm;
  /** Names of columns, or paths of members of the rows. */
  readonly columns?: readonly string[];
  /** Name of a column, with a minus in front for the other direction. */
  readonly sort?: string;
}

interface ListStyle {
  readonly colours: Colours;
  readonly width?: number | undefined;
}

/** Returns the rows in the requested order, columns and form. */
export async function listingText<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  request: ListRequest,
  style: ListStyle,
): Promise<string> {
  const sorted = sortedRows(rows, columns, request.sort);
  const chosen = request.columns?.map((name) => chosenColumn(name, columns, rows));
  const shown = chosen ?? columns.filter((column) => columnName(column) !== '').map(ownColumn);
  switch (request.form) {
    case 'table':
      return renderTable(sorted, chosen?.map(({ column }) => column) ?? columns, style);
    case 'csv': {
      const header = csvLine(shown.map(({ name }) => name));
      return header + sorted.map((row) => csvLine(shown.map(({ column }) => column.value(row)))).join('');
    }
    case 'name': {
      const named = chosen?.[0]?.column ?? columns.find(({ names }) => names) ?? columns[0];
      return sorted.map((row) => `${printable(named?.value(row) ?? '')}\n`).join('');
    }
    default: {
      const value = chosen === undefined ? sorted : sorted.map((row) => membersOf(row, chosen));
      return structuredText(value, request.form);
    }
  }
}

/** A value as JSON or YAML. */
export async function structuredText(value: unknown, form: 'json' | 'yaml'): Promise<string> {
  if (form === 'json') return jsonText(value);
  const { yamlText } = await import('./yaml.ts');
  return yamlText(value);
}

interface Chosen<Row> {
  readonly name: string;
  readonly column: Column<Row>;
}

function ownColumn<Row>(column: Column<Row>): Chosen<Row> {
  return { name: columnName(column), column };
}

function chosenColumn<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Chosen<Row> {
  const own = columns.find((column) => columnName(column) === name);
  if (own !== undefined) return { name, column: own };
  if (rows.length > 0 && rows.every((row) => memberAt(row, name) === undefined)) throw unknownColumn(name, columns);
  return { name, column: { header: name, shrink: true, value: (row) => cellText(memberAt(row, name)) } };
}

function unknownColumn(name: string, columns: readonly Column<never>[]): UsageError {
  return new UsageError(
    `there is no column ${name}; there are ${columnNames(columns).join(', ')}, and the members that -o json shows`,
  );
}

/** Returns the row's members in its JSON; columns that only the table has are text. */
function membersOf<Row>(row: Row, chosen: readonly Chosen<Row>[]): Record<string, unknown> {
  return Object.fromEntries(chosen.map(({ name, column }) => [name, memberAt(row, name) ?? column.value(row)]));
}

function sortedRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string | undefined) {
  if (sort === undefined) return rows;
  const isDown = sort.startsWith('-');
  const name = isDown ? sort.slice(1) : sort;
  const { column } = chosenColumn(name, columns, rows);
  const keyed = rows.map((row) => ({ row, key: sortKey(row, name, column) }));
  return keyed.sort((a, b) => compared(a.key, b.key, isDown)).map(({ row }) => row);
}

function sortKey<Row>(row: Row, name: string, column: Column<Row>): number | string {
  if (column.sortBy !== undefined) return column.sortBy(row);
  const member = memberAt(row, name);
  return typeof member === 'number' ? member : column.value(row);
}

/** Empty values come last in both directions; numbers, written as texts too, are ordered by size. */
function compared(a: number | string, b: number | string, isDown: boolean): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  const [x, y] = [Number(a), Number(b)];
  const order = Number.isFinite(x) && Number.isFinite(y) ? x - y : byText(String(a), String(b));
  return isDown ? -order : order;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The member of this name, or at the end of this path of names with dots. */
function memberAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Readonly<Record<string, unknown>>)[path];
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : memberAt(memberAt(value, path.slice(0, dot)), path.slice(dot + 1));
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'string' ? value : valueText(value as JsonValue);
}
