import { fileFault, shown, shownNames } from '../shared/file-source/fault.ts';
import type { CsvOptions } from './options.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED = /"(?:[^"]|"")*"?/g;

/** Where values stand in a row. */
export interface Header {
  readonly width: number;
  readonly hostname: number;
  /** Columns that become labels: all with a heading but the hostname's. */
  readonly labels: readonly { readonly index: number; readonly key: string }[];
}

/**
 * The delimiter of a file by its first line: the one that yields the hostname's column, else the most frequent one.
 */
export function guessDelimiter(firstLine: string, hostnameField: string): string {
  const bare = firstLine.replaceAll(QUOTED, (text) => (text.slice(1, -1) === hostnameField ? hostnameField : ''));
  const counts = DELIMITERS.map((delimiter) => {
    const columns = bare.split(delimiter).map((column) => column.trim());
    return { delimiter, columns: columns.length, named: columns.length > 1 && columns.includes(hostnameField) };
  });
  counts.sort((a, b) => Number(b.named) - Number(a.named) || b.columns - a.columns);
  return counts[0]?.delimiter ?? ',';
}

/** Reads the headings. A file whose headings cannot be told apart, or without the hostname's column, is not imported. */
export function readHeader(cells: readonly string[], { path, hostname_field: field }: CsvOptions): Header {
  const headings = cells.map((cell) => cell.trim());
  const named = headings.filter((heading) => heading !== '');
  const hostname = headings.indexOf(field);
  if (hostname === -1) {
    throw fileFault(path, `has no column ${shown(field)}${otherColumns(named)}`);
  }
  const twice = named.find((heading, index) => named.indexOf(heading) !== index);
  if (twice !== undefined) throw fileFault(path, `has several columns called ${shown(twice)}; give each its own name`);
  const refused = named.find((heading) => heading.startsWith('$'));
  if (refused !== undefined) throw fileFault(path, `has a column ${shown(refused)}; labels cannot begin with "$"`);
  const labels = headings.flatMap((key, index) => (key === '' || index === hostname ? [] : [{ index, key }]));
  return { width: headings.length, hostname, labels };
}

/** What to do about a missing column. A first line of a single value may be anything, and so is not shown. */
function otherColumns(named: readonly string[]): string {
  if (named.length < 2) return ': its first line is one value; is the delimiter another one?';
  const names = shownNames(named);
  return names === undefined ? ': its first line is not a header line' : `; its columns: ${names}; set hostname_field`;
}
