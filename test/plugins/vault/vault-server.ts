import { type AnsweringServer, answeringServer, type SystemAnswer } from '../../../src/testing/faulty-server.ts';

/** As much of a Vault server as secrets are read with. */
export interface VaultServer extends AnsweringServer {
  /** Fields by path of the API, as a version 2 engine answers them below `data`, a version 1 engine as they are. */
  readonly secrets: Map<string, Record<string, unknown>>;
  /** Tokens that are let in. */
  readonly tokens: Set<string>;
  /** Logins that were asked for. */
  readonly logins: unknown[];
}

export const ROLE = { role_id: 'muster-role', secret_id: 'sesame-approle' };

export async function vaultServer(): Promise<VaultServer> {
  const secrets = new Map<string, Record<string, unknown>>();
  const tokens = new Set(['root-token-0815']);
  const logins: unknown[] = [];
  const answer = (status: number, body: unknown): SystemAnswer => ({ status, body: JSON.stringify(body) });
  const server = await answeringServer(({ method, path, headers, body }) => {
    if (headers['x-vault-request'] !== 'true') return answer(400, { errors: ['no request header'] });
    if (method === 'POST' && /^\/v1\/auth\/[\w-]+\/login$/.test(path)) {
      const login = JSON.parse(body) as Record<string, unknown>;
      logins.push({ path, ...login });
      const isRole = login.role_id === ROLE.role_id && login.secret_id === ROLE.secret_id;
      if (!isRole && login.jwt !== 'pod-token') return answer(400, { errors: ['invalid role or secret ID'] });
      const token = `hvs.token-${logins.length}`;
      tokens.add(token);
      return answer(200, { auth: { client_token: token, lease_duration: 3600, renewable: true } });
    }
    const token = String(headers['x-vault-token'] ?? '');
    if (!tokens.has(token)) return answer(403, { errors: [`permission denied for ${token}`] });
    const name = decodeURIComponent(path.slice('/v1/'.length));
    if (name === 'auth/token/lookup-self') return answer(200, { data: { policies: ['muster'] } });
    const fields = secrets.get(name);
    if (fields === undefined) return answer(404, { errors: [] });
    return name.startsWith('secret/data/')
      ? answer(200, { data: { data: fields, metadata: { version: 3 } } })
      : answer(200, { data: fields });
  });
  return Object.assign(server, { secrets, tokens, logins });
}
