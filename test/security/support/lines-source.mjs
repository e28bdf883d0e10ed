import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** A source of a third party that reads files as the documentation says: one host a line. */
export default {
  id: 'lines-source',
  apiVersion: 1,
  register(host) {
    host.source({
      id: 'lines',
      title: 'Lines',
      description: 'One host a line.',
      options: z.strictObject({ file: z.string() }),
      open: ({ file }, _account, { files }) => ({
        async *read(context) {
          const lines = (await text(files.read(file, context))).split('\n').filter((line) => line !== '');
          yield lines.map((hostname, index) => ({
            kind: 'record',
            position: `line ${index + 1}`,
            hostname,
            labels: {},
          }));
        },
      }),
    });
  },
};
