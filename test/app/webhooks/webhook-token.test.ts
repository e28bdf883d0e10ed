import { expect, it } from 'vitest';
import { isWebhookToken, newWebhookToken } from '../../../src/app/webhooks/webhook-token.ts';

it('knows a token by its hash, and no other token', () => {
  const { token, hash } = newWebhookToken();
  expect(isWebhookToken(token, hash)).toBe(true);
  expect(isWebhookToken(token, hash.toUpperCase())).toBe(true);
  for (const other of [
    '',
    `${token} `,
    token.slice(0, -1),
    newWebhookToken().token,
    hash,
    '\u0000',
    'ü'.repeat(9000),
  ]) {
    expect(isWebhookToken(other, hash), other).toBe(false);
  }
});

it('takes no token for a group that has none, or whose hash is damaged', () => {
  const { token, hash } = newWebhookToken();
  for (const damaged of ['', 'zz', hash.slice(2), `${hash}00`, `zz${hash}`]) {
    expect(isWebhookToken(token, damaged), damaged).toBe(false);
    expect(isWebhookToken('', damaged), damaged).toBe(false);
  }
});

it('makes tokens that cannot be guessed, safe in headers and shells, and keeps nothing of them', () => {
  const tokens = Array.from({ length: 50 }, newWebhookToken);
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(50);
  for (const { token, hash } of tokens) {
    expect(token).toMatch(/^muster_hook_[\w-]{43}$/);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toContain(token.slice('muster_hook_'.length));
  }
});
