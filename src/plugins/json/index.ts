import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';
import { jsonOptions } from './options.ts';
import { readJson } from './read.ts';

const JOB_NAMES = jobNamesOf(
  { title: 'JSON files', accountType: 'json' },
  {
    'JSON FILE: Import Hosts': { job: 'Import', logsAs: ['json_file_import'] },
  },
);

export default definePlugin({
  id: 'json',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from JSON files.',
  register(host) {
    host.source({
      id: 'json',
      title: 'JSON file',
      description: 'Each object of a list is a host; its members become labels.',
      get options() {
        return jsonOptions();
      },
      isLocal: true,
      open: (options, _account, { files }) => ({ read: (context) => readJson(options, files, context) }),
    });
    for (const name of JOB_NAMES) host.jobName(name);
  },
});
