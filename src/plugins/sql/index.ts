import { WRITTEN_NULLS } from '../../kit/records/options.ts';
import {
  definePlugin,
  PLUGIN_API_VERSION,
  type Source,
  type SourceAccount,
  type SourceServices,
} from '../../ports/index.ts';
import { sqlJobNames } from './job-names.ts';
import { mssqlOptions, mysqlOptions, type SqlOptions, sqlOptions } from './options.ts';

export default definePlugin({
  id: 'sql',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from databases: PostgreSQL, MySQL and MariaDB, SQLite, SQL Server.',
  register(host) {
    host.source({
      id: 'sql',
      title: 'SQL database',
      description: 'Each row of a table or query is a host: PostgreSQL, MySQL, MariaDB, SQLite or SQL Server.',
      fieldTitles: { address: 'Address of the database' },
      get options() {
        return sqlOptions();
      },
      newOptions: WRITTEN_NULLS,
      open,
    });
    host.source({
      id: 'mysql',
      title: 'MySQL or MariaDB',
      description: 'Each row of a table or query is a host.',
      fieldTitles: { address: 'Address of the database' },
      get options() {
        return mysqlOptions();
      },
      newOptions: WRITTEN_NULLS,
      open: (options, account, services) => open({ ...options, engine: 'mysql' }, account, services),
    });
    host.source({
      id: 'mssql',
      aliases: ['odbc'],
      title: 'Microsoft SQL Server',
      description: 'Each row of a table or query is a host.',
      fieldTitles: { address: 'Address of the database' },
      get options() {
        return mssqlOptions();
      },
      newOptions: WRITTEN_NULLS,
      open: (options, account, services) => open({ ...options, engine: 'mssql' }, account, services),
    });
    for (const name of sqlJobNames) host.jobName(name);
  },
});

/** Everything beyond options is loaded with the first run. */
function open(options: SqlOptions, account: SourceAccount, services: SourceServices): Source {
  return {
    async *read(context) {
      const { readSql } = await import('./read.ts');
      yield* readSql({ options, account, services }, context);
    },
    async check(context) {
      const { checkSql } = await import('./read.ts');
      return checkSql({ options, account, services }, context);
    },
  };
}
