import { definePlugin, PLUGIN_API_VERSION } from '../../ports/plugin.ts';
import { filesOptions } from './options.ts';

export default definePlugin({
  id: 'files',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Exports hosts into configuration files of other programs, in ready shapes or from templates.',
  register(host) {
    host.target({
      id: 'files',
      title: 'Files',
      description:
        'Exports hosts into files, such as one for each site: CSV, JSON, YAML, an Ansible inventory, ssh_config, known_hosts, hosts, DNS zones, Prometheus, Terraform, or from a template.',
      unusedFields: ['address', 'username', 'password'],
      get options() {
        return filesOptions();
      },
      writtenPath: ({ publish }) => (publish ? undefined : 'path'),
      // Everything beyond options is loaded with the first run: the writer of YAML alone is a tenth of what a command loads.
      open(options, account, services) {
        const target = async () => {
          const { publishingTarget, unpublishing } = await import('./publishing-target.ts');
          if (options.publish) return publishingTarget(options, account, services);
          const { filesTarget } = await import('./target.ts');
          return unpublishing(filesTarget(options, account, services), services.published);
        };
        return {
          write: async (hosts, run) => (await target()).write(hosts, run),
          check: async (context) => (await target()).check(context),
        };
      },
    });
  },
});
