import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { httpClients } from '../../../src/adapters/http-client/client.ts';
import { type KnownProviders, knownProviders } from '../../../src/plugins/oidc/known-providers.ts';
import { checkProvider } from '../../../src/plugins/oidc/login.ts';
import { endedBy } from '../../../src/plugins/oidc/logout.ts';
import { oidcOptions } from '../../../src/plugins/oidc/options.ts';
import { type OidcProvider, placeOf } from '../../../src/plugins/oidc/provider.ts';

const context = { signal: new AbortController().signal };
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let now: number;
let known: KnownProviders;
beforeEach(() => {
  now = 0;
  known = knownProviders(() => now);
});

/** A provider that rotates its keys and counts what it is asked for. */
async function rotatingProvider() {
  const asked = { discovery: 0, keys: 0 };
  const state = { kid: '', padding: '', isDown: false, jwks: undefined as string | undefined };
  let pair = await generateKeyPair('ES256', { extractable: true });
  const server = createServer(async (request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    asked[isDiscovery ? 'discovery' : 'keys']++;
    response.setHeader('content-type', 'application/json');
    if (state.isDown) {
      response.statusCode = 503;
      return response.end('{}');
    }
    const body = isDiscovery
      ? {
          issuer: url,
          jwks_uri: state.jwks ?? `${url}/keys`,
          authorization_endpoint: `${url}/a`,
          token_endpoint: `${url}/t`,
        }
      : { keys: [{ ...(await exportJWK(pair.publicKey)), kid: state.kid, alg: 'ES256' }], padding: state.padding };
    return response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    options: oidcOptions().parse({ request_timeout: 2 }),
    account: { name: 'company', address: url, username: 'muster', password: '' },
    services: { http: httpClients({ clock: { now: () => new Date() } }), logger: undefined, files: undefined } as never,
    known,
  };
  let messages = 0;
  return {
    asked,
    state,
    provider,
    async rotate(kid: string) {
      pair = await generateKeyPair('ES256', { extractable: true });
      state.kid = kid;
    },
    async message(kid = state.kid): Promise<string> {
      const token = await new SignJWT({
        jti: `m${messages++}`,
        sub: 'id-1',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer(url)
        .setAudience('muster')
        .setIssuedAt()
        .sign(pair.privateKey);
      return `logout_token=${token}`;
    },
  };
}

describe('keys of a provider', () => {
  it('are asked for once, and again when a message names a new one, but not for each such message', async () => {
    const { asked, provider, rotate, message } = await rotatingProvider();
    await rotate('one');
    for (let times = 0; times < 5; times++) {
      expect(await endedBy(provider, await message(), context)).toMatchObject({ subject: 'id-1' });
    }
    expect(asked).toEqual({ discovery: 1, keys: 1 });
    now += 31 * SECOND;
    await rotate('two');
    expect(await endedBy(provider, await message(), context)).toMatchObject({ subject: 'id-1' });
    expect(asked.keys).toBe(2);
    for (let times = 0; times < 20; times++) {
      await expect(endedBy(provider, await message('made up'), context)).rejects.toThrow(/logout_token/);
    }
    expect(asked.keys).toBe(2);
    now += 31 * SECOND;
    const refused = await Promise.allSettled(
      Array.from({ length: 20 }, async () => endedBy(provider, await message('made up'), context)),
    );
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toEqual({ discovery: 1, keys: 3 });
    expect(await endedBy(provider, await message(), context)).toMatchObject({ subject: 'id-1' });
  });

  it('that were taken back count no longer than ten minutes, what the provider says of itself neither', async () => {
    const { asked, provider, rotate, message } = await rotatingProvider();
    await rotate('one');
    const old = await message();
    await endedBy(provider, old, context);
    await rotate('two');
    await endedBy(provider, old, context);
    now += 11 * MINUTE;
    await expect(endedBy(provider, old, context)).rejects.toThrow(/logout_token/);
    expect(asked).toEqual({ discovery: 2, keys: 2 });
  });

  it('are asked for again at once after a failure, and once for all who wait', async () => {
    const { asked, state, provider, rotate, message } = await rotatingProvider();
    await rotate('one');
    state.isDown = true;
    await expect(endedBy(provider, await message(), context)).rejects.toMatchObject({ code: 'failed' });
    state.isDown = false;
    const texts = await Promise.all(Array.from({ length: 10 }, () => message()));
    await Promise.all(texts.map((text) => endedBy(provider, text, context)));
    expect(asked).toEqual({ discovery: 2, keys: 1 });
  });

  it('are refused where the answer is too large, or they are elsewhere without encryption', async () => {
    const { state, provider, rotate, message } = await rotatingProvider();
    await rotate('one');
    state.padding = 'x'.repeat(2 * 1024 * 1024);
    await expect(endedBy(provider, await message(), context)).rejects.toThrow(/too much/);
    const issuer = 'https://login.example.org';
    const account = { ...provider.account, address: issuer };
    const secure = { ...provider, account };
    const ask = async () => ({ issuer, jwks_uri: 'http://login.example.org/keys' });
    await known.metadata(placeOf(secure), ask);
    await expect(endedBy(secure, await message(), context)).rejects.toThrow(/not https/);
  });
});

describe('what a provider says of itself', () => {
  it('is asked for anew by a test of the account', async () => {
    const { asked, provider } = await rotatingProvider();
    await checkProvider(provider, context);
    await checkProvider(provider, context);
    expect(asked.discovery).toBe(2);
  });

  it('is kept for so many providers only', async () => {
    let asked = 0;
    const ask = async () => ({ issuer: `https://${asked++}.example.org` });
    for (let number = 0; number < 60; number++) await known.metadata(`provider ${number}`, ask);
    await known.metadata('provider 59', ask);
    expect(asked).toBe(60);
    await known.metadata('provider 0', ask);
    expect(asked).toBe(61);
  });
});
