import type { JobName } from '../../ports/job.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';

export const sqlJobNames: readonly JobName[] = [
  ...jobNamesOf(
    { title: 'MySQL', accountType: 'mysql' },
    {
      'Mysql: Import Hosts': { job: 'Import', logsAs: ['mysql_import'] },
      'Mysql: Inventorize Hosts': { job: 'Inventorize', logsAs: ['mysql_inventorize'] },
    },
  ),
  ...jobNamesOf(
    { title: 'Microsoft SQL Server', accountType: 'mssql' },
    {
      'MsSQL: Import Hosts': { job: 'Import', logsAs: ['mssql_import'] },
      'MsSQL: Inventorize Data': { job: 'Inventorize', logsAs: ['mssql_inventorize'] },
    },
  ),
  ...jobNamesOf(
    { title: 'ODBC databases', accountType: 'odbc' },
    {
      'ODBC: Import Hosts': { job: 'Import', logsAs: ['odbc_import'] },
      'ODBC: Inventorize Data': { job: 'Inventorize', logsAs: ['odbc_inventorize'] },
    },
  ),
];
