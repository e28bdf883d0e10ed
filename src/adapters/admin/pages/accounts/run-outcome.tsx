import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import { numberText } from '../language/numbers.ts';
import { Done } from '../parts/done.tsx';
import { Fact, Facts } from '../parts/facts.tsx';
import { WorkProgress } from '../parts/work-progress.tsx';
import { durationText } from './duration-text.ts';
import type { Ending } from './outcome-titles.ts';

interface RunButtonsProps {
  /** Label of the button for the real run: `Import now`. */
  readonly now: string;
  readonly isRunning: boolean;
  /** The reason nothing can be run; `undefined` if it can. */
  readonly disabledBecause: string | undefined;
  /** Why this person can only do the dry run. */
  readonly runDisabledBecause?: string | undefined;
  readonly onTry: () => void;
  readonly onRun: () => void;
}

/** The dry run of an account, and the real one. */
export function RunButtons({ now, isRunning, disabledBecause, runDisabledBecause, onTry, onRun }: RunButtonsProps) {
  return (
    <>
      <Group>
        <Button variant="default" onClick={onTry} disabled={isRunning || disabledBecause !== undefined}>
          <Trans>Dry run</Trans>
        </Button>
        <Button
          onClick={onRun}
          disabled={isRunning || disabledBecause !== undefined || runDisabledBecause !== undefined}
        >
          {now}
        </Button>
      </Group>
      {(disabledBecause ?? runDisabledBecause) !== undefined && (
        <Text size="sm" c="dimmed">
          {disabledBecause ?? runDisabledBecause}
        </Text>
      )}
    </>
  );
}

/** How far a run is. */
export function RunProgress(run: Omit<ComponentProps<typeof WorkProgress>, 'children'>) {
  return (
    <WorkProgress {...run}>
      <Trans>It continues when you leave this page; Runs shows it.</Trans>
    </WorkProgress>
  );
}

interface RunOutcomeProps {
  /** Kind of run, and its ending: `Import done`. */
  readonly title: string;
  readonly ending: Ending;
  readonly message: string;
  readonly figures: readonly (readonly [label: string, value: number])[];
  readonly milliseconds: number;
}

const COLOURS: Readonly<Record<Exclude<Ending, 'done'>, string>> = {
  partial: 'yellow',
  failed: 'red',
  cancelled: 'gray',
  waiting: 'yellow',
};

/** How a run ended, and its counts. */
export function RunOutcome({ title, ending, message, figures, milliseconds }: RunOutcomeProps) {
  return (
    <Stack gap="xs">
      {ending === 'done' ? (
        <Done title={title}>{message}</Done>
      ) : (
        <Alert color={COLOURS[ending]} title={title} role="status">
          {message}
        </Alert>
      )}
      <Facts label={t`Counts`}>
        {figures.map(([label, value]) => (
          <Fact key={label} label={label}>
            {numberText(value)}
          </Fact>
        ))}
        <Fact label={t`Took`}>{durationText(milliseconds)}</Fact>
      </Facts>
    </Stack>
  );
}
