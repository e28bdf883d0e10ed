import { definePlugin } from '../../ports/plugin.ts';
import type { SecretSource } from '../../ports/secret-source.ts';
import { vaultOptions } from './options.ts';
import { EXAMPLE, referenceProblem } from './reference.ts';

export default definePlugin({
  id: 'vault',
  apiVersion: 2,
  description: 'Secrets of HashiCorp Vault and OpenBao',
  options: vaultOptions,
  register(host, options) {
    host.secretSource({
      id: 'vault',
      title: 'Vault and OpenBao',
      description: 'A field of a secret in a key-value engine, version 2 or 1.',
      example: EXAMPLE,
      problem: referenceProblem,
      open(services) {
        let opened: Promise<SecretSource> | undefined;
        // Few commands read a secret.
        const source = (): Promise<SecretSource> => {
          opened ??= import('./client.ts')
            .then(({ vaultSource }) => vaultSource(options, services))
            .catch((error: unknown) => {
              opened = undefined;
              throw error;
            });
          return opened;
        };
        return {
          read: async (reference, context) => (await source()).read(reference, context),
          check: async (context) => (await source()).check?.(context) ?? '',
        };
      },
    });
  },
});
