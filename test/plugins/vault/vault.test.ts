import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import vault from '../../../src/plugins/vault/index.ts';
import { vaultOptions } from '../../../src/plugins/vault/options.ts';
import type { SecretSource } from '../../../src/ports/index.ts';
import { describeSecretSourceContract, pluginUnderTest } from '../../../src/testing.ts';
import { ROLE, type VaultServer, vaultServer } from './vault-server.ts';

const CONTEXT = { signal: new AbortController().signal };

let server: VaultServer;
let folder: string;

beforeEach(async () => {
  server = await vaultServer();
  server.secrets.set('secret/data/netbox', { token: 's3cret-of-netbox', port: 8443, list: ['a'] });
  server.secrets.set('kv/old', { password: 'older-secret' });
  folder = await mkdtemp(join(tmpdir(), 'muster-vault-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function source(settings: object): SecretSource {
  return pluginUnderTest(vault, { address: server.address, ...settings } as never).secretSource('vault');
}

describeSecretSourceContract('vault', {
  type: pluginUnderTest(vault, vaultOptions.parse({})).secretSourceType('vault'),
  open: async () => ({ source: source({ token: 'root-token-0815' }), close: async () => undefined }),
  secrets: {
    'secret/data/netbox#token': 's3cret-of-netbox',
    'secret/data/netbox#port': '8443',
    'kv/old#password': 'older-secret',
  },
  absent: ['secret/data/netbox#list', 'secret/data/netbox#no', 'secret/data/nothing#token', 'kv/netbox#toString'],
  refused: ['secret/data/netbox', 'netbox#token', 'secret/../sys/mounts#x', 'secret//netbox#x', 'secret/a?b#c', '#x'],
  own: ['root-token-0815'],
  async change(token) {
    server.secrets.set('secret/data/netbox', { token, port: 8443, list: ['a'] });
  },
});

it('logs in as an AppRole once for all secrets, and again when its token is refused', async () => {
  const approle = source({ auth: 'approle', ...ROLE });
  const read = () => approle.read('secret/data/netbox#token', CONTEXT);
  expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill('s3cret-of-netbox'));
  expect(server.logins).toEqual([{ path: '/v1/auth/approle/login', ...ROLE }]);
  server.tokens.clear();
  expect(await read()).toBe('s3cret-of-netbox');
  expect(server.logins).toHaveLength(2);
});

it('logs in with the token of a pod, which is read for each login', async () => {
  const jwt = join(folder, 'jwt');
  await writeFile(jwt, 'pod-token\n');
  const pod = source({ auth: 'kubernetes', role: 'muster', jwt_file: jwt, mount: 'k8s-east' });
  expect(await pod.read('kv/old#password', CONTEXT)).toBe('older-secret');
  expect(server.logins).toEqual([{ path: '/v1/auth/k8s-east/login', role: 'muster', jwt: 'pod-token' }]);
});

it('takes a token from a file, also when it is replaced', async () => {
  const file = join(folder, 'token');
  await writeFile(file, 'root-token-0815\n');
  const byFile = source({ token_file: file });
  expect(await byFile.read('kv/old#password', CONTEXT)).toBe('older-secret');
  server.tokens.clear();
  server.tokens.add('second-token');
  await writeFile(file, 'second-token');
  expect(await byFile.read('kv/old#password', CONTEXT)).toBe('older-secret');
});

it.each([
  [{ token: 'wrong-token-4711' }, 'refuses to read kv/old (403)'],
  [{ auth: 'approle', role_id: ROLE.role_id, secret_id: 'wrong-secret-4711' }, 'the login by approle is refused (400)'],
  [{ auth: 'approle', role_id: ROLE.role_id }, 'has no secret_id or secret_id_file'],
  [{ auth: 'kubernetes', role: 'muster', jwt_file: '/nonexistent/jwt' }, 'jwt_file of the plugin vault cannot be read'],
  [{ address: '', token: 'x' }, 'has no address'],
  [{ address: 'http://127.0.0.1:1', token: 'wrong-token-4711' }, '127.0.0.1:1'],
])('says what is wrong with %j, without what it logs in with', async (settings, message) => {
  const error = await source(settings)
    .read('kv/old#password', CONTEXT)
    .then(
      () => expect.fail('it was read'),
      (thrown: Error) => thrown,
    );
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('4711');
});
