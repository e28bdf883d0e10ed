import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
} from 'openid-client';
import * as z from 'zod';
import { AppError } from '../../ports/errors.ts';
import type { ExternalLogin, SignInContext } from '../../ports/index.ts';
import type { ExternalPerson } from '../../ports/sign-in-method.ts';
import type { OidcOptions } from './options.ts';
import { discovered, inWords, type OidcProvider, saidBy } from './provider.ts';

const pendingSchema = z.object({ verifier: z.string(), state: z.string(), nonce: z.string() });

/** Data kept in a session: the tokens for later requests to the provider. */
export const keptSchema = z.object({ access: z.string(), refresh: z.string(), id: z.string(), session: z.string() });

type Kept = z.output<typeof keptSchema>;

/** Authorisation code with PKCE. State ties the answer to the browser that asked, the nonce ties the ID token to the question. */
export async function beginLogin(
  provider: OidcProvider,
  { returnAddress }: { readonly returnAddress: string },
  context: SignInContext,
): Promise<{ readonly address: string; readonly pending: string }> {
  const configuration = await discovered(provider, context);
  const verifier = randomPKCECodeVerifier();
  const [state, nonce] = [randomState(), randomNonce()];
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress,
    scope: provider.options.scopes,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    // Providers give what reaches beyond a session only where people agreed.
    ...(/\boffline_access\b/.test(provider.options.scopes) ? { prompt: 'consent' } : {}),
  });
  return { address: address.href, pending: JSON.stringify({ verifier, state, nonce }) };
}

export async function finishLogin(
  provider: OidcProvider,
  { address, pending }: { readonly address: string; readonly pending: string },
  context: SignInContext,
): Promise<ExternalLogin> {
  const { verifier, state, nonce } = pendingSchema.parse(JSON.parse(pending));
  const configuration = await discovered(provider, context);
  const tokens = await inWords(provider, () =>
    authorizationCodeGrant(configuration, new URL(address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  const claims: Claims = tokens.claims() ?? {};
  const kept: Kept = {
    access: tokens.access_token,
    refresh: tokens.refresh_token ?? '',
    id: tokens.id_token ?? '',
    session: typeof claims.sid === 'string' ? claims.sid : '',
  };
  return loginOf(kept, personOf(await withUserInfo(provider, configuration, kept.access, claims), provider.options));
}

/** Asks with the refresh token, else with the access token as long as that is good. What the provider refuses is over. */
export async function renewLogin(
  provider: OidcProvider,
  text: string,
  context: SignInContext,
): Promise<ExternalLogin | undefined> {
  const kept = keptSchema.parse(JSON.parse(text));
  const configuration = await discovered(provider, context);
  try {
    const subject = subjectOf(kept.id);
    if (kept.refresh === '') {
      const claims = await infoOf(configuration, kept.access, subject);
      return claims === undefined ? undefined : loginOf(kept, personOf(claims, provider.options));
    }
    const tokens = await refreshTokenGrant(configuration, kept.refresh);
    const next: Kept = {
      ...kept,
      access: tokens.access_token,
      refresh: tokens.refresh_token ?? kept.refresh,
      id: tokens.id_token ?? kept.id,
    };
    // The user info is made at this moment; a renewed ID token may repeat what was true at the login.
    const fresh = (await infoOf(configuration, next.access, subject)) ?? (tokens.claims() as Claims | undefined);
    if (fresh === undefined) return undefined;
    const isWhole = groupsOf(fresh, provider.options.groups_claim) !== undefined;
    const claims = isWhole ? fresh : { ...tokens.claims(), ...fresh };
    return loginOf(next, personOf(claims, provider.options));
  } catch (error) {
    if (isOver(error)) return undefined;
    return inWords(provider, () => Promise.reject(error));
  }
}

export async function checkProvider(provider: OidcProvider, context: SignInContext): Promise<string> {
  const metadata = (await discovered(provider, context, { isFresh: true })).serverMetadata();
  const lacking = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter(
    (name) => metadata[name] === undefined,
  );
  if (lacking.length > 0) {
    throw new AppError('failed', `${provider.account.address} names no ${lacking.join(' and no ')}; check the address`);
  }
  const logout = metadata.end_session_endpoint === undefined ? ' It offers no logout.' : '';
  return `${metadata.issuer} as client ${provider.account.username}.${logout}`;
}

/** The claims of the ID token, and what only the user info says. */
async function withUserInfo(
  provider: OidcProvider,
  configuration: Configuration,
  access: string,
  claims: Claims,
): Promise<Claims> {
  const { options } = provider;
  if (groupsOf(claims, options.groups_claim) !== undefined && options.name_claim in claims) return claims;
  const info = await inWords(provider, () => infoOf(configuration, access, String(claims.sub)));
  return { ...info, ...claims };
}

/** `undefined` where the provider has no such place. */
async function infoOf(configuration: Configuration, access: string, subject: string): Promise<Claims | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  return fetchUserInfo(configuration, access, subject);
}

function loginOf(kept: Kept, person: ExternalLogin['person']): ExternalLogin {
  return { person, session: kept.session, kept: JSON.stringify(kept) };
}

/** Returns the subject of an ID token that was verified on receipt. */
function subjectOf(idToken: string): string {
  const [, payload = ''] = idToken.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return z.object({ sub: z.string() }).parse(claims).sub;
}

/** The provider knows the login no more, or takes the token no more. */
function isOver(error: unknown): boolean {
  if (saidBy(error)?.error === 'invalid_grant') return true;
  return (
    typeof error === 'object' &&
    error !== null &&
    'status' in error &&
    error.status === 401 &&
    saidBy(error)?.error !== 'invalid_client'
  );
}

type Claims = Readonly<Record<string, unknown>>;

/** The person of whom the claims are. */
function personOf(
  claims: Claims,
  options: Pick<OidcOptions, 'groups_claim' | 'name_claim' | 'email_claim'>,
): ExternalPerson {
  const subject = claims.sub;
  const name = claimAt(claims, options.name_claim);
  if (typeof subject !== 'string' || subject === '')
    throw new AppError('forbidden', 'the provider does not say who you are');
  if (typeof name !== 'string' || name === '') {
    throw new AppError(
      'forbidden',
      `the provider sends no claim ${options.name_claim}, which is the user name; ask an administrator to set name_claim`,
    );
  }
  const email = claimAt(claims, options.email_claim);
  return {
    subject,
    name,
    // The owner of an unverified address is unknown.
    email: typeof email === 'string' && claims.email_verified !== false ? email : '',
    groups: groupsOf(claims, options.groups_claim) ?? [],
  };
}

/** `undefined` where the claims do not speak of groups, which is not the same as none. */
function groupsOf(claims: Claims, claim: string): readonly string[] | undefined {
  const found = claimAt(claims, claim);
  if (typeof found === 'string') return [found];
  if (!Array.isArray(found)) return undefined;
  return found.filter((group): group is string => typeof group === 'string');
}

/** A claim by its name, else by its dotted path. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), claims);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
