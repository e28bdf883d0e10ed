import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { moreText } from '../language/more-text.ts';
import { TextLink } from '../parts/links.tsx';
import { clockText } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { weekOf } from './week.ts';

const DAYS = 7;
const SHOWN = 12;

/** A week ahead, a column a day; on a phone one below the other. */
export function WeekCalendar({ of: { from, groups } }: { readonly of: OfferedOutput<'cron/list-upcoming'> }) {
  const { zone } = usePreferences();
  const { days, often } = weekOf(groups, { from, days: DAYS }, zone);
  return (
    <Stack gap="xs">
      {often.length > 0 && (
        <Text size="sm">
          <Trans>All week:</Trans>{' '}
          {often.map(({ group, everyMinutes }, index) => (
            <span key={group}>
              {index > 0 && ', '}
              <TextLink inherit to="/cron/$group" params={{ group }}>
                {group}
              </TextLink>{' '}
              {everyText(everyMinutes)}
            </span>
          ))}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4, lg: DAYS }} spacing="xs">
        {days.map(({ day, starts }) => (
          <Paper key={day} withBorder p="xs" component="section" aria-label={dayName(day)}>
            <Text size="xs" fw={600} mb={4}>
              {dayName(day)}
            </Text>
            {starts.length === 0 ? (
              <Text size="xs" c="dimmed">
                <Trans>nothing</Trans>
              </Text>
            ) : (
              <List size="xs" listStyleType="none">
                {starts.slice(0, SHOWN).map(({ group, at }) => (
                  <List.Item key={`${at} ${group}`} className="wrap-anywhere">
                    <Text span inherit c="dimmed">
                      {clockText(at, zone)}
                    </Text>{' '}
                    <TextLink inherit to="/cron/$group" params={{ group }}>
                      {group}
                    </TextLink>
                  </List.Item>
                ))}
                {starts.length > SHOWN && <List.Item>{moreText(starts.length - SHOWN)}</List.Item>}
              </List>
            )}
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function everyText(minutes: number): string {
  return minutes < 60 ? t`every ${minutes} min` : t`every ${{ hours: Math.round(minutes / 60) }} h`;
}

/** `Saturday, 31 January`. */
function dayName(day: string): string {
  return new Intl.DateTimeFormat(i18n.locale === 'en' ? 'en-GB' : i18n.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`));
}
