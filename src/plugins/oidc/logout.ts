import { createLocalJWKSet, jwtVerify } from 'jose';
import { buildEndSessionUrl } from 'openid-client';
import * as z from 'zod';
import { AppError, type EndedLogin, type SignInContext } from '../../ports/index.ts';
import { keptSchema } from './login.ts';
import { discovered, inWords, type OidcProvider, providerFetch } from './provider.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MINUTES = 5;

const messageSchema = z.object({
  jti: z.string().min(1),
  iat: z.number(),
  events: z.object({ [EVENT]: z.looseObject({}) }),
  sub: z.string().optional(),
  sid: z.string().optional(),
  /** Messages have none, so that no ID token passes for one. */
  nonce: z.never().optional(),
});

const keysSchema = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Where the browser logs out at the provider; `undefined` where that offers none. */
export async function logoutAddress(
  provider: OidcProvider,
  { kept, returnAddress }: { readonly kept: string; readonly returnAddress: string },
  context: SignInContext,
): Promise<string | undefined> {
  const configuration = await discovered(provider, context);
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  const { id } = keptSchema.parse(JSON.parse(kept));
  return buildEndSessionUrl(configuration, { id_token_hint: id, post_logout_redirect_uri: returnAddress }).href;
}

/** Whose sessions the provider says are over: OpenID Connect Back-Channel Logout 1.0. */
export async function endedBy(provider: OidcProvider, body: string, context: SignInContext): Promise<EndedLogin> {
  const token = new URLSearchParams(body).get('logout_token') ?? '';
  const { issuer, jwks_uri } = (await discovered(provider, context)).serverMetadata();
  const keys = await inWords(provider, async () => {
    const fetch = await providerFetch(provider, context);
    const answer = await fetch(jwks_uri ?? '', { method: 'GET', headers: { accept: 'application/json' } });
    return keysSchema.parse(await answer.json());
  });
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: provider.account.username,
      maxTokenAge: `${MINUTES}m`,
      clockTolerance: 30,
    });
    const { jti, iat, sub, sid } = messageSchema.parse(payload);
    if (sub === undefined && sid === undefined) throw new Error('it names neither a person nor a session');
    return {
      message: jti,
      until: new Date((iat + 2 * MINUTES * 60) * 1000),
      ...(sub === undefined ? {} : { subject: sub }),
      ...(sid === undefined ? {} : { session: sid }),
    };
  } catch (cause) {
    throw new AppError('invalid_input', 'logout_token is missing, or not a message of the provider', { cause });
  }
}
