import { t } from '@lingui/core/macro';
import type { Session } from '../calls/session.ts';

/** Explains why the user can do less here than others; `undefined` if there is no restriction. */
export function whyNot(session: Session): string | undefined {
  if (session.refused['cron/set-run-once-next']?.why === 'read_only')
    return t`You may only read, so you can neither request runs nor change groups.`;
  if (session.accounts !== null) {
    return t`You are restricted to accounts: you see only groups whose jobs are all for these accounts, and cannot change groups.`;
  }
  const refusal = session.refused['cron/save-group'];
  return refusal && t`Only ${{ whom: refusal.whom }} can change groups.`;
}
