import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { requireUser } from './require-user.ts';
import type { UserServices } from './services.ts';
import type { User } from './user.ts';

/** The user that calls. */
export async function ownUser(services: UserServices, caller: Caller): Promise<User> {
  return requireUser(services, knownCaller(caller).name);
}

const OWN_CHANGES = {
  'change its second factor': worded`change its second factor`,
  'revoke tokens': worded`revoke tokens`,
  'create tokens': worded`create tokens`,
} as const;

type OwnChange = keyof typeof OWN_CHANGES;

/** For who changes what is theirs and no right: read-only users and tokens with a part of the rights may not. */
export function refuseNoOwnChange(caller: Caller, doing: OwnChange): void {
  knownCaller(caller);
  if (caller.readOnly) {
    throw new AppError(
      'read_only',
      worded`User ${{ name: caller.name }} may only read and cannot ${{ doing: OWN_CHANGES[doing] }}; ask an administrator`,
    );
  }
  if (caller.token?.limited === true) {
    throw new AppError(
      'forbidden',
      worded`this token carries a part of the rights of its user and cannot ${{ doing: OWN_CHANGES[doing] }}`,
    );
  }
}

/** Like `ownWriter`, for callers who may change their own settings. */
export function ownWriterFor(doing: OwnChange): (caller: Caller) => Caller {
  return (caller) => {
    refuseNoOwnChange(caller, doing);
    return ownWriter(caller);
  };
}

/** Returns a caller who may ask about themselves: anyone with valid credentials. */
export function knownCaller(caller: Caller): Caller {
  if (caller.refusal !== undefined) throw caller.refusal;
  return caller;
}

/**
 * Returns a caller that may write its own document if only the caller's own settings change: this grants no rights, and the check
 * for granted rights would lock out users with roles of other products, which cannot be held here.
 */
export function ownWriter(caller: Caller): Caller {
  return { ...caller, globalAdmin: true, scope: null, scopeNames: null, templates: null, templateNames: null };
}
