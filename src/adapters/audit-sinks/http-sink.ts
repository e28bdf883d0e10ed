import { AppError, type AuditSink, forwardedText } from '../../ports/index.ts';

const TIMEOUT_MS = 15_000;

/** Batches of JSON lines by POST. Any answer but a success makes them come again. */
export function httpSink(url: URL, token: string): AuditSink {
  return {
    name: `${url.protocol}//${url.host}${url.pathname}`,
    async send(entries) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        },
        body: entries.map((entry) => `${forwardedText(entry)}\n`).join(''),
        // The token is for this address and no other.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new AppError('failed', `it answered ${answer.status}`);
    },
  };
}
