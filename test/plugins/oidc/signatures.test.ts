import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { knownProviders } from '../../../src/plugins/oidc/known-providers.ts';
import { finishLogin } from '../../../src/plugins/oidc/login.ts';
import type { OidcProvider } from '../../../src/plugins/oidc/provider.ts';

/** A provider whose answers come unchanged, and where somebody on the way may have signed the ID token. */

const ISSUER = 'https://login.example.org';
const PENDING = JSON.stringify({ verifier: 'v'.repeat(43), state: 's', nonce: 'n' });

async function keyPair(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } as JWK };
}

const own = await keyPair('one');
const foreign = await keyPair('one');
const next = await keyPair('two');
const published = { keys: [own.jwk] };
const known = knownProviders();

function logIn(key: Parameters<SignJWT['sign']>[0], header: { kid?: string; jwk?: JWK } = { kid: 'one' }) {
  const answers: Record<string, () => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/jwks`,
      userinfo_endpoint: `${ISSUER}/me`,
    }),
    '/jwks': () => ({ keys: [...published.keys] }),
    '/me': () => ({ sub: 'id-1', preferred_username: 'sue' }),
    '/token': async () => ({
      access_token: 'a',
      token_type: 'bearer',
      id_token: await new SignJWT({ nonce: 'n', preferred_username: 'sue' })
        .setProtectedHeader({ alg: 'RS256', ...header })
        .setIssuer(ISSUER)
        .setAudience('muster')
        .setSubject('id-1')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(key),
    }),
  };
  const client = () => ({
    async request({ path }: { path: string }) {
      const answer = await answers[new URL(path, ISSUER).pathname]?.();
      const body = [Buffer.from(JSON.stringify(answer ?? {}))];
      return { status: answer === undefined ? 404 : 200, headers: { 'content-type': 'application/json' }, body };
    },
    close: () => Promise.resolve(),
  });
  const provider = {
    options: {
      request_timeout: 5,
      scopes: 'openid',
      client_auth: 'basic',
      verify_cert: false,
      username_claim: 'preferred_username',
      groups_claim: 'groups',
      email_claim: 'email',
      name_claim: 'preferred_username',
    },
    account: { address: ISSUER, username: 'muster', password: 'secret' },
    services: { http: { client }, files: {} },
    known,
  } as unknown as OidcProvider;
  const address = `${ISSUER}/return?code=c&state=s`;
  return finishLogin(provider, { address, pending: PENDING }, { signal: AbortSignal.timeout(5_000) });
}

describe('an ID token', () => {
  it('that the provider signed lets in', async () => {
    expect(await logIn(own.privateKey)).toMatchObject({ person: { subject: 'id-1' } });
  });

  it.each([
    ['another key of the same name', foreign, { kid: 'one' }],
    ['a key that the provider does not name', next, { kid: 'two' }],
    ['a key that the token brings along', foreign, { jwk: foreign.jwk }],
  ])('signed by %s lets nobody in', async (_what, { privateKey }, header) => {
    await expect(logIn(privateKey, header)).rejects.toMatchObject({ name: 'AppError' });
  });

  it('signed by a new key of the provider lets in at once, and by the old one no more', async () => {
    published.keys = [next.jwk];
    expect(await logIn(next.privateKey, { kid: 'two' })).toMatchObject({ person: { subject: 'id-1' } });
    await expect(logIn(own.privateKey)).rejects.toMatchObject({ name: 'AppError' });
  });
});
