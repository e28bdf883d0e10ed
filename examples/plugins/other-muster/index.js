import { definePlugin, z } from 'muster/plugin-api';

/** An inventory of the hosts of another Muster, read over HTTP when somebody asks for it. */
export default definePlugin({
  id: 'other-muster',
  apiVersion: 2,
  options: z.strictObject({ url: z.string(), username: z.string(), password: z.string() }),
  register(host, { url, username, password }) {
    host.inventoryProvider('other', ({ http, logger }) => {
      const client = http.client({ url, auth: { kind: 'basic', username, password }, logger });
      return {
        async full({ signal }) {
          const hostvars = {};
          for await (const { records } of client.pages({ path: 'objects/all' }, EVERY_HOST, { signal })) {
            for (const { hostname, labels } of records) hostvars[hostname] = labels;
          }
          return { _meta: { hostvars }, all: { hosts: Object.keys(hostvars).sort() } };
        },
        async host(hostname, { signal }) {
          const request = { path: `objects/${encodeURIComponent(hostname)}`, accept: [404] };
          const { status, value } = await client.json(request, { signal });
          return status === 404 ? false : value.labels;
        },
      };
    });
  },
});

/** `?start=0&limit=500`, `?start=500&limit=500` …, until all are there that the answer says. */
const EVERY_HOST = {
  by: 'offset',
  parameter: 'start',
  size: { parameter: 'limit', value: 500 },
  items: 'results',
  total: 'size',
};
