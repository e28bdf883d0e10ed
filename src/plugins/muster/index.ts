import { httpClientOf } from '../../kit/http-account/client.ts';
import { refuseLogin } from '../../kit/http-account/refuse-login.ts';
import { counted } from '../../kit/words/amounts.ts';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { musterOptions } from './options.ts';
import { hostCount, readHosts } from './read.ts';

export default definePlugin({
  id: 'muster',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports the hosts of another Muster.',
  register(host) {
    host.source({
      id: 'muster',
      title: 'Another Muster',
      description: 'The hosts that a user of another Muster may read, with labels, inventory sections and relations.',
      fieldTitles: { password: 'Password or API token' },
      get options() {
        return musterOptions();
      },
      refuse: async (options) => refuseLogin(options),
      open: (options, account, services) => ({
        async *read(context) {
          const client = await httpClientOf(options, account, services, context);
          try {
            yield* readHosts(client, options, context);
          } finally {
            await client.close();
          }
        },
        async check(context) {
          const client = await httpClientOf(options, account, services, context);
          try {
            const count = await hostCount(client, context);
            return `a Muster that shows ${counted(count, 'host')} to ${account.username === '' ? 'this account' : account.username}`;
          } finally {
            await client.close();
          }
        },
      }),
    });
  },
});
