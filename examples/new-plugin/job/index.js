import { definePlugin } from 'muster/plugin-api';

/** A job of cron groups. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'A job of cron groups.',
  register(host) {
    host.job({
      id: 'My plugin',
      aliases: [],
      description: 'Says how many hosts there are.',
      account: 'none',
      // May take hours, but ends soon when `signal` aborts. After a crash it is begun again.
      async run({ operation, signal }) {
        const counters = await operation('hosts/host-counters', {});
        signal.throwIfAborted();
        return { message: `${counters.num_hosts} hosts` };
      },
    });
  },
});
