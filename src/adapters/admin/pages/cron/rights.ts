import { holds, type Session } from '../calls/session.ts';

/** Who may ask for runs. */
export function mayTrigger(session: Session): boolean {
  return holds(session, ['syncer']) && !session.read_only;
}

/** Who may change groups: their jobs run with all rights, so not who is restricted to accounts. */
export function mayChange(session: Session): boolean {
  return holds(session, ['rules']) && !session.read_only && session.accounts === null;
}

/** Who may set what calls of webhooks must show. */
export function mayGuard(session: Session): boolean {
  return mayChange(session) && holds(session, ['admin']);
}

/** Why the person can do less here than others; `undefined` when there is nothing to say. */
export function whyNot(session: Session): string | undefined {
  if (session.read_only) return 'You may only read, so you can neither request runs nor change groups.';
  if (session.accounts !== null) {
    return 'You are restricted to accounts: you see only groups whose jobs are all for these accounts, and cannot change groups.';
  }
  return mayChange(session) ? undefined : 'Only users with the role rules can change groups.';
}
