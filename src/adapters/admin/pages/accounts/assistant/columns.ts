import type { OfferedOutput } from '../../../offered-operations.ts';
import type { Field } from '../../forms/schema.ts';
import { valueText } from '../../parts/value-text.ts';

export type Tried = OfferedOutput<'accounts/try-account'>;
type TriedRecord = Tried['records'][number];

/** Returns the columns of a table of records: those of the source, or those of its first records; the hostname's first. */
export function columnsOf(tried: Tried): readonly string[] {
  const { columns, records, hostname_field: hostname } = tried;
  const known = columns ?? records.flatMap(({ labels = {} }) => Object.keys(labels));
  const isThere = columns === null ? !lacksHostnames(tried) : hostname !== null && columns.includes(hostname);
  const first = hostname !== null && isThere ? [hostname] : [];
  return [...new Set([...first, ...known])];
}

/** Whether none of the records has a name, so that the column or member with the hostname is still to be chosen. */
export function lacksHostnames({ records, problem }: Tried): boolean {
  if (problem !== null) return true;
  return records.length > 0 && records.every(({ hostname, name, labels }) => isNameless(hostname, name) && labels);
}

const HOSTNAMES = ['hostname', 'host', 'fqdn', 'name', 'server', 'servername', 'computername', 'devicename'];

/** Returns the column that is called as hostnames usually are, if no record has a name yet. */
export function likelyHostname(tried: Tried): string | undefined {
  if (!lacksHostnames(tried)) return undefined;
  const columns = new Map(columnsOf(tried).map((column) => [column.toLowerCase().replaceAll(/[^a-z]/g, ''), column]));
  return HOSTNAMES.flatMap((name) => columns.get(name) ?? [])[0];
}

function isNameless(hostname: string | undefined, name: string): boolean {
  return hostname === undefined && name === '';
}

/** Returns the value of a record in a column. */
export function cellOf({ name, labels = {} }: TriedRecord, column: string, hostnameField: string | null): string {
  if (Object.hasOwn(labels, column)) return labels[column] === '' ? '' : valueText(labels[column]);
  return column === hostnameField ? name : '';
}

/** A list of names has commas between them, so one with a comma cannot be left out. */
export function mayBeLeftOut(column: string): boolean {
  return !/[,*]|^!|^\s|\s$/.test(column);
}

/** The option that leaves these columns out of the labels; empty for none. */
export function ownedLabels(leftOut: ReadonlySet<string>, hostnameField: string | null): string {
  return [...leftOut]
    .filter((column) => column !== hostnameField)
    .sort()
    .map((column) => `!${column}`)
    .join(',');
}

/** Options that are shown first; the others are folded. */
const FIRST = new Set([
  'path',
  'url',
  'host',
  'port',
  'database',
  'query',
  'base_dn',
  'preset',
  'token',
  'records',
  'data_key',
]);

export function isAskedFirst({ name, required, example }: Pick<Field, 'name' | 'required' | 'example'>): boolean {
  return required || example !== '' || FIRST.has(name);
}

/** The ends of files of text that the service keeps for a type. */
const ENDS: Readonly<Record<string, 'csv' | 'json' | 'yaml'>> = { csv: 'csv', json: 'json', yaml: 'yaml', yml: 'yaml' };

/** `undefined` for types whose files are not given as text. */
export function endOf(type: string): 'csv' | 'json' | 'yaml' | undefined {
  return Object.hasOwn(ENDS, type) ? ENDS[type] : undefined;
}

/** `hosts` of `hosts.csv`. */
export function withoutEnd(file: string): string {
  return file.replace(/\.[^.]*$/, '');
}

/** Returns the beginning of a file name for an account of that name. */
export function fileNameOf(account: string): string {
  const plain = account
    .normalize('NFKD')
    .replace(/[^a-z0-9_-]+/gi, '-')
    .replace(/^[-_]+|-+$/g, '');
  return plain.slice(0, 60) || 'hosts';
}
