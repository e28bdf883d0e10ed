import { readAge } from '../../../../app/rules/engine/age.ts';
import { pointInTime } from '../../../../jinja/point-in-time.ts';
import { UsageError } from '../../usage-error.ts';

const AGE = /^\d+(?:\.\d+)?[smhdw]$/i;
const DAY = 86_400_000;

/** The moment that `--since` names, as the log takes it. */
export function sinceOf(text: string, now: Date): string {
  const word = text.trim().toLowerCase();
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const at =
    word === 'today'
      ? today
      : word === 'yesterday'
        ? today - DAY
        : AGE.test(word)
          ? now.getTime() - ageOf(word)
          : pointInTime(text.trim());
  if (at === undefined) {
    throw new UsageError(
      `--since ${text}: write an age (90s, 30m, 2h, 7d), a time in UTC (2026-01-31 08:00), or today or yesterday`,
    );
  }
  return new Date(at).toISOString();
}

function ageOf(word: string): number {
  return word.endsWith('s') ? Number(word.slice(0, -1)) * 1_000 : readAge(word);
}
