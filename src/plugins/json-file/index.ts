import { definePlugin, PLUGIN_API_VERSION } from '../../ports/plugin.ts';
import { jsonFileOptions } from './options.ts';
import { jsonFileTarget } from './target.ts';

export default definePlugin({
  id: 'json-file',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Exports hosts into a JSON file.',
  register(host) {
    host.target({
      id: 'json_file',
      title: 'JSON file',
      description: 'Exports all hosts with their variables and groups into one file.',
      unusedFields: ['address', 'username', 'password'],
      get options() {
        return jsonFileOptions();
      },
      writtenPath: () => 'path',
      open: (options, _account, { files }) => jsonFileTarget(options, files),
    });
  },
});
