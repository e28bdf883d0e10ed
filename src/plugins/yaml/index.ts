import { refuseLogin } from '../../kit/http-account/refuse-login.ts';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { httpJobs, yamlJobNames } from './jobs.ts';
import { HTTP_PART, yamlOptions } from './options.ts';
import { readYaml } from './read.ts';
import type { YamlAddress } from './read-address.ts';

export default definePlugin({
  id: 'yaml',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from YAML files, and from YAML documents over HTTP.',
  register(host) {
    host.source({
      id: 'yaml',
      aliases: ['yml'],
      title: 'YAML file',
      description:
        'A file or a document over HTTP: a list of records, records by name, or groups of hosts with variables; members become labels.',
      get options() {
        return yamlOptions();
      },
      parts: [HTTP_PART],
      refuse: async (options) => refuseLogin(options),
      open(options, account, services) {
        const address: YamlAddress = { options, account, services };
        const readsAddress = options.path === undefined && (options.url ?? account.address) !== '';
        return {
          parts: readsAddress ? [HTTP_PART.id] : [],
          async *read(context) {
            if (!readsAddress && context.part === undefined) return yield* readYaml(options, services.files, context);
            // Most accounts have a file.
            const { readAddress } = await import('./read-address.ts');
            yield* readAddress(address, context);
          },
          async check(context) {
            if (!readsAddress) return '';
            const { checkAddress } = await import('./read-address.ts');
            return checkAddress(address, context);
          },
        };
      },
    });
    for (const job of httpJobs) host.job(job);
    for (const name of yamlJobNames) host.jobName(name);
  },
});
