import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { exactText } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';
import { KIND_WORDS, OUTCOME_WORDS, type PastRun } from '../runs/run-words.ts';
import { useActiveRuns } from '../runs/use-active-runs.ts';
import { type Days, useDays } from './days.ts';
import { Sparkline } from './sparkline.tsx';

type Strip = OfferedOutput<'runs/list-strips'>['accounts'][number];

const LAST = 15;

/** Each source and target with its last runs, drawn. */
export function SourcesPanel() {
  const strips = useAnswer('runs/list-strips', { limit: LAST }, { everySeconds: 30 });
  const active = useActiveRuns();
  const days = useDays();
  return (
    <Section title={t`Sources and targets`}>
      <Answer of={strips}>
        {({ accounts }) =>
          accounts.length === 0 ? (
            <NoAccounts />
          ) : (
            <Stack gap={6} component="ul" className="plain-list">
              {worstFirst(accounts).map((strip) => (
                <StripRow
                  key={strip.name}
                  strip={strip}
                  days={days.data}
                  isRunning={active.data?.runs.some(({ account }) => account === strip.name) === true}
                />
              ))}
            </Stack>
          )
        }
      </Answer>
    </Section>
  );
}

/** Accounts whose last run failed first, then those whose run was incomplete; by name otherwise, as the service lists them. */
function worstFirst(strips: readonly Strip[]): readonly Strip[] {
  const rank = ({ runs }: Strip): number => {
    const outcome = runs.at(-1)?.outcome;
    return outcome === 'failed' ? 0 : outcome === 'partial' ? 1 : 2;
  };
  return strips.toSorted((one, other) => rank(one) - rank(other));
}

function NoAccounts() {
  const session = useSession();
  return (
    <Text size="sm" c="dimmed">
      <Trans>No account imports or exports.</Trans>{' '}
      {may(session, 'accounts/add-account') && (
        <Trans>
          <TextLink inherit to="/accounts/new" search={{ kind: 'source' }}>
            Add a source
          </TextLink>{' '}
          to begin.
        </Trans>
      )}
    </Text>
  );
}

interface StripRowProps {
  readonly strip: Strip;
  readonly days: Days | undefined;
  readonly isRunning: boolean;
}

function StripRow({ strip: { name, runs }, days, isRunning }: StripRowProps) {
  const last = runs.at(-1);
  return (
    <Box component="li" className="strip">
      <Text size="sm" className="wrap-anywhere">
        <AccountLink name={name} />
      </Text>
      <Sparkline name={name} days={days} />
      <RunStrip name={name} runs={runs} />
      <Text size="sm" c="dimmed">
        {isRunning ? (
          <TextLink inherit to="/runs">
            <Trans>running</Trans>
          </TextLink>
        ) : last === undefined ? (
          t`never`
        ) : (
          <When at={last.at} />
        )}
      </Text>
    </Box>
  );
}

const HEIGHTS: Readonly<Record<PastRun['outcome'], number>> = {
  done: 9,
  partial: 14,
  failed: 20,
  cancelled: 14,
  undone: 14,
  running: 9,
  waiting: 9,
  discarded: 9,
};

/** Shows a bar for each run, the newest at the right. Failed ones are taller, so that they stand out without colour too. */
function RunStrip({ name, runs }: { readonly name: string; readonly runs: readonly PastRun[] }) {
  const { zone } = usePreferences();
  const empty = LAST - runs.length;
  return (
    <svg className="run-strip" viewBox={`0 0 ${LAST * 8} 22`} role="img" aria-label={spoken(name, runs)}>
      {Array.from({ length: empty }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that it is
        <rect key={place} x={place * 8 + 1} y={19} width={6} height={2} className="run-none" />
      ))}
      {runs.map((run, place) => {
        const height = HEIGHTS[run.outcome];
        return (
          <rect
            key={run.place}
            x={(empty + place) * 8 + 1}
            y={21 - height}
            width={6}
            height={height}
            rx={1}
            className={`run-${run.outcome}`}
          >
            <title>{`${KIND_WORDS[run.kind]} ${OUTCOME_WORDS[run.outcome]}, ${exactText(run.at, zone)}: ${run.message}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** `Last runs of datacentre: 12 done, 2 failed; the newest failed`. */
function spoken(name: string, runs: readonly PastRun[]): string {
  const newest = runs.at(-1);
  if (newest === undefined) return t`Last runs of ${name}: none`;
  const counts = (['done', 'partial', 'failed', 'cancelled', 'undone', 'waiting', 'discarded'] as const).flatMap(
    (outcome) => {
      const count = runs.filter((run) => run.outcome === outcome).length;
      return count === 0 ? [] : [`${count} ${OUTCOME_WORDS[outcome]}`];
    },
  );
  const all = counts.join(', ');
  const outcome = OUTCOME_WORDS[newest.outcome];
  return t`Last runs of ${name}: ${all}; the newest ${outcome}`;
}
