import { Text } from '@mantine/core';
import { useClock } from './use-clock.ts';

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

interface WhenProps {
  /** ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC; `null` or `false` when it never was. */
  readonly at: string | null | false;
  readonly never?: string;
}

/** A time as people say it, which moves on; the exact one, where the reader is and in UTC, when it is pointed at. */
export function When({ at, never = 'never' }: WhenProps) {
  useClock();
  if (at === null || at === false) {
    return (
      <Text span c="dimmed" size="sm">
        {never}
      </Text>
    );
  }
  const iso = at.includes('T') ? at : `${at.replace(' ', 'T')}Z`;
  return (
    <time dateTime={iso} title={`${new Date(iso).toLocaleString()} (${iso.slice(0, 19).replace('T', ' ')} UTC)`}>
      {ago(Date.parse(iso))}
    </time>
  );
}

function ago(time: number): string {
  let distance = (time - Date.now()) / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(distance) < size) return relative.format(Math.round(distance), unit);
    distance /= size;
  }
  return '';
}
