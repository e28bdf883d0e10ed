import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';

interface LogDetailsProps {
  readonly details: readonly { readonly level: string; readonly message: string }[];
}

const WORDS: Readonly<Record<string, string>> = {
  debug: t({ message: 'debug', context: 'level of a line' }),
  info: t({ message: 'info', context: 'level of a line' }),
  warning: t({ message: 'warning', context: 'level of a line' }),
  error: t({ message: 'error', context: 'level of a line' }),
};

const COLOURS: Readonly<Record<string, string>> = { error: 'red', warning: 'var(--mantine-color-orange-light-color)' };

/** The lines of a log entry, each with its level. */
export function LogDetails({ details }: LogDetailsProps) {
  return (
    <ul className="log-details">
      {details.map(({ level, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their place
        <li key={index}>
          <Text component="span" size="sm" c={COLOURS[level] ?? 'inherit'} className="wrap-anywhere">
            <Text span inherit fw={600}>
              {WORDS[level] ?? level}
            </Text>{' '}
            {message}
          </Text>
        </li>
      ))}
    </ul>
  );
}
