import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { When } from '../parts/when.tsx';

export type Incomplete = NonNullable<OfferedOutput<'accounts/show-account'>['incomplete']>;

interface IncompleteNoteProps {
  readonly of: Incomplete;
  /** Whether its runs are exports, and not imports. */
  readonly isExport: boolean;
  /** True if the page already shows how the newest ended. */
  readonly isReasonSaid: boolean;
  readonly outcome: Outcome;
}

type Outcome = NonNullable<OfferedOutput<'accounts/show-account'>['last_run']>['outcome'];

/** An outcome that a user chose, or has to decide on, does not count as a fault. */
const COLOURS: Readonly<Partial<Record<Outcome, string>>> = { cancelled: 'gray', discarded: 'gray', waiting: 'yellow' };

/** Shows since when an account's runs are incomplete, how the newest ended, and what to do. */
export function IncompleteNote({ of: incomplete, isExport, isReasonSaid, outcome }: IncompleteNoteProps) {
  return (
    <Alert color={COLOURS[outcome] ?? 'red'} title={<SinceWhen of={incomplete} />}>
      <Stack gap={4}>
        {!isReasonSaid && (
          <Text size="sm" className="wrap-anywhere">
            {incomplete.message}
          </Text>
        )}
        <Text size="sm">{isExport ? <OfExports outcome={outcome} /> : <OfImports outcome={outcome} />}</Text>
      </Stack>
    </Alert>
  );
}

interface AdviceProps {
  readonly outcome: Outcome;
}

/** Explains the outcome and what to do, using the names of the page's buttons. */
function OfImports({ outcome }: AdviceProps) {
  return (
    <>
      <Trans>Until an import is complete, nothing is archived and no section or relation is removed.</Trans>{' '}
      {outcome === 'cancelled' ? (
        <Trans>Import again to complete it.</Trans>
      ) : (
        <Trans>"Test connection" says whether the source answers; when the cause is fixed, import again.</Trans>
      )}
    </>
  );
}

function OfExports({ outcome }: AdviceProps) {
  return (
    <>
      <Trans>The target's objects stay unchanged until an export is complete.</Trans>{' '}
      {outcome === 'waiting' ? (
        <Trans>Another administrator approves the plan, and then it is applied.</Trans>
      ) : outcome === 'cancelled' || outcome === 'discarded' ? (
        <Trans>Export again to complete it.</Trans>
      ) : (
        <Trans>"Test connection" says whether it answers; when the cause is fixed, export again.</Trans>
      )}
    </>
  );
}

/** `not complete since 5 days ago, 5 runs; the last complete run was 6 days ago`. */
export function SinceWhen({
  of: { since, runs, last_complete, part },
}: {
  readonly of: Omit<Incomplete, 'message' | 'advice'>;
}) {
  return (
    <span>
      {last_complete === null ? (
        <NeverComplete since={since} runs={runs} part={part} />
      ) : part === null ? (
        <Trans>
          Incomplete in <Plural value={runs} one="# run" other="# runs" />, the first <When at={since} />; last complete
          run <When at={last_complete} />
        </Trans>
      ) : (
        <Trans>
          Incomplete ({part}) in <Plural value={runs} one="# run" other="# runs" />, the first <When at={since} />; last
          complete run <When at={last_complete} />
        </Trans>
      )}
    </span>
  );
}

function NeverComplete({ since, runs, part }: Pick<Incomplete, 'since' | 'runs' | 'part'>) {
  if (part === null) {
    return (
      <Trans>
        Incomplete in <Plural value={runs} one="# run" other="# runs" />, the first <When at={since} />; no run was
        complete before
      </Trans>
    );
  }
  return (
    <Trans>
      Incomplete ({part}) in <Plural value={runs} one="# run" other="# runs" />, the first <When at={since} />; no run
      was complete before
    </Trans>
  );
}
