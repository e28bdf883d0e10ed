import { t } from '@lingui/core/macro';
import { useNavigate } from '@tanstack/react-router';
import { NEWEST_FIRST, TurnPages } from '../parts/turn-pages.tsx';

interface OlderNewerProps {
  /** The page of the log that this is. */
  readonly to: '/logs' | '/logs/audit';
  /** Where this page begins; absent: with the newest entry. */
  readonly before: string | undefined;
  /** Where older entries begin; `null` when there are none. */
  readonly next: string | null;
  /** Said when there are older entries, but fewer here than a page holds. */
  readonly note: string;
}

/** The ways to older entries and back. */
export function OlderNewer({ to, before, next, note }: OlderNewerProps) {
  const navigate = useNavigate();
  return (
    <TurnPages
      of={t`the log`}
      note={next === null ? t`There are no older entries.` : note}
      place={before}
      next={next}
      words={NEWEST_FIRST}
      go={(place, state) => void navigate({ to, search: (now: object) => ({ ...now, before: place }), state })}
    />
  );
}
