import { AppError } from '../../ports/errors.ts';
import { definePlugin } from '../../ports/plugin.ts';
import { knownProviders } from './known-providers.ts';
import { oidcOptions } from './options.ts';

export default definePlugin({
  id: 'oidc',
  apiVersion: 2,
  description: 'Logins by OpenID Connect',
  register(host) {
    const known = knownProviders();
    host.signInMethod({
      id: 'oidc',
      title: 'Login by OpenID Connect',
      description: 'People log in at an identity provider: Keycloak, Entra ID, Okta, Authentik and others.',
      fieldTitles: { address: 'Issuer', username: 'Client ID', password: 'Client secret' },
      kind: 'redirect',
      get options() {
        return oidcOptions();
      },
      open(options, account, services) {
        requireIssuer(account.address, options.allow_unencrypted);
        if (account.username === '') {
          throw new AppError('invalid_input', 'username is missing: the id of the client at the provider');
        }
        const provider = { options, account, services, known };
        // The library is loaded by the first login.
        return {
          kind: 'redirect',
          begin: async (request, context) => (await import('./login.ts')).beginLogin(provider, request, context),
          finish: async (answer, context) => (await import('./login.ts')).finishLogin(provider, answer, context),
          renew: async (kept, context) => (await import('./login.ts')).renewLogin(provider, kept, context),
          logoutAddress: async (request, context) =>
            (await import('./logout.ts')).logoutAddress(provider, request, context),
          endedBy: async (body, context) => (await import('./logout.ts')).endedBy(provider, body, context),
          check: async (context) => (await import('./login.ts')).checkProvider(provider, context),
        };
      },
    });
  },
});

const ON_THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

function requireIssuer(address: string, allowsUnencrypted: boolean): void {
  if (!URL.canParse(address)) {
    throw new AppError(
      'invalid_input',
      'the address of the account must be that of the provider, its issuer: https://login.example.org/realms/company',
    );
  }
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || (protocol === 'http:' && (allowsUnencrypted || ON_THIS_MACHINE.has(hostname)))) return;
  throw new AppError('invalid_input', 'the provider must be reached by https://, so that no one on the way can log in');
}
