import type { OfferedOutput } from '../../../offered-operations.ts';
import { may, useSession } from '../../calls/session.ts';
import { useAnswer } from '../../calls/use-call.ts';
import type { Explained } from '../explain/explained.ts';

export type ValueAge = OfferedOutput<'hosts/values-since'>['values'][number];

/** Returns since when rules set the values of a host in an inventory, by name; empty while that is unknown. */
export function useValueAges(
  hostname: string,
  project: string,
  explained: Explained | undefined,
): ReadonlyMap<string, ValueAge> {
  const isAllowed = may(useSession(), 'hosts/values-since');
  // A row of a pasted list has no history.
  const hasHistory = explained !== undefined && explained.explanation.row === undefined;
  const ages = useAnswer(
    'hosts/values-since',
    { hostname, ...(project !== '' && { project }) },
    { enabled: isAllowed && hasHistory, freshSeconds: 60 },
  );
  return new Map(hasHistory ? ages.data?.values.map((value) => [value.name, value]) : []);
}
