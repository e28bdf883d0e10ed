import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { TextLink } from '../parts/links.tsx';

/** A message is read for a while and then gone; a count that comes later is not waited for. */
const MOST_MS = 10_000;

interface SeeEffectProps {
  /** When the rules were not changed yet. */
  readonly since: Date;
  /** The inventory whose rules they are. */
  readonly provider: string;
}

/** How many hosts an inventory serves differently since rules were changed, and the way to them. */
export function SeeEffect({ since, provider }: SeeEffectProps) {
  const from = `${since.toISOString().slice(0, 19)}Z`;
  const input = { provider, since: from, limit: 1 };
  const difference = useQuery<OfferedOutput<'inventory/compare-times'>, CallError>({
    queryKey: ['effect-of-rules', input],
    queryFn: ({ signal }) =>
      call('inventory/compare-times', input, AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (difference.isPending) return t`Counting the hosts that are served differently…`;
  if (difference.data !== undefined && countOf(difference.data) === 0) return t`No host is served differently.`;
  return (
    <>
      {difference.data !== undefined &&
        plural(countOf(difference.data), {
          one: '# host is served differently.',
          other: '# hosts are served differently.',
        })}{' '}
      <TextLink inherit to="/inventory/$provider" params={{ provider }} search={{ since: from }}>
        {t`See what changes in the inventory`}
      </TextLink>
    </>
  );
}

function countOf({ added, removed, changed }: OfferedOutput<'inventory/compare-times'>): number {
  return added + removed + changed;
}
