import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { identifyByProxy } from './identify.ts';
import { proxySignInOptions } from './options.ts';

export default definePlugin({
  id: 'proxy-sign-in',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Logins by a reverse proxy that names people in a header.',
  register(host) {
    host.signInMethod({
      id: 'proxy-sign-in',
      title: 'Login by a proxy',
      description:
        'People log in at a reverse proxy, which names them in a header and proves itself by its certificate.',
      kind: 'proxy',
      unusedFields: ['address', 'username', 'password'],
      get options() {
        return proxySignInOptions();
      },
      open: (options) => ({ kind: 'proxy', identify: (request) => identifyByProxy(options, request) }),
    });
  },
});
