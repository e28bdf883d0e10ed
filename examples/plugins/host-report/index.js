import { writeFile } from 'node:fs/promises';
import { definePlugin, z } from 'muster/plugin-api';

/** A job of cron groups: writes the counters of hosts into a file, for a dashboard. */
export default definePlugin({
  id: 'host-report',
  apiVersion: 2,
  options: z.strictObject({ path: z.string().min(1).default('host-report.json').describe('The file to write') }),
  register(host, { path }) {
    host.job({
      id: 'Host Report',
      aliases: [],
      description: 'Writes how many hosts there are into a file.',
      account: 'none',
      async run({ operation, signal }) {
        const counters = await operation('hosts/host-counters', {});
        await writeFile(path, `${JSON.stringify(counters)}\n`, { signal });
        return { message: `${counters.num_hosts} hosts, ${counters.not_updated_last_24h} of them not seen for a day` };
      },
    });
  },
});
