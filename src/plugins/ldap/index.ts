import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { ldapOptions } from './options.ts';

export default definePlugin({
  id: 'ldap',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from directories: Active Directory, OpenLDAP and others.',
  register(host) {
    host.source({
      id: 'ldap',
      title: 'LDAP directory',
      description: 'One host an entry that a search finds in Active Directory, OpenLDAP or another directory.',
      get options() {
        return ldapOptions();
      },
      // Everything beyond options is loaded with the first run.
      open: (options, account, services) => ({
        async *read(context) {
          const { readLdap } = await import('./read.ts');
          yield* readLdap({ options, account, services }, context);
        },
        async check(context) {
          const { checkLdap } = await import('./read.ts');
          return checkLdap({ options, account, services }, context);
        },
      }),
    });
  },
});
