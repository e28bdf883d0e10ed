import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { counted } from '../../kit/words/amounts.ts';
import { AppError } from '../../ports/index.ts';
import type { WebhookPolicy } from '../runs/cron/decisions/group.ts';

/**
 * A used signature is remembered for this much longer than it is good: a node whose clock is ahead must not forget it while it is
 * still good by the clock of another one.
 */
const REMEMBERED_LONGER_MS = 60 * 60 * 1000;
const LAST_MOMENT_MS = 8.64e15;

/** The parts of a signed call. */
export interface SignedCall {
  /** Header `X-Timestamp`, Unix seconds. */
  readonly timestamp: string | undefined;
  /** Header `X-Signature-SHA256`, `sha256=<hex>`. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** Refuses an address that the policy does not allow. */
export function checkAddress(policy: WebhookPolicy, address: string): void {
  if (policy.allowIps.length === 0 || policy.allowIps.some((network) => isWithin(address, network))) return;
  throw new AppError(
    'forbidden',
    'this address may not trigger the group; its webhook_policy.allow_ips says which may',
  );
}

/**
 * Refuses a call that is not signed with the secret, or at a time that is too far away. Answers the signature, by which the
 * same call is known when it comes again, and until when to remember it.
 */
export function checkSignature(
  call: SignedCall,
  { secret, windowSeconds, now }: { readonly secret: string; readonly windowSeconds: number; readonly now: Date },
): { readonly signature: string; readonly rememberUntil: Date } {
  const { timestamp, signature } = call;
  if (timestamp === undefined || signature === undefined) {
    throw refused('the group takes signed calls only; send X-Timestamp and X-Signature-SHA256');
  }
  if (!/^\d{1,11}$/.test(timestamp)) throw refused('X-Timestamp must be the time in Unix seconds');
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature.trim())?.[1];
  if (given === undefined) throw refused('X-Signature-SHA256 must be sha256= and 64 hexadecimal digits');
  const wanted = createHmac('sha256', secret).update(`${timestamp}.`).update(call.body).digest();
  if (!timingSafeEqual(wanted, Buffer.from(given, 'hex'))) throw refused('the signature does not match the call');
  const at = Number(timestamp) * 1000;
  if (Math.abs(now.getTime() - at) > windowSeconds * 1000) {
    throw refused(
      `the signature was made more than ${counted(windowSeconds, 'second')} away from now; check the clock`,
    );
  }
  const rememberUntil = Math.min(at + windowSeconds * 1000 + REMEMBERED_LONGER_MS, LAST_MOMENT_MS);
  return { signature: given.toLowerCase(), rememberUntil: new Date(rememberUntil) };
}

function refused(message: string): AppError {
  return new AppError('unauthenticated', message);
}

/** An entry that cannot be read allows no address. */
function isWithin(address: string, network: string): boolean {
  if (isIP(address) === 0) return false;
  const client = ipaddr.process(address);
  const [start = '', prefix, more] = network.split('/');
  const version = isIP(start);
  if (version === 0 || more !== undefined || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false;
  const range = ipaddr.process(start);
  const bits = version === 4 ? 32 : 128;
  const wanted = prefix === undefined ? bits : Number(prefix);
  if (wanted > bits || range.kind() !== client.kind()) return false;
  // An IPv4 network in the notation of IPv6 counts the 96 bits before it.
  const mapped = version === 6 && range.kind() === 'ipv4' ? 96 : 0;
  return wanted >= mapped && client.match(range, wanted - mapped);
}
