import { memberObjects, memberText } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, documentPlace, type Wording } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { changeDocument } from '../../rules/transfer/store-document.ts';
import { ownWriter } from '../../users/own-document.ts';
import type { UserServices } from '../../users/services.ts';
import { secondFactorOf, type User } from '../../users/user.ts';
import { codeEnds, codePeriod } from './decisions/authenticator.ts';
import { newRecoveryCodes, recoveryCodeHash, recoveryCodesMember } from './decisions/recovery-codes.ts';
import { hasSecondFactor } from './required.ts';

/** Refuses a code of the authenticator app that is wrong, or was shown before. */
export async function requireCode(services: UserServices, user: User, code: string): Promise<void> {
  await requireCodeOf(services, user, await authenticatorSecret(services, user), code);
}

/** The same of a secret that is not the user's yet. */
export async function requireCodeOf(
  { storage, clock }: UserServices,
  user: User,
  secret: string,
  code: string,
): Promise<void> {
  const now = clock.now();
  const period = codePeriod(secret, code, now);
  if (period === undefined) throw wrong(worded`the code is wrong; enter the one that the app shows now`);
  const once = { key: `authenticator ${user.id} ${period}`, now, until: codeEnds(period) };
  if (!(await storage.access.useOnce(once))) throw wrong(worded`this code was used already; wait for the next one`);
}

async function authenticatorSecret({ secrets, logger }: UserServices, user: User): Promise<string> {
  const place = documentPlace('users', user.id, 'tfa_secret_crypted');
  try {
    const secret = await secrets.open(user.secondFactor.authenticator, place);
    codePeriod(secret, '000000', new Date(0));
    return secret;
  } catch (error) {
    logger.error('the secret of an authenticator app cannot be used', { user: user.name, error });
    throw new AppError(
      'failed',
      worded`the authenticator app of ${{ name: user.name }} cannot be checked; an administrator can remove it with "muster user reset-second-factor ${{ name: user.name }}"`,
      { cause: error },
    );
  }
}

/** Takes one of the recovery codes. Of two who show it at once, one gets in. */
export async function useRecoveryCode(services: UserServices, caller: Caller, user: User, code: string): Promise<void> {
  const used = recoveryCodeHash(code);
  await changeOwn(services, caller, user, (document) => {
    const codes = memberObjects(document, 'recovery_codes');
    const left = codes.filter((each) => memberText(each, 'hash') !== used);
    if (left.length === codes.length) throw wrong(worded`the recovery code is wrong, or was used already`);
    return { ...document, recovery_codes: left };
  });
}

/** Gives the user new recovery codes in place of those before. They are shown once. */
export async function renewRecoveryCodes(
  services: UserServices,
  caller: Caller,
  user: User,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  await changeOwn(services, caller, user, (document) => ({ ...document, recovery_codes: recoveryCodesMember(codes) }));
  return codes;
}

/**
 * Stores the secret for the user. Returns recovery codes if there were none. With `isFirst` it throws `conflict` if there is a
 * second factor by now: if two people set one up with the same password at once, one gets in.
 */
export async function saveAuthenticator(
  services: UserServices,
  caller: Caller,
  user: User,
  secret: string,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<readonly string[]> {
  const codes = user.secondFactor.recoveryCodes.length > 0 ? [] : newRecoveryCodes();
  await changeOwn(services, caller, user, (document) => {
    if (isFirst && hasSecondFactor({ secondFactor: secondFactorOf(document) })) throw setUpMeanwhile();
    return {
      ...document,
      tfa_secret: secret,
      ...(codes.length > 0 && { recovery_codes: recoveryCodesMember(codes) }),
    };
  });
  return codes;
}

/** Changes the document of the user, who says so, in nothing but what is the user's own. */
export function changeOwn(
  services: UserServices,
  caller: Caller,
  user: User,
  change: Parameters<typeof changeDocument>[4],
): Promise<void> {
  return changeDocument(services, ownWriter(caller), 'users', user.record, change, { keepsConfirmation: true });
}

export function setUpMeanwhile(): AppError {
  return new AppError('conflict', worded`a second factor was set up meanwhile; log in again`);
}

function wrong(message: Wording): AppError {
  return new AppError('unauthenticated', message);
}
