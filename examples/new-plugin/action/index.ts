import { definePlugin, type JsonObject, z } from 'muster/plugin-api';

/** An endpoint, a command, a tool and a page in one. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Counts hosts.',
  register(host) {
    host.action({
      id: 'count',
      title: 'Count hosts',
      description: 'How many hosts a query finds, as far as the caller may see them.',
      effect: 'read',
      roles: ['objects'],
      // All that it shows goes through `operation`, which knows what the caller may see.
      withinAccounts: true,
      at: { rest: true, command: true, tool: true, page: true },
      input: z.strictObject({ where: z.string().default('').describe('A query such as site:codfw') }),
      output: z.strictObject({ hosts: z.number() }),
      async run({ where }, { operation }) {
        const { size = 0 } = (await operation('search/count-hosts', { where })) as JsonObject;
        return { hosts: size };
      },
    });
    host.page({
      id: 'count',
      title: 'My plugin',
      roles: ['objects'],
      html: `
<p>Hosts: <b id="hosts">…</b></p>
<script>
  muster.call('count').then(({ hosts }) => { document.getElementById('hosts').textContent = hosts; });
</script>`,
    });
  },
});
