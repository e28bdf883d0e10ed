import { definePlugin } from '../../ports/plugin.ts';
import { environmentSecrets, fileSecrets } from './sources.ts';

export default definePlugin({
  id: 'machine-secrets',
  apiVersion: 2,
  description: 'Secrets in files and variables of this machine',
  register(host) {
    host.secretSource(fileSecrets);
    host.secretSource(environmentSecrets);
  },
});
