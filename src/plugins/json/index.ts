import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { jsonOptions } from './options.ts';
import { readJson } from './read.ts';

export default definePlugin({
  id: 'json',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from JSON files.',
  register(host) {
    host.source({
      id: 'json',
      title: 'JSON file',
      description: 'One host an object of a list; its members become labels, nested ones with dotted keys.',
      get options() {
        return jsonOptions();
      },
      isLocal: true,
      open: (options, _account, { files }) => ({ read: (context) => readJson(options, files, context) }),
    });
  },
});
