import type { SecretSourceType } from '../../ports/secret-source.ts';

/** Files such as container runtimes mount them. */
export const fileSecrets: SecretSourceType = {
  id: 'file',
  title: 'Files of this machine',
  description: 'A file below one of the folders of SECRET_DIRS; a line break at its end does not count.',
  example: 'file:netbox-token',
  problem: (path) => (path.split(/[\\/]/).includes('..') ? 'leads out of its folder' : undefined),
  open: ({ machine }) => ({ read: (path, context) => machine.file(path, context) }),
};

export const environmentSecrets: SecretSourceType = {
  id: 'env',
  title: 'Variables of the environment',
  description: 'A variable of the service that SECRET_ENVIRONMENT allows.',
  example: 'env:MUSTER_SECRET_NETBOX',
  problem: (name) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : 'is not the name of a variable'),
  open: ({ machine }) => ({
    async read(name) {
      return machine.variable(name);
    },
  }),
};
