import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from '../listener/access/trusted-proxies.ts';

const SANE_ID = /^[\w.:-]{1,64}$/;
const idStart = randomBytes(6).toString('hex');
let idCount = 0;

export function newRequestId(): string {
  return `${idStart}-${(++idCount).toString(36)}`;
}

/** Ids of our own; those of a proxy of ours are kept, so that one id goes through all logs. */
export function requestIds(proxies: TrustedProxies): (message: IncomingMessage) => string {
  return (message) => {
    if (!proxies.trusts(message)) return newRequestId();
    const given = message.headers['x-request-id'];
    return typeof given === 'string' && SANE_ID.test(given) ? given : newRequestId();
  };
}
