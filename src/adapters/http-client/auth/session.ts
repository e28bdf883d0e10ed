import { worded } from '../../../kit/worded.ts';
import type { HttpRequest, HttpSessionAuth, JsonValue, Wording } from '../../../ports/index.ts';
import { jsonOf, textOf, wholeBody } from '../content.ts';
import { excerptOf } from '../excerpt.ts';
import { type ExchangeDeps, exchange, type OpenAnswer } from '../exchange.ts';
import { RequestFailure } from '../faults.ts';
import { memberAt } from '../member-at.ts';
import type { CheckedSettings } from '../settings.ts';
import { Turns } from '../turns.ts';
import { type Credentials, credentialsOf, sessionHeader, sessionPrefix } from './credentials.ts';
import type { IssuedToken } from './token-keeper.ts';

const ANSWER_BYTES = 1024 * 1024;
const LOGIN_SECONDS = 60;
/** A logout is not worth a longer wait. */
const LOGOUT_SECONDS = 5;

type Common = Omit<ExchangeDeps, 'settings' | 'credentials'>;

/** Logs in at the system. */
export async function openSession(
  auth: HttpSessionAuth,
  settings: CheckedSettings,
  common: Common,
): Promise<IssuedToken> {
  const { basic, ...login } = auth.login;
  const deps = besides(common, settings, basic === undefined ? undefined : { kind: 'basic', ...basic });
  const request: HttpRequest = { method: 'POST', ...login, repeatable: true, accept: [400, 401, 403] };
  const token = await exchange(
    deps,
    request,
    { signal: AbortSignal.timeout(LOGIN_SECONDS * 1000) },
    { accept: '*/*', seconds: LOGIN_SECONDS, limit: ANSWER_BYTES, read: (answer) => tokenOf(auth, answer, settings) },
  );
  settings.mask.issued(token);
  return { token, seconds: undefined };
}

/** Logs out. A session that cannot be ended ends by itself one day. */
export async function endSession(
  auth: HttpSessionAuth,
  token: string,
  settings: CheckedSettings,
  common: Common,
): Promise<void> {
  if (auth.logout === undefined) return;
  const once = { ...settings, retry: { ...settings.retry, attempts: 1 } };
  const deps = besides(common, once, {
    kind: 'header',
    name: sessionHeader(auth),
    value: `${sessionPrefix(auth)}${token}`,
  });
  await exchange(
    deps,
    { method: 'POST', ...auth.logout },
    { signal: AbortSignal.timeout(LOGOUT_SECONDS * 1000) },
    { accept: '*/*', seconds: LOGOUT_SECONDS, limit: ANSWER_BYTES, read: async () => undefined },
  ).catch(() => undefined);
}

/** Requests that wait for the session already hold turns. */
function besides(common: Common, settings: CheckedSettings, auth: Parameters<typeof credentialsOf>[0]): ExchangeDeps {
  const credentials: Credentials = credentialsOf(auth, () => {
    throw new Error('a login needs no token');
  });
  return { ...common, turns: new Turns(1), settings: { ...settings, followsElsewhere: false }, credentials };
}

async function tokenOf(
  { token }: HttpSessionAuth,
  { status, headers, body }: OpenAnswer,
  { mask }: CheckedSettings,
): Promise<string> {
  const type = headers['content-type'];
  const text = textOf(await wholeBody(body), type);
  if (status >= 400) {
    const said = excerptOf(text, mask);
    const problem = worded`gives no session (${{ status: String(status) }}): it does not accept the login; check user name and password, login_path and login_body`;
    throw new RequestFailure({
      fault: 'unauthenticated',
      message: said === '' ? problem : worded`${{ problem }}; it says: ${{ said }}`,
      status,
    });
  }
  const [found, where] = foundToken(token, { text, headers, json: () => jsonOf(text, { type, mask }) });
  if (found !== undefined && /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(found)) return found;
  throw new RequestFailure({
    fault: 'unauthenticated',
    message: worded`is answered without a token ${{ where }}: the login is refused, or the token is elsewhere; check user name and password, login_body and token_path`,
  });
}

function foundToken(
  token: HttpSessionAuth['token'],
  answer: { readonly text: string; readonly headers: Readonly<Record<string, string>>; json(): JsonValue },
): readonly [token: string | undefined, where: Wording] {
  if (token === 'text') return [answer.text.trim().replace(/^"(.*)"$/, '$1'), worded`in its text`];
  if (token === 'cookies') return [cookiesOf(answer.headers['set-cookie'] ?? ''), worded`in its cookies`];
  if ('header' in token)
    return [answer.headers[token.header.toLowerCase()], worded`in the header ${{ name: token.header }}`];
  const found = memberAt(answer.json(), token.member);
  const text = typeof found === 'number' ? String(found) : found;
  return [typeof text === 'string' && text !== '' ? text : undefined, worded`at ${{ path: token.member }}`];
}

/** Several of them come joined by commas, and so does the time at which one expires: a cookie begins with a name and `=`. */
function cookiesOf(header: string): string | undefined {
  const pairs = header
    .split(/,(?=\s*[^\s=;,]+=)/)
    .map((cookie) => cookie.split(';')[0]?.trim() ?? '')
    .filter((pair) => /^[^\s=;,]+=[^\s;,]+$/.test(pair));
  return pairs.length === 0 ? undefined : pairs.join('; ');
}
