import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sinceInZone } from '../../../src/adapters/admin/pages/inventory/since-in-zone.ts';

describe('the time that an inventory is compared with', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-31T22:30:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['today', '2026-01-31T22:00:00.000Z', 'Europe/Athens'],
    ['today', '2026-01-30T23:00:00.000Z', 'Europe/Berlin'],
    ['yesterday', '2026-01-29T23:00:00.000Z', 'Europe/Berlin'],
    ['2026-01-15', '2026-01-14T23:00:00.000Z', 'Europe/Berlin'],
    ['2026-01-15T14:00', '2026-01-15T13:00:00.000Z', 'Europe/Berlin'],
    ['2026-01-15 14:00:30', '2026-01-15T14:00:30.000Z', 'utc'],
    ['36h', '36h', 'Europe/Berlin'],
    ['2026-01-15T14:00Z', '2026-01-15T14:00Z', 'Europe/Berlin'],
  ])('%s is of the clock of the reader', (since, moment, zone) => {
    expect(sinceInZone(since, zone)).toBe(moment);
  });
});
