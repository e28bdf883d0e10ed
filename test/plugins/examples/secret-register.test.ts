import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { pluginUnderTest } from '../../../src/main/plugin-under-test.ts';
import type { Plugin } from '../../../src/ports/index.ts';
import { answeringServer } from '../../../src/testing/faulty-server.ts';
import { describeSecretSourceContract } from '../../../src/testing/secret-source.contract.ts';
import { ROOT } from '../../architecture/source-files.ts';

offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
const file = pathToFileURL(join(ROOT, 'examples/plugins/secret-register/index.js')).href;
const plugin = ((await import(file)) as { default: Plugin }).default;

const KEY = 'key-of-the-register';
const secrets = new Map([['netbox-token', 's3cret-of-netbox']]);
const server = await answeringServer(({ path, headers }) => {
  const secret = headers.authorization === `Bearer ${KEY}` ? secrets.get(path.slice(1)) : undefined;
  return { status: secret === undefined ? 404 : 200, headers: { 'content-type': 'text/plain' }, body: secret ?? '' };
});
afterAll(() => server.close());
const register = pluginUnderTest(plugin, { url: server.address, key: KEY });

/** What the documentation offers as a model must keep what a source of secrets promises. */
describeSecretSourceContract('the example secret-register', {
  type: register.secretSourceType('register'),
  open: async () => ({ source: register.secretSource('register'), close: async () => undefined }),
  secrets: Object.fromEntries(secrets),
  absent: ['nothing'],
  refused: ['a/b', ''],
  own: [KEY],
  async change(secret) {
    secrets.set('netbox-token', secret);
  },
});
