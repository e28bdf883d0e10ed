import type { TransferPart } from '../../../ports/index.ts';
import type { Kind } from '../shared/transfer-kinds.ts';
import { keyFields, TRANSFER_TABLE, type TransferItem } from '../shared/transfer-table.ts';
import type { SqlValue } from './connection.ts';

/** The place of a part in the database. */
interface PartPlace {
  readonly table: string;
  /** Source of the reading, if not the table alone. */
  readonly from?: string;
  /** Columns that are not named as their field is. */
  readonly names?: Readonly<Record<string, string>>;
  /** Columns that are not fields, and their values after a transfer. */
  readonly fixed?: Readonly<Record<string, number>>;
}

/** The content of a column: a field, or a member of one. */
interface Column {
  readonly name: string;
  readonly field: string;
  readonly member?: string;
  readonly form: Kind<unknown>['form'];
}

/** The rows of a part. A member of an object has a column of its own; a list is JSON. */
class PartRows<Part extends TransferPart> {
  readonly table: string;
  /** The columns of the key; if there is only one row, its key as a literal. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Reads all columns; a condition may follow. */
  readonly select: string;
  /** Stores a row in place of the one that has its key. */
  readonly replace: string;
  readonly #part: Part;
  readonly #place: PartPlace;
  readonly #columns: readonly Column[];

  constructor(part: Part, place: PartPlace, columns = columnsOf(part, place.names)) {
    const { table, from = table, fixed = {} } = place;
    const { key } = TRANSFER_TABLE[part];
    const names = columns.map(({ name }) => name);
    this.#part = part;
    this.#place = place;
    this.#columns = columns;
    this.table = table;
    this.columns = names;
    this.key =
      typeof key === 'string'
        ? [`'${key}'`]
        : keyFields(part).flatMap((field) => names[columns.findIndex((column) => column.field === field)] ?? []);
    this.select = `SELECT ${names.join(', ')} FROM ${from}`;
    this.replace = `INSERT OR REPLACE INTO ${table} (${[...names, ...Object.keys(fixed)].join(', ')})
      VALUES (${[...names.map(() => '?'), ...Object.values(fixed)].join(', ')})`;
  }

  /** The same without some of the fields. */
  without(...fields: readonly (keyof TransferItem<Part>)[]): PartRows<Part> {
    const left: readonly unknown[] = fields;
    const columns = this.#columns.filter(({ field }) => !left.includes(field));
    return new PartRows(this.#part, this.#place, columns);
  }

  item(row: readonly SqlValue[]): TransferItem<Part> {
    const item: Record<string, unknown> = {};
    for (const [index, { field, member, form }] of this.#columns.entries()) {
      const cell = row[index];
      if (member !== undefined)
        item[field] = cell === null ? null : Object.assign(item[field] ?? {}, { [member]: cell });
      else if (form === 'flag') item[field] = cell === 1;
      else if (form === 'json' && cell === null) continue;
      else item[field] = form === 'list' || form === 'json' ? JSON.parse(String(cell)) : cell;
    }
    // The columns are made from the fields that the type is inferred from.
    return item as TransferItem<Part>;
  }

  values(item: TransferItem<Part>): SqlValue[] {
    const fields: Readonly<Record<string, unknown>> = item;
    return this.#columns.map(({ field, member }) => {
      const value = fields[field];
      return cellOf(member === undefined || value === null ? value : Reflect.get(Object(value), member));
    });
  }
}

export const PART_ROWS: { readonly [Part in TransferPart]: PartRows<Part> } = {
  rules: new PartRows('rules', { table: 'rules' }),
  // The place of a row is its number, until it is counted.
  rule_versions: new PartRows('rule_versions', { table: 'rule_versions', names: { place: 'seq' } }),
  hosts: new PartRows('hosts', {
    table: 'hosts',
    from: 'hosts h CROSS JOIN host_marks m ON m.id = h.id',
    names: {
      'createdBy.kind': 'created_kind',
      'createdBy.name': 'created_by',
      'archive.at': 'archived_at',
      'archive.by': 'archived_by',
    },
  }),
  contributions: new PartRows('contributions', { table: 'contributions', names: { owner: 'is_owner' } }),
  relations: new PartRows('relations', { table: 'relations' }),
  account_marks: new PartRows('account_marks', { table: 'account_marks' }),
  host_changes: new PartRows('host_changes', { table: 'host_changes', names: { place: 'seq' } }),
  host_comments: new PartRows('host_comments', { table: 'host_comments' }),
  logs: new PartRows('logs', { table: 'log_entries' }),
  audit: new PartRows('audit', { table: 'audit_entries' }),
  audit_chain: new PartRows('audit_chain', { table: 'audit_chain', fixed: { id: 1 } }),
  token_uses: new PartRows('token_uses', { table: 'token_uses' }),
  cron_states: new PartRows('cron_states', { table: 'cron_states', fixed: { lease_until: 0 } }),
  playbook_runs: new PartRows('playbook_runs', { table: 'playbook_runs', fixed: { lease_until: 0 } }),
  playbook_matches: new PartRows('playbook_matches', { table: 'playbook_matches' }),
  ownership: new PartRows('ownership', { table: 'ownership' }),
  host_counts: new PartRows('host_counts', { table: 'host_counts' }),
};

function columnsOf(part: TransferPart, names: PartPlace['names'] = {}): readonly Column[] {
  return Object.entries(TRANSFER_TABLE[part].fields).flatMap(([field, { form, fields }]): Column[] => {
    if (fields === undefined) return [{ name: names[field] ?? snakeCase(field), field, form }];
    return Object.keys(fields).map((member) => {
      return { name: names[`${field}.${member}`] ?? snakeCase(`${field}_${member}`), field, member, form };
    });
  });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function cellOf(value: unknown): SqlValue {
  if (value === undefined) return null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value);
}
