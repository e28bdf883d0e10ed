import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

export type Days = OfferedOutput<'hosts/list-days'>;

const DAYS = 90;

/** How many hosts there were in the last three months. It changes with imports, so it is not asked often. */
export function useDays() {
  const session = useSession();
  const enabled = may(session, 'hosts/list-days');
  return useAnswer('hosts/list-days', { days: DAYS }, { enabled, everySeconds: 600, freshSeconds: 120 });
}

/** Returns the numbers of an account's hosts, archived ones too, for each of the days; `undefined` if it never owned a host. */
export function ofAccount({ days, accounts }: Days, name: string): Days['days'] | undefined {
  const own = accounts.find(({ account }) => account === name);
  return own === undefined
    ? undefined
    : days.map(({ day }, place) => ({
        day,
        hosts: own.hosts[place] ?? 0,
        objects: own.objects[place] ?? 0,
        archived: own.archived[place] ?? 0,
      }));
}
