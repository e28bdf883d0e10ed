import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as encryptedRequest } from 'node:https';
import { processSettings } from '../../../../main/settings.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';

const ANSWERS_WITHIN_MS = 4_000;
const EVERYWHERE = ['0.0.0.0', '::'];

/** Asks the service that has this configuration, without its store. */
export async function checkHealth(context: CommandContext): Promise<void> {
  const { config } = await processSettings(context.flags);
  const { HTTP_HOST: host, HTTP_PORT: port, TLS_CERT: certificate } = config;
  if (port === 0) {
    throw new AppError('invalid_input', 'HTTP_PORT is 0, so the port of the service is not known; name a port');
  }
  const isEncrypted = certificate !== '';
  const asked = EVERYWHERE.includes(host) ? '127.0.0.1' : host;
  const address = `${isEncrypted ? 'https' : 'http'}://${asked.includes(':') ? `[${asked}]` : asked}:${port}/healthz`;
  const signal = AbortSignal.any([context.terminal.signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
  let status: number | undefined;
  try {
    const sent = isEncrypted
      ? // The certificate is made for the public name, and no secret is sent.
        encryptedRequest(address, { signal, rejectUnauthorized: false })
      : request(address, { signal });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
    answer.resume();
    status = answer.statusCode;
  } catch (cause) {
    const reason = cause instanceof Error && cause.name !== 'AbortError' ? cause.message : 'no answer in time';
    throw new AppError('failed', `the service does not answer at ${address}: ${reason}`, { cause });
  }
  if (status !== 200) throw new AppError('failed', `the service answers ${status} at ${address}`);
}
