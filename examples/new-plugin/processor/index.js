import { definePlugin, z } from 'muster/plugin-api';

/** What records of a source go through before they become hosts. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Completes the records of sources.',
  register(host) {
    host.recordProcessor({
      id: 'my-plugin',
      title: 'My plugin',
      description: 'Adds a label to each record, and leaves out those that are called for a test.',
      options: z.strictObject({ owner: z.string().default('operations').describe('The value of the label owner') }),
      open: ({ owner }) => ({
        // One answer for each record, in their order. What is looked up elsewhere is asked for all of them together.
        process: (records) =>
          records.map((record) =>
            record.hostname.startsWith('test-')
              ? { kind: 'left_out' }
              : { ...record, labels: { ...record.labels, owner } },
          ),
      }),
    });
  },
});
