import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { numberText } from '../language/numbers.ts';
import { type Days, ofAccount } from './days.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const WIDTH = 64;
const HEIGHT = 20;

/** How many hosts a source has, and as a line from 0 up how many it had in the last thirty days. */
export function Sparkline({ name, days }: { readonly name: string; readonly days: Days | undefined }) {
  const own = days === undefined ? undefined : ofAccount(days, name);
  const last = own?.at(-1);
  if (own === undefined || last === undefined) return <span className="sparkline" />;
  const end = Date.parse(last.day);
  const points = own
    .map(({ day, hosts, objects }) => ({ ago: (end - Date.parse(day)) / DAY_MS, count: hosts + objects }))
    .filter(({ ago }) => ago < DAYS);
  const most = Math.max(1, ...points.map(({ count }) => count));
  const first = points[0];
  const now = last.hosts + last.objects;
  const place = ({ ago, count }: { readonly ago: number; readonly count: number }): string =>
    `${(1 + (WIDTH - 2) * (1 - ago / (DAYS - 1))).toFixed(1)},${(HEIGHT - 1 - (HEIGHT - 3) * (count / most)).toFixed(1)}`;
  const spoken = first === undefined || points.length < 2 ? nowText(name, now) : sinceText(name, now, first);
  return (
    <span className="sparkline">
      {points.length > 1 && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <polyline points={points.map(place).join(' ')} />
        </svg>
      )}
      <Text span size="xs" c="dimmed" role="img" aria-label={spoken}>
        {numberText(now)}
      </Text>
    </span>
  );
}

function nowText(name: string, hosts: number): string {
  return t`${plural(hosts, { one: '# host', other: '# hosts' })} of ${name}`;
}

function sinceText(
  name: string,
  hosts: number,
  { ago: days, count }: { readonly ago: number; readonly count: number },
): string {
  const before = numberText(count);
  return t`${plural(hosts, { one: '# host', other: '# hosts' })} of ${name}, ${before} ${plural(days, { one: '# day', other: '# days' })} ago`;
}
