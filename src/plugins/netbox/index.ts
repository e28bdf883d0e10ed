import { refuseLogin } from '../../kit/http-account/refuse-login.ts';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { TARGET_KINDS } from './export/kinds.ts';
import { PARTS as TARGET_PARTS } from './export/parts.ts';
import { exportJobs } from './export-jobs.ts';
import { netboxJobNames, netboxJobs } from './jobs.ts';
import { netboxOptions } from './options.ts';
import { netboxRewrites } from './rule-types/rewrites.ts';
import { netboxRuleType } from './rule-types/rule-type.ts';
import { NETBOX_RULES } from './rule-types/table.ts';
import { PARTS } from './source/parts.ts';

export default definePlugin({
  id: 'netbox',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports devices and virtual machines of NetBox, and exports hosts to it.',
  register(host) {
    host.source({
      id: 'netbox',
      title: 'NetBox',
      description:
        'Devices and virtual machines of NetBox, with what it knows of their sites, roles, addresses and custom fields.',
      unusedFields: ['username'],
      fieldTitles: { password: 'API token' },
      get options() {
        return netboxOptions();
      },
      parts: PARTS,
      wholeReadHours: ({ full_read_hours }) => full_read_hours,
      refuse: async (options) => refuseLogin(options),
      // Everything beyond options is loaded with the first run.
      open: (options, account, services) => ({
        parts: options.parts,
        async *read(context) {
          const { readNetBox } = await import('./source/read.ts');
          yield* readNetBox({ options, account, services }, context);
        },
        async check(context) {
          const { checkNetBox } = await import('./source/check.ts');
          return checkNetBox({ options, account, services }, context);
        },
      }),
    });
    for (const row of NETBOX_RULES) host.ruleType(netboxRuleType(row));
    host.ruleType(netboxRewrites);
    host.target({
      id: 'netbox',
      title: 'NetBox',
      description: 'Devices, virtual machines, clusters, interfaces, addresses, prefixes and contacts of NetBox.',
      unusedFields: ['username'],
      fieldTitles: { password: 'API token' },
      get options() {
        return netboxOptions();
      },
      kinds: TARGET_KINDS,
      parts: TARGET_PARTS,
      takes: 'all',
      async open(options, account, services) {
        const { openTarget } = await import('./export/open-target.ts');
        return openTarget(options, account, services);
      },
    });
    for (const job of [...netboxJobs, ...exportJobs]) host.job(job);
    for (const name of netboxJobNames) host.jobName(name);
  },
});
