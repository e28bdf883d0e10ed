import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

/** The files of the service that accounts can read, and the folders they write to; `undefined` for users who may not know. */
export function useAccountFiles() {
  return useAnswer('accounts/list-files', {}, { enabled: may(useSession(), 'accounts/list-files') }).data;
}
