import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';
import { sameName } from './names.ts';
import { ldapOptions } from './options.ts';
import { ldapSignInOptions } from './sign-in-options.ts';

const JOB_NAMES = jobNamesOf(
  { title: 'LDAP', accountType: 'ldap' },
  {
    'LDAP: Import Objects': { job: 'Import', logsAs: ['LDAP', 'ldap_import'] },
    'LDAP: Inventorize Data': { job: 'Inventorize', logsAs: ['LDAP', 'ldap_inventorize'] },
  },
);

export default definePlugin({
  id: 'ldap',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from directories (Active Directory, OpenLDAP and others), and lets their people log in.',
  register(host) {
    host.source({
      id: 'ldap',
      title: 'LDAP directory',
      description: 'Each entry that a search finds is a host: Active Directory, OpenLDAP or another directory.',
      fieldTitles: { address: 'Address of the directory', username: 'User name or DN' },
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
    host.signInMethod({
      id: 'ldap-sign-in',
      title: 'Login by LDAP',
      description: 'People log in with name and password of Active Directory, OpenLDAP or another directory.',
      fieldTitles: { address: 'Address of the directory', username: 'User name or DN' },
      kind: 'password',
      get options() {
        return ldapSignInOptions();
      },
      sameGroup: sameName,
      open: (options, account, services) => ({
        kind: 'password',
        async verify(login, context) {
          const { verifyPerson } = await import('./sign-in.ts');
          return verifyPerson({ options, account, services }, login, context);
        },
        async find(subject, context) {
          const { findPerson } = await import('./sign-in.ts');
          return findPerson({ options, account, services }, subject, context);
        },
        async check(context) {
          const { checkSignIn } = await import('./sign-in.ts');
          return checkSignIn({ options, account, services }, context);
        },
      }),
    });
    for (const name of JOB_NAMES) host.jobName(name);
  },
});
