import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { LOG_SPANS } from './log-spans.ts';

const MINUTE_MS = 60_000;

/** How far back entries are wanted. */
export function SpanSelect({
  hours,
  onChange,
}: {
  readonly hours: number | undefined;
  readonly onChange: (hours: number | undefined) => void;
}) {
  return (
    <Select
      label={t`When`}
      placeholder={t`Any time`}
      clearable
      w={150}
      data={LOG_SPANS.map((span) => ({ value: String(span.hours), label: span.label }))}
      value={hours === undefined ? null : String(hours)}
      onChange={(span) => onChange(span === null ? undefined : Number(span))}
    />
  );
}

/** Returns the moment that number of hours ago; the same for every render, else each would request again. */
export function useSince(hours: number | undefined): string | undefined {
  return useMemo(() => {
    if (hours === undefined) return undefined;
    return new Date(Math.floor(Date.now() / MINUTE_MS - hours * 60) * MINUTE_MS).toISOString();
  }, [hours]);
}
