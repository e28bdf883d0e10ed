import { expect, it } from 'vitest';
import vault from '../../../src/plugins/vault/index.ts';
import { pluginUnderTest } from '../../../src/testing.ts';
import { openbao } from '../../servers/openbao.ts';
import { describeServer } from '../../servers/servers.ts';

const CONTEXT = { signal: new AbortController().signal };
const source = (settings: object) => pluginUnderTest(vault, settings as never).secretSource('vault');

await describeServer(openbao, (server) => {
  it('reads secrets by token and as an AppRole, and logs in again when a token ends', async () => {
    const bao = calls(server().facts);
    await bao.call('POST', 'secret/data/netbox', { data: { token: 's3cret', port: 8443 } });
    await bao.call('POST', 'sys/mounts/kv1', { type: 'kv', options: { version: '1' } });
    await bao.call('POST', 'kv1/old', { password: 'older' });
    const byToken = source({ address: bao.address, token: bao.token });
    expect(await byToken.read('secret/data/netbox#token', CONTEXT)).toBe('s3cret');
    expect(await byToken.read('secret/data/netbox#port', CONTEXT)).toBe('8443');
    expect(await byToken.read('kv1/old#password', CONTEXT)).toBe('older');
    await expect(byToken.read('secret/data/none#token', CONTEXT)).rejects.toThrow('has nothing at secret/data/none');
    await bao.call('DELETE', 'secret/data/netbox');
    await expect(byToken.read('secret/data/netbox#token', CONTEXT)).rejects.toThrow('has nothing at');
    await bao.call('POST', 'secret/data/netbox', { data: { token: 's3cret' } });

    const approle = source({ address: bao.address, auth: 'approle', ...(await roleOf(bao)) });
    expect(await approle.check?.(CONTEXT)).toContain('logged in by approle');
    expect(await approle.read('secret/data/netbox#token', CONTEXT)).toBe('s3cret');
    // Its policy opens no other path.
    await expect(approle.read('kv1/old#password', CONTEXT)).rejects.toThrow('refuses to read kv1/old (403)');
    await bao.call('POST', 'sys/leases/revoke-prefix/auth/approle', {});
    expect(await approle.read('secret/data/netbox#token', CONTEXT)).toBe('s3cret');
    await expect(source({ address: bao.address, token: 'wrong' }).check?.(CONTEXT)).rejects.toThrow('does not accept');
  });
});

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

interface OpenBao {
  readonly address: string;
  readonly token: string;
  readonly call: Call;
}

function calls({ address = '', token = '' }: Readonly<Record<string, string>>): OpenBao {
  return {
    address,
    token,
    async call(method, path, body) {
      const response = await fetch(`${address}/v1/${path}`, {
        method,
        headers: { 'x-vault-token': token, 'x-vault-request': 'true' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      const text = await response.text();
      return text === '' ? {} : ((JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {});
    },
  };
}

async function roleOf(bao: OpenBao): Promise<{ role_id: string; secret_id: string }> {
  await bao.call('PUT', 'sys/policies/acl/muster', { policy: 'path "secret/data/netbox" { capabilities = ["read"] }' });
  await bao.call('POST', 'sys/auth/approle', { type: 'approle' });
  await bao.call('POST', 'auth/approle/role/muster', { token_policies: 'muster', token_ttl: '60s' });
  const role = await bao.call('GET', 'auth/approle/role/muster/role-id');
  const secret = await bao.call('POST', 'auth/approle/role/muster/secret-id', {});
  return { role_id: String(role.role_id), secret_id: String(secret.secret_id) };
}
