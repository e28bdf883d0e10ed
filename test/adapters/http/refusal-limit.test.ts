import { beforeEach, describe, expect, it } from 'vitest';
import { RefusalLimit } from '../../../src/adapters/http/access/refusal-limit.ts';

let now = 0;
let limit: RefusalLimit;

beforeEach(() => {
  now = 1000;
  limit = new RefusalLimit({ limit: 3 }, () => now);
});

function refuse(address: string, times: number): void {
  for (let count = 0; count < times; count++) limit.refused(address);
}

describe('the limit of refusals', () => {
  it('begins after so many refusals and ends with the minute', () => {
    refuse('a', 2);
    expect(limit.retryAfterSeconds('a')).toBeUndefined();
    refuse('a', 1);
    expect(limit.retryAfterSeconds('a')).toBe(60);
    now += 59_500;
    expect(limit.retryAfterSeconds('a')).toBe(1);
    now += 500;
    expect(limit.retryAfterSeconds('a')).toBeUndefined();
    refuse('a', 1);
    expect(limit.retryAfterSeconds('a')).toBeUndefined();
  });

  it('is counted by address', () => {
    refuse('a', 3);
    expect(limit.retryAfterSeconds('b')).toBeUndefined();
  });

  it('admits users who got in from there within the hour', () => {
    limit.accepted('a', 'jo');
    refuse('a', 3);
    expect(limit.admits('a', 'jo')).toBe(true);
    expect(limit.admits('a', 'al')).toBe(false);
    expect(limit.admits('b', 'jo')).toBe(false);
    now += 3_600_000;
    expect(limit.admits('a', 'jo')).toBe(false);
  });

  it('admits nobody past ten times the limit', () => {
    limit.accepted('a', 'jo');
    refuse('a', 30);
    expect(limit.admits('a', 'jo')).toBe(false);
  });

  it('is off at 0', () => {
    limit = new RefusalLimit({ limit: 0 }, () => now);
    refuse('a', 1000);
    expect(limit.retryAfterSeconds('a')).toBeUndefined();
  });
});
