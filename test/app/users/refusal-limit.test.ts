import { beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { RefusalLimit, type ShownCredentials } from '../../../src/app/users/refusal-limit.ts';
import { noteWrongSecret } from '../../../src/app/users/tries.ts';
import { AppError } from '../../../src/ports/index.ts';

const LIMIT = 6;
const MINUTE = 60_000;
/** Seconds left of the hour in which credentials are known. */
const HOUR = 60 * MINUTE;

let now = 0;
let limit: RefusalLimit;

beforeEach(() => {
  now = 1000;
  limit = new RefusalLimit({ limit: LIMIT }, () => now);
});

const refusal = () => new AppError('unauthenticated', 'no');
const shown = (address: string, key: string, user: string | undefined = 'jo'): ShownCredentials => ({
  address,
  key,
  user,
});

/** The status that a client sees. */
function refuse(address: string, times = 1): (string | undefined)[] {
  return Array.from({ length: times }, () => limit.refused(address, refusal()).code);
}

let guesses = 0;
function guess(address: string, user = 'jo'): string {
  const credentials = shown(address, `wrong ${guesses++}`, user);
  try {
    limit.admit(credentials);
  } catch (error) {
    return (error as AppError).code;
  }
  try {
    limit.failed(credentials);
  } catch (error) {
    return (error as AppError).code;
  }
  return limit.refused(address, limit.counted(refusal())).code;
}

/** Brings an address over the limit, and uses up what newcomers have there. */
function close(address: string): void {
  for (let count = 0; count < LIMIT + Math.ceil(LIMIT / 3); count++) guess(address, `made up ${count}`);
}

function admits(credentials: ShownCredentials): boolean {
  try {
    limit.admit(credentials);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    return false;
  }
}

describe('the limit of an address', () => {
  it('begins after so many refusals and ends with the minute', () => {
    expect(refuse('192.0.2.1', LIMIT)).toEqual(Array(LIMIT).fill('unauthenticated'));
    expect(refuse('192.0.2.1', 2)).toEqual(['rate_limited', 'rate_limited']);
    expect(limit.refused('192.0.2.1', refusal()).retryAfterSeconds).toBe(60);
    now += 59_500;
    expect(limit.refused('192.0.2.1', refusal()).retryAfterSeconds).toBe(1);
    now += 500;
    expect(refuse('192.0.2.1')).toEqual(['unauthenticated']);
  });

  it('counts a check that failed whatever is answered, and once only', () => {
    for (let count = 0; count < LIMIT - 1; count++) limit.failed(shown('192.0.2.1', `${count}`));
    expect(guess('192.0.2.1')).toBe('unauthenticated');
    expect(guess('192.0.2.1')).toBe('rate_limited');
  });

  it.each([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::ffff:c000:201', true],
    ['unknown', 'unknown', true],
  ])('is one for %s and %s: %s', (one, other, isSame) => {
    refuse(one, LIMIT);
    expect(refuse(other)).toEqual([isSame ? 'rate_limited' : 'unauthenticated']);
  });

  it('lets in who got in from there within the hour, with the same credentials', () => {
    limit.succeeded(shown('192.0.2.1', 'right'));
    close('192.0.2.1');
    expect(admits(shown('192.0.2.1', 'right'))).toBe(true);
    expect(admits(shown('192.0.2.1', 'another'))).toBe(false);
    expect(admits(shown('192.0.2.1', 'right', 'al'))).toBe(true);
    close('192.0.2.2');
    expect(admits(shown('192.0.2.2', 'right'))).toBe(false);
    now += HOUR;
    close('192.0.2.1');
    expect(admits(shown('192.0.2.1', 'right'))).toBe(false);
  });

  it('lets a token in from everywhere that got in from anywhere', () => {
    limit.succeeded({ address: '192.0.2.1', key: 'token', user: undefined });
    close('192.0.2.2');
    expect(admits({ address: '192.0.2.2', key: 'token', user: undefined })).toBe(true);
    expect(admits({ address: '192.0.2.2', key: 'another', user: undefined })).toBe(false);
  });

  it('is not a way for a neighbour to find out who got in', () => {
    limit.succeeded(shown('192.0.2.1', 'right'));
    refuse('192.0.2.1', LIMIT);
    for (let count = 0; count < LIMIT / 3; count++) expect(guess('192.0.2.1')).toBe('rate_limited');
    expect(admits(shown('192.0.2.1', 'right'))).toBe(false);
    now += MINUTE;
    refuse('192.0.2.1', LIMIT);
    expect(admits(shown('192.0.2.1', 'right'))).toBe(true);
  });

  it('lets in who was never there, while few are wrong past it, and says nothing else of what is wrong', () => {
    for (let count = 0; count < LIMIT; count++) expect(guess('192.0.2.1')).toBe('unauthenticated');
    expect(admits(shown('192.0.2.1', 'right'))).toBe(false);
    for (let count = 0; count < 20; count++) expect(admits(shown('192.0.2.1', 'right', 'new'))).toBe(true);
    expect(admits({ address: '192.0.2.1', key: 'token', user: undefined })).toBe(true);
    expect(guess('192.0.2.1', 'made up')).toBe('rate_limited');
    expect(admits(shown('192.0.2.1', 'another', 'made up'))).toBe(false);
    expect(admits(shown('192.0.2.1', 'right', 'new'))).toBe(true);
    expect(guess('192.0.2.1', 'made up as well')).toBe('rate_limited');
    expect(admits(shown('192.0.2.1', 'right', 'new'))).toBe(false);
    now += MINUTE;
    refuse('192.0.2.1', LIMIT);
    expect(admits(shown('192.0.2.1', 'right', 'new'))).toBe(true);
  });

  it('shuts out nobody because of an old password of his', () => {
    limit.succeeded(shown('192.0.2.1', 'right'));
    close('192.0.2.1');
    for (let count = 0; count < 100; count++) expect(admits(shown('192.0.2.1', 'old'))).toBe(false);
    expect(admits(shown('192.0.2.1', 'right'))).toBe(true);
  });

  it('is off at 0', () => {
    limit = new RefusalLimit({ limit: 0 }, () => now);
    expect(refuse('192.0.2.1', 1000)).not.toContain('rate_limited');
    for (let count = 0; count < 1000; count++) expect(guess('192.0.2.1')).toBe('unauthenticated');
  });
});

describe('a user at whom many addresses guess', () => {
  /** Guesses from neighbourhoods of their own. */
  function attack(times: number, user = 'jo'): string[] {
    return Array.from({ length: times }, (_, index) => guess(`10.${index >> 8}.${index & 255}.1`, user));
  }

  it('is guarded: each neighbourhood has few tries left', () => {
    expect(attack(2 * LIMIT)).not.toContain('rate_limited');
    const results = Array.from({ length: 10 }, (_, index) => guess(`198.51.100.${index}`));
    expect(results.filter((code) => code === 'unauthenticated')).toHaveLength(3);
    expect(guess('198.51.100.200', 'al')).toBe('unauthenticated');
    expect(guess('2001:db8:1::1')).toBe('unauthenticated');
    now += 10 * MINUTE;
    expect(guess('198.51.100.1')).toBe('unauthenticated');
  });

  it('is let in with the right password: at the first try from everywhere, and always where he was before', () => {
    limit.succeeded(shown('203.0.113.7', 'right'));
    attack(90);
    expect(admits(shown('192.0.2.77', 'right'))).toBe(true);
    expect(admits(shown('203.0.113.99', 'right'))).toBe(true);
    for (let count = 0; count < LIMIT - 1; count++) expect(guess('203.0.113.99')).toBe('unauthenticated');
    expect(admits(shown('203.0.113.99', 'right'))).toBe(true);
    expect(admits(shown('127.0.0.1', 'right'))).toBe(true);
  });

  it('is not guarded because of a script with an old password, however many machines run it', () => {
    for (let count = 0; count < LIMIT; count++) limit.failed(shown('10.9.9.9', 'old password'));
    for (let count = 0; count < 100; count++) expect(() => limit.failed(shown('10.9.9.9', 'old password'))).toThrow();
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      expect(guess(address)).toBe('unauthenticated');
    }
    expect(admits(shown('198.51.100.4', 'right'))).toBe(true);
  });

  it('has a ceiling of wrong secrets an hour, beyond which only networks are heard where the user was before', () => {
    limit.succeeded(shown('203.0.113.7', 'right'));
    expect(attack(400).filter((code) => code === 'unauthenticated')).toHaveLength(100);
    expect(admits(shown('192.0.2.77', 'right'))).toBe(false);
    expect(admits(shown('2001:db8:7::1', 'right'))).toBe(false);
    expect(admits(shown('203.0.113.99', 'right'))).toBe(true);
    expect(admits(shown('127.0.0.1', 'right'))).toBe(true);
    expect(guess('192.0.2.78', 'al')).toBe('unauthenticated');
    now += HOUR - 1;
    expect(admits(shown('192.0.2.77', 'right'))).toBe(false);
    now += 1;
    expect(admits(shown('192.0.2.77', 'right'))).toBe(true);
  });

  it('has it in any hour, and not in each by the clock', () => {
    attack(60);
    now += HOUR / 2;
    attack(400);
    now += HOUR / 2;
    expect(attack(400).filter((code) => code === 'unauthenticated').length).toBeLessThanOrEqual(60);
  });

  it('has it on all nodes together', async () => {
    const clock = { now: () => new Date(now) };
    const storage = memoryStorage()({ clock });
    await storage.start();
    const noteWrong = (user: string) => noteWrongSecret({ storage, clock }, user);
    const nodes = Array.from({ length: 4 }, () => new RefusalLimit({ limit: LIMIT, noteWrong }, () => now));
    let heard = 0;
    for (let count = 0; count < 400; count++) {
      limit = nodes[count % 4] as RefusalLimit;
      if (guess(`10.${count >> 8}.${count & 255}.1`) === 'unauthenticated') heard++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Each node learns of it by one more.
    expect(heard).toBeLessThanOrEqual(104);
    await storage.stop();
  });

  it('is not told from one whom nobody knows', () => {
    attack(2 * LIMIT, 'nobody');
    const results = Array.from({ length: 5 }, () => guess('198.51.100.1', 'nobody'));
    expect(results).toEqual([...Array(3).fill('unauthenticated'), 'rate_limited', 'rate_limited']);
  });
});
