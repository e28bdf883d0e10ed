import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { ago, exactText, isoOf } from './moments.ts';
import { usePreferences } from './preferences.ts';
import { useClock } from './use-clock.ts';

interface WhenProps {
  /** ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC; `null` or `false` when it never was. */
  readonly at: string | null | false;
  readonly never?: string;
}

/**
 * Shows a relative time, which advances, or the exact one for users who prefer that. The other form appears on hover or touch.
 * Prints have the exact one.
 */
export function When({ at, never = t`never` }: WhenProps) {
  useClock();
  const { times, zone } = usePreferences();
  if (at === null || at === false) {
    return (
      <Text span c="dimmed" size="sm">
        {never}
      </Text>
    );
  }
  const iso = isoOf(at);
  const exact = exactText(iso, zone);
  if (times === 'exact') return <time dateTime={iso}>{exact}</time>;
  return (
    <time dateTime={iso} data-printed={exact}>
      <span>{ago(Date.parse(iso), Date.now())}</span>
    </time>
  );
}
