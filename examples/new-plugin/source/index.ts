import {
  definePlugin,
  httpAccountOptions,
  httpClientOf,
  type JsonObject,
  type JsonValue,
  type SourceItem,
  z,
} from 'muster/plugin-api';

/** `?page=1`, `?page=2` …: each answer has `devices`, and says in `pages` how many answers there are. */
const PAGES = { by: 'page', parameter: 'page', items: 'devices', pages: 'pages' } as const;

/** A source: the devices of a system, read over HTTP. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Imports the devices of a system.',
  register(host) {
    host.source({
      id: 'my-plugin',
      title: 'My plugin',
      description: 'The devices of a system, over HTTP.',
      options: z.strictObject({
        ...httpAccountOptions,
        path: z.string().min(1).default('devices').describe('Where the devices are, below the address'),
      }),
      open: (options, account, services) => ({
        // Throws when something is missing: an end without an error means that this is everything.
        async *read(context) {
          const client = await httpClientOf(options, account, services, context);
          try {
            let count = 0;
            for await (const { records } of client.pages({ path: options.path }, PAGES, context)) {
              yield records.map((record) => itemOf(record, ++count));
              context.progress(count);
            }
          } finally {
            await client.close();
          }
        },
        async check(context) {
          const client = await httpClientOf(options, account, services, context);
          try {
            const { value } = await client.json({ path: options.path }, context);
            return `It lists its devices. Pages: ${(value as JsonObject).pages}.`;
          } finally {
            await client.close();
          }
        },
      }),
    });
  },
});

/** What becomes of one record: a host with labels, or a line that says why it is none. */
function itemOf(record: JsonValue, number: number): SourceItem {
  const position = `record ${number}`;
  const { name, ...labels } = record as JsonObject;
  if (typeof name !== 'string' || name === '') return { kind: 'skipped', position, reason: 'it has no name' };
  return { kind: 'record', position, hostname: name, labels };
}
