import { WRITTEN_NULLS } from '../../kit/records/options.ts';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';
import { csvOptions } from './options.ts';
import { readColumns, readCsv } from './read.ts';

const JOB_NAMES = jobNamesOf(
  { title: 'CSV files', accountType: 'csv' },
  {
    'CSV: Import Hosts': { job: 'Import', logsAs: ['csv_import', 'CSV'] },
    'CSV: Inventorize Hosts': { job: 'Inventorize', logsAs: ['csv_inventorize', 'CSV'] },
  },
);

export default definePlugin({
  id: 'csv',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from CSV files.',
  register(host) {
    host.source({
      id: 'csv',
      title: 'CSV file',
      description: 'Each row is a host; columns become labels.',
      get options() {
        return csvOptions();
      },
      isLocal: true,
      newOptions: WRITTEN_NULLS,
      open: (options, _account, { files }) => ({
        read: (context) => readCsv(options, files, context),
        columns: (context) => readColumns(options, files, context),
      }),
    });
    for (const name of JOB_NAMES) host.jobName(name);
  },
});
