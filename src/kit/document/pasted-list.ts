import { readLines, separatorOf, trimmed, trimmedBreaks } from './pasted-lines.ts';

/**
 * The list that some rules take in the place of hosts: a table pasted as text. Its first line names the columns, and each further
 * line is one row, whose cells are variables of the rule's templates.
 */
export interface PastedList {
  readonly columns: readonly string[];
  readonly rows: readonly ListRow[];
  /** Between the cells. */
  readonly separator: string;
  /** Why the list cannot be used, as a whole: better no row than the wrong ones. */
  readonly problems: readonly string[];
}

export interface ListRow {
  /** The line of the text that it ends on, counted from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

const MAX_ROWS = 10_000;
/** Limit for lists that are saved from now on. */
export const MAX_COLUMNS = 500;
/** Columns that name what a row stands for; the first that is filled counts. */
const NAME_COLUMNS = ['hostname', 'name'];
const SHOWN = 40;

/** Whether the rule is about the rows of its list. Documents from before there was a choice are, when they have one. */
export function looksAtList(source: string, list: string): boolean {
  return source === '' ? list.trim() !== '' : source === 'list';
}

/** The host that the row stands for; empty when it names none. */
export function rowName({ cells }: ListRow): string {
  return NAME_COLUMNS.map((column) => cells[column] ?? '').find((cell) => cell !== '') ?? '';
}

export function readPastedList(written: string): PastedList {
  const text = trimmedBreaks(written);
  if (text.trim() === '') {
    return {
      columns: [],
      rows: [],
      separator: ',',
      problems: ['is empty: paste a table, or let the rule look at hosts'],
    };
  }
  const separator = separatorOf(text);
  const [header = { line: 1, cells: [] }, ...lines] = readLines(text, separator);
  const { columns, problems } = readHeader(header.cells);
  const rows: ListRow[] = [];
  for (const { line, cells } of lines) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const extra = cells.findIndex((cell, index) => index >= header.cells.length && cell.trim() !== '');
    if (extra >= 0) {
      problems.push(
        `line ${line}: cell ${extra + 1} (${shown(cells[extra] ?? '')}) has no column; the first line names ${header.cells.length}. Check the separator, or put the cell into quotes`,
      );
      continue;
    }
    rows.push({ line, cells: Object.fromEntries(columns.map(({ name, at }) => [name, (cells[at] ?? '').trim()])) });
  }
  if (rows.length > MAX_ROWS) {
    problems.push(
      `has ${rows.length} rows, and at most ${MAX_ROWS} are possible; import such a list by an account instead`,
    );
  }
  return { columns: columns.map(({ name }) => name), rows, separator, problems };
}

/** The columns of a list. Its rows are not read. */
export function readListColumns(written: string): readonly string[] {
  const text = trimmedBreaks(written);
  if (text.trim() === '') return [];
  const [header] = readLines(text, separatorOf(text), { lines: 1 });
  return readHeader(header?.cells ?? []).columns.map(({ name }) => name);
}

interface Column {
  readonly name: string;
  readonly at: number;
}

/** A column without a name is left out with its cells. */
function readHeader(header: readonly string[]): { readonly columns: readonly Column[]; readonly problems: string[] } {
  const columns: Column[] = [];
  const names = new Set<string>();
  const problems: string[] = [];
  for (const [at, cell] of header.entries()) {
    const name = columnName(cell);
    if (name === '') {
      if (cell.trim() !== '') problems.push(`column ${at + 1} (${shown(cell)}) gives no name of a variable`);
    } else if (names.has(name)) {
      problems.push(`column ${at + 1}: there are two columns with the name ${name}`);
    } else {
      names.add(name);
      columns.push({ name, at });
    }
  }
  if (columns.length === 0) problems.push('names no columns in its first line');
  return { columns, problems };
}

/** `Service Level` is `service_level`, `2nd Team` is `_2nd_team`. */
export function columnName(cell: string): string {
  const name = trimmed(cell.trim().replace(/[^0-9a-zA-Z_]+/g, '_'), '_').toLowerCase();
  return /^\d/.test(name) ? `_${name}` : name;
}

function shown(cell: string): string {
  const text = cell.split(/\s+/).filter(Boolean).join(' ');
  return JSON.stringify(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
}
