import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';

/** Options of the job that inventorizes, by the names that stored accounts have. */
export const relatedOptions = madeOnce(() =>
  titled(
    {
      inventorize_tables: z
        .string()
        .optional()
        .describe(
          'Tables whose records fill sections of hosts, each with the field that names their configuration item, or rel for relations: cmdb_ci_network_adapter:cmdb_ci, cmdb_ci_db_instance:rel',
        ),
      inventorize_query: z.string().optional().describe('An encoded query that limits the records of those tables'),
      inventorize_fields: z.string().optional().describe('The fields of those records, comma-separated; absent: all'),
      inventorize_relation_types: z
        .string()
        .optional()
        .describe('Names of the types of relations that count, comma-separated: Runs on::Runs; absent: all'),
      inventorize_rewrite_parent: z
        .string()
        .optional()
        .describe('Template for the name of the host, with HOSTNAME: the name of its configuration item'),
      inventorize_host_label: z
        .string()
        .optional()
        .describe(
          'Has no effect: hosts are found by the sys_id that the import keeps of them, and then by name. Existing accounts carry it',
        ),
    },
    {
      'What becomes of it': {
        inventorize_tables: 'Inventorizing: tables',
        inventorize_query: 'Inventorizing: query',
        inventorize_fields: 'Inventorizing: fields',
        inventorize_relation_types: 'Inventorizing: types of relations',
        inventorize_rewrite_parent: 'Inventorizing: rewrite the host',
        inventorize_host_label: 'Inventorizing: label of the host',
      },
    },
  ),
);

export type RelatedOptions = z.output<z.ZodObject<ReturnType<typeof relatedOptions>>>;

/** A table, and the field of its records that names what they belong to. */
export interface RelatedTable {
  readonly table: string;
  /** `undefined`: relations say it. */
  readonly field: string | undefined;
}

const BY_RELATION = 'rel';

/** Throws `AppError('invalid_input')` for an option that leaves open what is read. */
export function relatedTables({ inventorize_tables = '' }: RelatedOptions): readonly RelatedTable[] {
  const entries = inventorize_tables
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) {
    throw new AppError(
      'invalid_input',
      worded`inventorize_tables is missing: the tables whose records fill sections, such as cmdb_ci_network_adapter:cmdb_ci; muster account set changes it`,
    );
  }
  return entries.map((entry, index) => {
    const [, table, field] = /^(\w+)\s*:\s*(\w+)$/.exec(entry) ?? [];
    if (table === undefined || field === undefined) {
      throw new AppError(
        'invalid_input',
        worded`inventorize_tables must have table:field between its commas, and has not in number ${{ number: String(index + 1) }}`,
      );
    }
    return { table, field: field === BY_RELATION ? undefined : field };
  });
}

/** Relations of records of a table: those of the types that count, with such a record at one of their ends. */
export function relationQuery(table: string, { inventorize_relation_types = '' }: RelatedOptions): string {
  const types = inventorize_relation_types
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return [
    ...(types.length === 0 ? [] : [`type.nameIN${types.join(',')}`]),
    // The table of a class has the records of those that extend it, too.
    `child.sys_class_nameINSTANCEOF${table}`,
    `ORparent.sys_class_nameINSTANCEOF${table}`,
  ].join('^');
}
