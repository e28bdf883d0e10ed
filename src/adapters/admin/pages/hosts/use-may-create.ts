import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { takesHosts } from './no-account.ts';

/**
 * Whether the user may create hosts. A user restricted to accounts of sources cannot use a new host; others learn there which
 * account is missing.
 */
export function useMayCreate(): boolean {
  const session = useSession();
  const isAllowed = may(session, 'hosts/save-host');
  const isRestricted = session.accounts !== null;
  const known = useAnswer('accounts/list-accounts', {}, { enabled: isAllowed && isRestricted });
  return isAllowed && (!isRestricted || (known.data?.accounts.some(takesHosts) ?? false));
}
