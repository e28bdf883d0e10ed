import { definePlugin, PLUGIN_API_VERSION } from '../../ports/plugin.ts';
import { filesOptions } from './options.ts';
import { filesTarget } from './target.ts';

export default definePlugin({
  id: 'files',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Exports hosts into configuration files of other programs, in ready shapes or from templates.',
  register(host) {
    host.target({
      id: 'files',
      title: 'Files',
      description: 'One file or many, in a ready shape or from a template.',
      options: filesOptions,
      open: (options, account, services) => filesTarget(options, account, services),
    });
  },
});
