import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { netboxJobs } from './jobs.ts';
import { netboxOptions } from './options.ts';
import { PARTS } from './source/parts.ts';

export default definePlugin({
  id: 'netbox',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports devices and virtual machines of NetBox.',
  register(host) {
    host.source({
      id: 'netbox',
      title: 'NetBox',
      description:
        'Devices and virtual machines of NetBox, with what it knows of their sites, roles, addresses and custom fields.',
      options: netboxOptions,
      parts: PARTS,
      // Everything beyond options is loaded with the first run.
      open: (options, account, services) => ({
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
    for (const job of netboxJobs) host.job(job);
  },
});
