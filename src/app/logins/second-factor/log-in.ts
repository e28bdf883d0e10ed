import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { UserServices } from '../../users/services.ts';
import { credentialOf } from '../../users/sessions.ts';
import { takeTry } from '../../users/tries.ts';
import { mayEnter, type User } from '../../users/user.ts';
import { requireCode, requireCodeOf, saveAuthenticator, setUpMeanwhile, useRecoveryCode } from './codes.ts';
import { type NewAuthenticator, newAuthenticator } from './decisions/authenticator.ts';
import { hasSecondFactor, needsSecondFactor } from './required.ts';
import { openTicket, sealTicket, type TicketKind } from './ticket.ts';

/** A login whose password was right. */
const SECOND_STEP: TicketKind<{ user: string; credential: string; secret?: string | undefined }> = {
  purpose: 'second step of a login',
  content: z.object({
    user: z.string().describe('Id of the user'),
    credential: z.string(),
    secret: z.string().optional().describe('Secret of the authenticator app that is being set up'),
  }),
  minutes: 10,
  expired: worded`the login took too long; enter your password again`,
};

/** The proof still required after the password. */
export interface SecondStep {
  /** Comes back with what is shown. */
  readonly ticket: string;
  readonly ways: readonly ('code' | 'recovery_code' | 'passkey')[];
  /** The authenticator app that is to be set up now, if there is no second factor yet and one is required. */
  readonly setup: NewAuthenticator | null;
}

export type SecondProof =
  | { readonly ticket: string; readonly code: string }
  | { readonly ticket: string; readonly recovery_code: string };

export interface SecondLogin {
  readonly user: User;
  /** Codes to be shown once, where the second factor is new. */
  readonly recoveryCodes: readonly string[];
}

/** The second step for whose password was right; `undefined` where that is enough. */
export async function secondStepOf(services: UserServices, user: User): Promise<SecondStep | undefined> {
  if (!needsSecondFactor(user, services.config.REQUIRE_SECOND_FACTOR)) return undefined;
  const { authenticator, passkeys, recoveryCodes } = user.secondFactor;
  const setup = hasSecondFactor(user) ? null : newAuthenticator(user.name);
  const content = { user: user.id, credential: credentialOf(user), secret: setup?.secret };
  return {
    ticket: await sealTicket(services, SECOND_STEP, content),
    ways: [
      ...(authenticator === '' && setup === null ? [] : ['code' as const]),
      ...(passkeys.length === 0 ? [] : ['passkey' as const]),
      ...(recoveryCodes.length === 0 ? [] : ['recovery_code' as const]),
    ],
    setup,
  };
}

/** Finishes a login with a code. `from` is its origin, and counts as the user once that is known. */
export async function finishSecondStep(
  services: UserServices,
  proof: SecondProof,
  from: Pick<Caller, 'entrance' | 'address' | 'requestId' | 'path'>,
): Promise<SecondLogin> {
  const { user: id, credential, secret } = await openTicket(services, SECOND_STEP, proof.ticket);
  const user = await services.users.byId(id);
  // The password may have been replaced meanwhile, or the user disabled.
  if (user === undefined || !mayEnter(user) || credentialOf(user) !== credential) {
    throw new AppError('forbidden', SECOND_STEP.expired);
  }
  await takeTry(services, user);
  const caller = { ...(await services.users.identityOf(user)), ...from };
  if (secret !== undefined) {
    if (hasSecondFactor(user)) throw setUpMeanwhile();
    if (!('code' in proof)) throw new AppError('invalid_input', worded`enter the code that the app shows`);
    await requireCodeOf(services, user, secret, proof.code);
    return { user, recoveryCodes: await saveAuthenticator(services, caller, user, secret, { isFirst: true }) };
  }
  if ('code' in proof) await requireCode(services, user, proof.code);
  else await useRecoveryCode(services, caller, user, proof.recovery_code);
  return { user, recoveryCodes: [] };
}
