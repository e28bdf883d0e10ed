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

/** As `ownWriter`, for who may change what is theirs. */
export function ownWriterFor(doing: OwnChange): (caller: Caller) => Caller {
  return (caller) => {
    refuseNoOwnChange(caller, doing);
    return ownWriter(caller);
  };
}

/** Who may ask about themselves: everyone with valid credentials. */
export function knownCaller(caller: Caller): Caller {
  if (caller.refusal !== undefined) throw caller.refusal;
  return caller;
}

/**
 * Writes the caller's own document where nothing changes but what is the caller's: nobody gains what they do not hold, and the check for that would
 * keep out users with roles of other products, which nobody here can hold.
 */
export function ownWriter(caller: Caller): Caller {
  return { ...caller, globalAdmin: true, scope: null, scopeNames: null, templates: null, templateNames: null };
}
