import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { yamlOptions } from './options.ts';
import { readYaml } from './read.ts';

export default definePlugin({
  id: 'yaml',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from YAML files.',
  register(host) {
    host.source({
      id: 'yaml',
      aliases: ['yml'],
      title: 'YAML file',
      description: 'A list of records, records by name, or groups of hosts with variables; members become labels.',
      options: yamlOptions,
      isLocal: true,
      open: (options, _account, { files }) => ({ read: (context) => readYaml(options, files, context) }),
    });
  },
});
