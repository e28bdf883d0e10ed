import { text } from 'node:stream/consumers';
import { definePlugin, z } from 'muster/plugin-api';

/** A source: one hostname a line, further words are labels as `key=value`. */
export default definePlugin({
  id: 'text-list',
  apiVersion: 2,
  description: 'Imports hosts from a plain list of names.',
  register(host) {
    host.source({
      id: 'text-list',
      title: 'List of names',
      description: 'One host a line: its name, then labels as key=value.',
      options: z.strictObject({ path: z.string().min(1).describe('The file to import') }),
      open: ({ path }, _account, { files }) => ({
        async *read(context) {
          const lines = (await text(files.read(path, context))).split('\n');
          yield lines.flatMap((line, index) => itemOf(line.trim(), `line ${index + 1}`));
        },
      }),
    });
  },
});

function itemOf(line, position) {
  if (line === '' || line.startsWith('#')) return [];
  const [hostname, ...words] = line.split(/\s+/);
  const wrong = words.find((word) => word.indexOf('=') < 1);
  if (wrong !== undefined) return [{ kind: 'skipped', position, hostname, reason: `"${wrong}" is not key=value` }];
  const labels = Object.fromEntries(words.map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]));
  return [{ kind: 'record', position, hostname, labels }];
}
