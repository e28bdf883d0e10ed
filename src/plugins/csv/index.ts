import { WRITTEN_NULLS } from '../../kit/records/options.ts';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { csvOptions } from './options.ts';
import { readColumns, readCsv } from './read.ts';

export default definePlugin({
  id: 'csv',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from CSV files.',
  register(host) {
    host.source({
      id: 'csv',
      title: 'CSV file',
      description: 'One host a row; the columns become labels.',
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
  },
});
