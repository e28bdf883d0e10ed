import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { buildEndSessionUrl } from 'openid-client';
import * as z from 'zod';
import { AppError, type EndedLogin, type SignInContext } from '../../ports/index.ts';
import { keptSchema } from './login.ts';
import { discovered, inWords, isUnencrypted, type OidcProvider, ownTime, placeOf, providerFetch } from './provider.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MINUTES = 5;
/** More than a provider signs with, whatever it is rotated by. */
const MOST_KEYS = 200;

const messageSchema = z.object({
  jti: z.string().min(1),
  iat: z.number(),
  events: z.object({ [EVENT]: z.looseObject({}) }),
  sub: z.string().optional(),
  sid: z.string().optional(),
  /** Messages have none, so that no ID token passes for one. */
  nonce: z.never().optional(),
});

const keysSchema = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(MOST_KEYS) });

/** Returns the address at which the browser logs out at the provider; `undefined` if the provider does not offer one. */
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
  const address = keysAddress(provider, jwks_uri);
  const ask = () => inWords(provider, () => keysAt(provider, address));
  const keys = await provider.known.keys(placeOf(provider), ask);
  try {
    const payload = await verified(provider, { token, issuer, keys, ask });
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

interface SignedMessage {
  readonly token: string;
  readonly issuer: string;
  readonly keys: JSONWebKeySet;
  ask(): Promise<JSONWebKeySet>;
}

/** Keys are rotated: a message that names one which is not known makes the provider be asked once more, and not for each such message. */
async function verified(provider: OidcProvider, { token, issuer, keys, ask }: SignedMessage): Promise<JWTPayload> {
  const by = async (known: JSONWebKeySet): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(known), {
      issuer,
      audience: provider.account.username,
      maxTokenAge: `${MINUTES}m`,
      clockTolerance: 30,
    });
    return payload;
  };
  try {
    return await by(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    const newer = await provider.known.newerKeys(placeOf(provider), ask);
    if (newer === undefined) throw error;
    return by(newer);
  }
}

async function keysAt(provider: OidcProvider, address: string): Promise<JSONWebKeySet> {
  const fetch = await providerFetch(provider, ownTime(provider));
  const answer = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
  return keysSchema.parse(await answer.json());
}

/** Keys that came over a line on which anybody writes are anybody's. */
function keysAddress(provider: OidcProvider, address: string | undefined): string {
  const { account } = provider;
  if (address === undefined || !URL.canParse(address)) {
    throw new AppError('failed', `${account.address} names no jwks_uri; check the address of the account`);
  }
  if (new URL(address).protocol === 'https:' || isUnencrypted(provider)) return address;
  throw new AppError('failed', `${account.address} has its keys at ${address}, which is not https://`);
}
