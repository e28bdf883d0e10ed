import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkAddress, checkSignature } from '../../../src/app/webhooks/webhook-signature.ts';

const SECRET = 'a long signing secret';
const NOW = new Date('2026-06-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const WINDOW = 300;

function hexOf(timestamp: string, body: Uint8Array | string = '', secret = SECRET): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

function check(
  { timestamp = String(SECONDS), signature, body = '' }: { timestamp?: string; signature?: string; body?: string },
  now = NOW,
) {
  const call = { timestamp, signature: signature ?? `sha256=${hexOf(timestamp, body)}`, body: Buffer.from(body) };
  return checkSignature(call, { secret: SECRET, windowSeconds: WINDOW, now });
}

const refused = expect.objectContaining({ code: 'unauthenticated' });

describe('a signature', () => {
  it('covers the time, a dot and the body, as a published example says', () => {
    // printf '1780315200.hello' | openssl dgst -sha256 -hmac 'a long signing secret'
    const signature = 'sha256=c2f66ffaeeb2307882014930bd82c37f23e04574448cd469656e2d19ec758886';
    expect(check({ timestamp: '1780315200', signature, body: 'hello' }).signature).toBe(signature.slice(7));
  });

  it('of an empty body covers the time and the dot', () => {
    expect(check({}).signature).toBe(hexOf(`${SECONDS}`));
    expect(() =>
      check({ signature: `sha256=${createHmac('sha256', SECRET).update(String(SECONDS)).digest('hex')}` }),
    ).toThrow(refused);
  });

  it('may be written in any case, and is known as the same one', () => {
    const hex = hexOf(String(SECONDS));
    for (const signature of [`sha256=${hex.toUpperCase()}`, `SHA256=${hex}`, ` sha256=${hex} `]) {
      expect(check({ signature }).signature).toBe(hex);
    }
  });

  it.each([
    ['nothing', { signature: '' }],
    ['no digits', { signature: 'sha256=' }],
    ['too few digits', { signature: `sha256=${hexOf(String(SECONDS)).slice(1)}` }],
    ['too many digits', { signature: `sha256=${hexOf(String(SECONDS))}0` }],
    ['bare digits', { signature: hexOf(String(SECONDS)) }],
    ['another algorithm', { signature: `sha1=${hexOf(String(SECONDS))}` }],
    ['two signatures', { signature: `sha256=${hexOf(String(SECONDS))}, sha256=${hexOf(String(SECONDS))}` }],
    ['base64', { signature: `sha256=${Buffer.from(hexOf(String(SECONDS)), 'hex').toString('base64')}` }],
    ['no time', { timestamp: '' }],
    ['a time that is no number', { timestamp: 'now' }],
    ['a negative time', { timestamp: '-1' }],
    ['a fraction', { timestamp: `${SECONDS}.5` }],
    ['an exponent', { timestamp: '1e9' }],
    ['milliseconds', { timestamp: `${SECONDS}000` }],
    ['two times', { timestamp: `${SECONDS}, ${SECONDS}` }],
    ['another line', { timestamp: `${SECONDS}\n` }],
    ['a time long ago', { timestamp: '0' }],
    ['a time far ahead', { timestamp: '99999999999' }],
  ])('%s is refused', (_what, call) => {
    expect(() => check(call)).toThrow(refused);
  });

  it('is asked for', () => {
    const options = { secret: SECRET, windowSeconds: WINDOW, now: NOW };
    const body = new Uint8Array();
    expect(() => checkSignature({ timestamp: undefined, signature: undefined, body }, options)).toThrow(refused);
    expect(() => checkSignature({ timestamp: String(SECONDS), signature: undefined, body }, options)).toThrow(refused);
    const signature = `sha256=${hexOf('')}`;
    expect(() => checkSignature({ timestamp: undefined, signature, body }, options)).toThrow(refused);
  });

  it('is good within the window, before and after, to the second', () => {
    for (const offset of [-WINDOW, -1, 0, 1, WINDOW]) {
      expect(check({ timestamp: String(SECONDS + offset) }).signature).toHaveLength(64);
    }
    for (const offset of [-WINDOW - 1, WINDOW + 1]) {
      expect(() => check({ timestamp: String(SECONDS + offset) })).toThrow(refused);
    }
    expect(() => check({ timestamp: String(SECONDS - WINDOW) }, new Date(NOW.getTime() + 1))).toThrow(refused);
  });

  it('is remembered beyond the time in which it is good, by a clock that is ahead too', () => {
    const { rememberUntil } = check({ timestamp: String(SECONDS + WINDOW) });
    expect(rememberUntil.getTime()).toBeGreaterThan(NOW.getTime() + 2 * WINDOW * 1000 + 10 * 60_000);
    const endless = { secret: SECRET, windowSeconds: Number.MAX_SAFE_INTEGER, now: NOW };
    const call = { timestamp: `${SECONDS}`, signature: `sha256=${hexOf(`${SECONDS}`)}`, body: new Uint8Array() };
    expect(checkSignature(call, endless).rememberUntil.getTime()).not.toBeNaN();
  });

  test('of any bytes is good, and no longer when a bit of it, of the body, the time or the secret differs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(255), fc.nat(), (body, bit, where) => {
        const timestamp = String(SECONDS);
        const hex = hexOf(timestamp, body);
        const options = { secret: SECRET, windowSeconds: WINDOW, now: NOW };
        const call = { timestamp, signature: `sha256=${hex}`, body };
        expect(checkSignature(call, options).signature).toBe(hex);
        const bytes = Buffer.from(hex, 'hex');
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(() => checkSignature({ ...call, signature: `sha256=${bytes.toString('hex')}` }, options)).toThrow(
          refused,
        );
        expect(() => checkSignature({ ...call, timestamp: String(SECONDS + 1) }, options)).toThrow(refused);
        expect(() => checkSignature(call, { ...options, secret: `${SECRET}!` })).toThrow(refused);
        const longer = Buffer.concat([body, Buffer.from([0])]);
        expect(() => checkSignature({ ...call, body: longer }, options)).toThrow(refused);
        if (body.length === 0) return;
        const changed = Buffer.from(body);
        changed[where % body.length] = ((changed[where % body.length] as number) + 1) & 255;
        expect(() => checkSignature({ ...call, body: changed }, options)).toThrow(refused);
      }),
    );
  });
});

describe('the allow-list', () => {
  const allows = (allowIps: readonly string[], address: string): boolean => {
    try {
      checkAddress({ secretCrypted: '', windowSeconds: WINDOW, allowIps }, address);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'forbidden' });
      return false;
    }
  };

  it('that is empty allows everybody', () => {
    expect(allows([], '192.0.2.1')).toBe(true);
    expect(allows([], 'unknown')).toBe(true);
  });

  it.each([
    ['10.20.0.0/16', '10.20.255.255', true],
    ['10.20.0.0/16', '10.21.0.0', false],
    ['10.20.3.4/16', '10.20.0.1', true],
    ['10.20.3.4', '10.20.3.4', true],
    ['10.20.3.4', '10.20.3.5', false],
    ['10.20.3.4/32', '10.20.3.4', true],
    ['10.20.3.4/32', '10.20.3.5', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['10.20.0.0/16', '::ffff:10.20.1.1', true],
    ['::ffff:10.20.0.0/112', '10.20.1.1', true],
    ['::ffff:10.20.0.0/112', '10.21.1.1', false],
    ['::ffff:0:0/90', '10.20.1.1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '::1', true],
    ['::1', '127.0.0.1', false],
    ['::/0', '2001:db8::1', true],
  ])('%s and a call from %s: %s', (network, address, expected) => {
    expect(allows([network], address)).toBe(expected);
  });

  it.each([
    '',
    '10.20.0.0/',
    '10.20.0.0/x',
    '10.20.0.0/-1',
    '10.20.0.0/33',
    '10.20.0.0/1/2',
    '10/8',
    '0x0a140001',
    'x',
  ])('allows nobody by the entry "%s", which cannot be read', (network) => {
    for (const address of ['10.20.0.1', '203.0.113.9', '::1', 'unknown', '']) {
      expect(allows([network], address), address).toBe(false);
    }
  });

  it('allows by any of its entries', () => {
    expect(allows(['nonsense', '192.0.2.1', '198.51.100.0/24'], '198.51.100.7')).toBe(true);
  });
});
