import { definePlugin, z } from 'muster/plugin-api';

/** Sites: where hosts stand is completed as they come in, and shown as a page, an endpoint, a command and a tool. */
export default definePlugin({
  id: 'site-tools',
  apiVersion: 2,
  description: 'Names of sites for hosts, and a report of sites.',
  register(host) {
    host.recordProcessor({
      id: 'site-city',
      title: 'City of a site',
      description: 'Adds the city to hosts of a known site, and leaves out those of sites that are closed.',
      options: z.strictObject({
        cities: z.record(z.string(), z.string()),
        closed: z.array(z.string()).default([]),
      }),
      open: ({ cities, closed }) => ({
        process: (records) =>
          records.map((record) => {
            const { site } = record.labels;
            if (closed.includes(site)) return { kind: 'left_out' };
            return Object.hasOwn(cities, site)
              ? { ...record, labels: { ...record.labels, city: cities[site] } }
              : record;
          }),
      }),
    });

    host.action({
      id: 'site-report',
      title: 'Hosts by site',
      description: 'How many hosts each site has, as far as the caller may see them.',
      effect: 'read',
      roles: ['objects'],
      withinAccounts: true,
      at: { rest: true, command: true, tool: true, page: true },
      input: z.strictObject({
        at_least: z.coerce.number().int().min(0).default(1).describe('Leave out smaller sites'),
      }),
      output: z.strictObject({ sites: z.array(z.strictObject({ site: z.string(), hosts: z.number() })) }),
      async run({ at_least: least }, { operation }) {
        const { fields } = await operation('search/count-hosts', { fields: ['site'], values: 100 });
        const sites = fields[0].values.map(({ value, count }) => ({ site: value, hosts: count }));
        return { sites: sites.filter(({ hosts }) => hosts >= least) };
      },
    });

    host.page({
      id: 'sites',
      title: 'Sites',
      roles: ['objects'],
      html: `
<table><thead><tr><th>Site</th><th>Hosts</th></tr></thead><tbody id="sites"></tbody></table>
<p id="problem" role="alert"></p>
<script>
  muster.call('site-report', { at_least: 1 }).then(({ sites }) => {
    for (const { site, hosts } of sites) {
      const row = document.getElementById('sites').insertRow();
      row.insertCell().textContent = site;
      row.insertCell().textContent = hosts.toLocaleString('en');
    }
  }, (error) => { document.getElementById('problem').textContent = error.message; });
</script>`,
    });
  },
});
