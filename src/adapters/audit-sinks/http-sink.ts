import { AppError, type AuditSink, forwardedText } from '../../ports/index.ts';

const TIMEOUT_MS = 15_000;

/** Batches of JSON lines by POST. Any answer but a success makes them come again. */
export function httpSink(url: URL, token: string): AuditSink {
  const { place, authorization } = credentialsOf(url, token);
  return {
    name: `${url.protocol}//${url.host}${url.pathname}`,
    async send(entries) {
      const answer = await fetch(place, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: entries.map((entry) => `${forwardedText(entry)}\n`).join(''),
        // The credentials are for this address and no other.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new AppError('failed', `it answered ${answer.status}`);
    },
  };
}

/**
 * A user in the address is for this place, the token for all. `fetch` accepts no address with a user, and repeats it in its
 * error.
 */
function credentialsOf(url: URL, token: string): { readonly place: URL; readonly authorization?: string } {
  const { username, password } = url;
  const place = new URL(url);
  place.username = '';
  place.password = '';
  if (username !== '' || password !== '') {
    const pair = `${decoded(username)}:${decoded(password)}`;
    return { place, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }
  return token === '' ? { place } : { place, authorization: `Bearer ${token}` };
}

/** A lone percent sign does not start an encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
