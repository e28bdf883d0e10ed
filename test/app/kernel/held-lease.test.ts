import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HeldLease, holdLease, type LeaseSettings } from '../../../src/app/kernel/held-lease.ts';

describe('a held lease', () => {
  const failures: unknown[] = [];
  let lease: HeldLease;
  beforeEach(() =>
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] }),
  );
  afterEach(async () => {
    await lease.stop();
    failures.length = 0;
    vi.useRealTimers();
  });

  function hold(settings: Partial<LeaseSettings>): number[] {
    const renewedAt: number[] = [];
    lease = holdLease({
      everyMs: 10,
      renew: async () => {
        renewedAt.push(performance.now());
        return true;
      },
      failed: (error) => failures.push(error),
      ...settings,
    });
    return renewedAt;
  }

  it('is renewed until it is stopped, and only where it is due', async () => {
    const renewedAt = hold({ isDue: (since) => since >= 25 });
    await vi.advanceTimersByTimeAsync(100);
    expect(renewedAt).toHaveLength(3);
    await lease.stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(renewedAt).toHaveLength(3);
    expect(lease.signal.aborted).toBe(false);
  });

  it('has one renewal at a time', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    hold({
      renew: () => {
        asked++;
        return new Promise((resolve) => {
          answer = () => resolve(true);
        });
      },
    });
    await vi.advanceTimersByTimeAsync(50);
    expect(asked).toBe(1);
    answer();
  });

  it('ends the work where someone else has it', async () => {
    hold({ renew: async () => false });
    await vi.advanceTimersByTimeAsync(10);
    expect(lease.signal.aborted).toBe(true);
  });

  it('ends the work when no renewal was made for too long, with the reason', async () => {
    const endReason = new Error('away');
    hold({ renew: () => Promise.reject(new Error('down')), endsAfterMs: 30, endReason });
    await vi.advanceTimersByTimeAsync(25);
    expect(lease.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(lease.signal.reason).toBe(endReason);
    expect(failures.length).toBeGreaterThan(1);
  });

  it('ends the work when the time is over, however seldom it is renewed', async () => {
    hold({ everyMs: 20, renew: () => Promise.reject(new Error('down')), endsAfterMs: 30 });
    await vi.advanceTimersByTimeAsync(29);
    expect(lease.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(lease.signal.aborted).toBe(true);
  });

  it('lets the work go on without the store where nothing says when it ends', async () => {
    hold({ renew: () => Promise.reject(new Error('down')) });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lease.signal.aborted).toBe(false);
  });
});
