import * as z from 'zod';
import { connectionOptions } from '../../kit/connection/options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, number, textList, whole } from '../../kit/options/values.ts';
import { filterOption, keyOption } from '../../kit/records/options.ts';
import { phrase, schemaText, worded } from '../../kit/worded.ts';

export const ENGINES = ['postgresql', 'mysql', 'sqlite', 'mssql'] as const;
export type EngineName = (typeof ENGINES)[number];

const engine = madeOnce(() =>
  z.enum(ENGINES, { error: schemaText(worded`must be one of ${{ choices: ENGINES.join(', ') }}`) }),
);

const columnList = madeOnce(() =>
  textList().refine((columns) => columns.every((column) => !column.startsWith('$') && !column.includes('.')), {
    message: phrase`must be names without dots that do not begin with $`,
  }),
);

/** Options of all databases. Names of existing installations are aliases, or the names themselves. */
const shared = madeOnce(() =>
  titled(
    {
      hostname_field: z.string().min(1).default('host').describe('The column with the hostname'),
      table: z
        .string()
        .min(1)
        .optional()
        .describe('The table or view to import; what follows its name (WHERE …) is taken as it is written'),
      fields: textList()
        .default([])
        .describe(
          'The columns to import, comma-separated; absent: all. With a query of MySQL they name its columns, in their order',
        ),
      query: z
        .string()
        .min(1)
        .optional()
        .describe('The query to import instead of a table: one statement that begins with SELECT or WITH')
        .meta({
          aliases: ['custom_query'],
          lines: true,
          example: 'SELECT name AS hostname, ip, site FROM servers WHERE retired = 0',
        }),
      json_fields: textList()
        .default([])
        .describe('Columns with JSON as text, comma-separated; columns of a JSON type need not be named'),
      inventory_fields: columnList()
        .default([])
        .describe('Columns with JSON objects that become inventory sections instead of labels, comma-separated'),
      record_filter: filterOption(),
      key_fields: keyOption(),
      binary_fields: z
        .enum(['leave_out', 'base64'], { error: phrase`must be leave_out or base64` })
        .default('leave_out')
        .describe('Treatment of columns with bytes (bytea, blob, varbinary)'),
      query_timeout: number(phrase`must be a number of seconds`)
        .pipe(
          z
            .number()
            .positive(schemaText(worded`must be more than ${{ least: '0' }}`))
            .max(86_400, schemaText(worded`must be at most ${{ most: '86400' }}`)),
        )
        .default(300)
        .describe('Seconds that the server may take for the first rows, and for each further piece'),
      allow_ddl: flag()
        .default(false)
        .describe('Has no effect: sessions are read-only. Accounts of existing installations carry it'),
    },
    {
      Which: {
        hostname_field: 'Column with the hostname',
        table: 'Table',
        fields: 'Columns',
        query: 'Query',
        record_filter: 'Only records with',
        key_fields: 'Keys that identify a host',
      },
      'What becomes of it': {
        json_fields: 'Columns with JSON',
        inventory_fields: 'Columns that become inventory sections',
        binary_fields: 'Columns with bytes',
      },
      Where: { query_timeout: 'Timeout of queries in seconds', allow_ddl: 'Allow DDL' },
    },
  ),
);

/** Options for the address of a database server. */
const server = madeOnce(() =>
  titled(
    {
      server: z
        .string()
        .min(1)
        .optional()
        .describe('Name or address of the machine of the database; absent: that of the address of the account')
        .meta({ account_field: 'address' }),
      port: whole(1, 65_535)
        .optional()
        .describe('Port of the database; absent: that of the address, else the usual one')
        .meta({ aliases: ['serverport'] }),
      database: z.string().min(1).optional().describe('Name of the database; absent: that of the address'),
    },
    { Where: { server: 'Server', port: 'Port', database: 'Database' } },
  ),
);

/** Options of SQL Server only. */
const sqlServer = madeOnce(() =>
  titled(
    {
      instance: z
        .string()
        .min(1)
        .optional()
        .describe('SQL Server: the named instance, which is looked up if no port is given'),
      driver: z
        .string()
        .optional()
        .describe(
          'SQL Server: has no effect but that drivers of other databases are refused. Existing accounts carry it',
        ),
      trust_server_certificate: flag()
        .optional()
        .describe('SQL Server: the opposite of verify_cert, as existing installations call it'),
    },
    {
      Where: { instance: 'Named instance', driver: 'Driver', trust_server_certificate: 'Trust any certificate' },
    },
  ),
);

export const sqlOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        engine: engine()
          .optional()
          .describe(
            'The kind of the database: postgresql, mysql (MariaDB too), sqlite, mssql; absent: that of the address (postgresql://…)',
          ),
        ...shared(),
        ...server(),
        path: z.string().min(1).optional().describe('sqlite: the file of the database'),
        encoding: z
          .string()
          .min(1)
          .optional()
          .describe('sqlite: encoding of texts that are not UTF-8: latin1, cp1252, …; servers report theirs'),
        ...sqlServer(),
        ...connectionOptions(),
      },
      {
        Where: { engine: 'Kind of database', path: 'File (SQLite)', encoding: 'Encoding' },
      },
    ),
  ),
);

export const mysqlOptions = madeOnce(() => z.strictObject({ ...shared(), ...server(), ...connectionOptions() }));

export const mssqlOptions = madeOnce(() =>
  z.strictObject({ ...shared(), ...server(), ...sqlServer(), ...connectionOptions() }),
);

export type SqlOptions = z.infer<ReturnType<typeof sqlOptions>>;
