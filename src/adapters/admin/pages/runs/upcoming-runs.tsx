import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { clockText } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { When } from '../parts/when.tsx';
import { WeekCalendar } from './week-calendar.tsx';

type Coming = OfferedOutput<'cron/list-upcoming'>;

const HOURS = { day: 24, week: 168 } as const;

/** Shows the next starts of cron groups, in a day or a week. */
export function UpcomingRuns() {
  const [span, setSpan] = useState<keyof typeof HOURS>('day');
  const answer = useAnswer('cron/list-upcoming', { hours: HOURS[span] }, { everySeconds: 60 });
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t`How far ahead`}
        size="xs"
        style={{ alignSelf: 'start' }}
        data={[
          { value: 'day', label: t`24 hours` },
          { value: 'week', label: t`7 days` },
        ]}
        value={span}
        onChange={setSpan}
      />
      <Upcoming of={answer} span={span} />
    </Stack>
  );
}

interface UpcomingProps {
  readonly of: ReturnType<typeof useAnswer<'cron/list-upcoming'>>;
  readonly span: keyof typeof HOURS;
}

function Upcoming({ of: answer, span }: UpcomingProps) {
  return (
    <Answer of={answer}>
      {(upcoming) =>
        upcoming.groups.length === 0 ? (
          <Text size="sm" c="dimmed">
            <Trans>
              Nothing scheduled in this period.{' '}
              <TextLink inherit to="/cron">
                Cron groups
              </TextLink>
            </Trans>
          </Text>
        ) : span === 'day' ? (
          <Day of={upcoming} />
        ) : (
          <WeekCalendar of={upcoming} />
        )
      }
    </Answer>
  );
}

/** Each cron group on a line of its own, with a mark for each of its starts. */
function Day({ of: { from, until, groups } }: { readonly of: Coming }) {
  const { zone } = usePreferences();
  const clockOf = (moment: string): string => clockText(moment, zone);
  const begin = Date.parse(from);
  const length = Date.parse(until) - begin;
  const share = (moment: number) => (100 * (moment - begin)) / length;
  const hours = hoursBetween(begin, begin + length, clockOf);
  const inOrder = [...groups].sort((a, b) => ((a.starts[0] ?? '') < (b.starts[0] ?? '') ? -1 : 1));
  return (
    <Stack gap={4} component="ul" className="plain-list">
      {inOrder.map(({ name, jobs, starts }) => (
        <Box key={name} component="li" className="upcoming">
          <Text size="sm" className="wrap-anywhere">
            <TextLink inherit to="/cron/$group" params={{ group: name }}>
              {name}
            </TextLink>{' '}
            <Text span size="xs" c="dimmed">
              {jobs.join(', ')}
            </Text>
          </Text>
          <Text size="sm" className="one-line">
            <When at={starts[0] ?? null} />
          </Text>
          <svg
            className="upcoming-line"
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            role="img"
            aria-label={spoken(name, starts.map(clockOf))}
          >
            <line x1="0" y1="9.5" x2="100" y2="9.5" className="upcoming-axis" />
            {starts.map((start) => (
              <line
                key={start}
                x1={share(Date.parse(start))}
                x2={share(Date.parse(start))}
                y1="1"
                y2="9"
                className="upcoming-start"
              >
                <title>{clockOf(start)}</title>
              </line>
            ))}
          </svg>
        </Box>
      ))}
      <Box component="li" className="upcoming" aria-hidden>
        <span />
        <span />
        <div className="upcoming-hours">
          {hours.map((moment) => (
            <Text key={moment} span size="xs" c="dimmed" style={{ left: `${share(moment)}%` }}>
              {clockOf(new Date(moment).toISOString())}
            </Text>
          ))}
        </div>
      </Box>
    </Stack>
  );
}

/** `nightly starts 3 times in the next 24 hours, at 01:00, 02:00, 03:00` */
function spoken(name: string, clocks: readonly string[]): string {
  const count = clocks.length;
  const times = clocks.slice(0, 5).join(', ');
  return count > 5
    ? t`${name} starts ${plural(count, { one: 'once', other: '# times' })} in the next 24 hours, at ${times} and so on`
    : t`${name} starts ${plural(count, { one: 'once', other: '# times' })} in the next 24 hours, at ${times}`;
}

/** Every sixth hour of the reader's day. */
function hoursBetween(begin: number, end: number, clockOf: (moment: string) => string): readonly number[] {
  const hours: number[] = [];
  const first = new Date(begin);
  first.setMinutes(0, 0, 0);
  for (let moment = first.getTime(); moment < end; moment += 60 * 60 * 1000) {
    if (moment > begin && Number(clockOf(new Date(moment).toISOString()).slice(0, 2)) % 6 === 0) hours.push(moment);
  }
  return hours;
}
