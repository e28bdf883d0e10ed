import { expect, it } from 'vitest';
import { nextStart } from '../../../src/adapters/admin/pages/cron/schedule-words.ts';

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

it('is the next pass for what is due already, and its moment for what is to come', () => {
  const group = {
    enabled: true,
    last_start: at(-3600),
    hours: null,
    paused_until: null,
    next_start: null,
  } as unknown as Parameters<typeof nextStart>[0];
  expect(nextStart({ ...group, next_run: at(-10) })).toEqual({ words: 'next pass' });
  const later = at(600);
  expect(nextStart({ ...group, next_run: later })).toEqual({ at: later });
});
