import { isJsonObject } from '../../../kit/json/json-object.ts';
import { worded } from '../../../kit/worded.ts';
import type { HttpAuth, JsonValue, Wording } from '../../../ports/index.ts';
import { jsonOf, textOf, wholeBody } from '../content.ts';
import { type ExchangeDeps, exchange } from '../exchange.ts';
import { RequestFailure } from '../faults.ts';
import type { CheckedSettings } from '../settings.ts';
import { Turns } from '../turns.ts';
import { credentialsOf } from './credentials.ts';
import type { IssuedToken } from './token-keeper.ts';

type OAuth2 = HttpAuth & { readonly kind: 'oauth2' };

const TOKEN_BYTES = 1024 * 1024;
const TOKEN_SECONDS = 60;

/**
 * Requests a token from its server (RFC 6749, client credentials). Id and secret are sent there, and nothing else of the account.
 */
export async function fetchToken(
  auth: OAuth2,
  settings: CheckedSettings,
  common: Omit<ExchangeDeps, 'settings' | 'credentials'>,
): Promise<IssuedToken> {
  const url = new URL(auth.tokenUrl);
  const isBasic = auth.style !== 'body';
  const login = { kind: 'basic', username: form(auth.clientId), password: form(auth.clientSecret) } as const;
  const deps: ExchangeDeps = {
    ...common,
    // Requests that wait for the token already hold turns.
    turns: new Turns(1),
    settings: { ...settings, base: url, headers: {}, auth: undefined, followsElsewhere: false },
    credentials: credentialsOf(isBasic ? login : undefined, () => {
      throw new Error('a token needs no token');
    }),
  };
  const body = {
    grant_type: 'client_credentials',
    ...(isBasic ? {} : { client_id: auth.clientId, client_secret: auth.clientSecret }),
    ...(auth.scope === undefined ? {} : { scope: auth.scope }),
    ...(auth.audience === undefined ? {} : { audience: auth.audience }),
  };
  const request = { method: 'POST', path: url.href, form: body, repeatable: true, accept: [400, 401, 403] };
  const issued = await exchange(
    deps,
    request,
    { signal: AbortSignal.timeout(TOKEN_SECONDS * 1000) },
    {
      accept: 'application/json',
      seconds: TOKEN_SECONDS,
      limit: TOKEN_BYTES,
      async read({ status, headers, body: answer }) {
        const type = headers['content-type'];
        const text = textOf(await wholeBody(answer), type);
        if (status >= 400) throw refusedClient(status, text);
        return issuedToken(jsonOf(text, { type, mask: settings.mask }));
      },
    },
  );
  settings.mask.issued(issued.token);
  return issued;
}

/** In the header, id and secret are first encoded like a form (RFC 6749, 2.3.1). */
function form(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function issuedToken(answer: JsonValue): IssuedToken {
  const { access_token: token, token_type: type, expires_in: expires } = isJsonObject(answer) ? answer : {};
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new RequestFailure({
      fault: 'content',
      message: worded`is answered without an access_token; check token_url`,
    });
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw new RequestFailure({
      fault: 'content',
      message: worded`is answered with a token that is not a bearer token, which is not supported`,
    });
  }
  const seconds = Number(expires);
  return { token, seconds: expires !== undefined && expires !== null && seconds > 0 ? seconds : undefined };
}

/** Meaning of the error codes of RFC 6749 for the user who has to act. */
const MEANINGS: Readonly<Record<string, Wording>> = {
  invalid_client: worded`client id or secret is wrong, or they are sent in the wrong place (token_auth: basic or body)`,
  unauthorized_client: worded`the client may not get tokens this way; allow client credentials for it there`,
  unsupported_grant_type: worded`the server gives no tokens for client credentials; check token_url`,
  invalid_scope: worded`the scope is unknown or not allowed for the client; check scope`,
  invalid_grant: worded`the client may not get a token; check it there`,
  invalid_request: worded`the server does not understand the request; check scope, audience and token_auth`,
  invalid_target: worded`the audience is unknown there; check audience`,
  access_denied: worded`the client may not get a token; give it the right there`,
};

function refusedClient(status: number, text: string): RequestFailure {
  const code = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1] ?? '';
  const meaning = MEANINGS[code] ?? worded`check client id, secret and token_url`;
  const answer = code === '' ? String(status) : `${status}, ${code}`;
  return new RequestFailure({
    fault: 'unauthenticated',
    message: worded`gives no token (${{ answer }}): ${{ reason: meaning }}`,
    status,
  });
}
