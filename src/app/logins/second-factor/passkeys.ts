import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import * as z from 'zod';
import { memberObjects, memberText } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, type RuleDocument } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { UserServices } from '../../users/services.ts';
import { mayEnter, type Passkey, type User } from '../../users/user.ts';
import { changeOwn } from './codes.ts';
import { newRecoveryCodes, recoveryCodesMember } from './decisions/recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import { openTicket, sealTicket, type TicketKind } from './ticket.ts';

const MINUTES = 5;
const NAME = 'Muster';
const MOST_PASSKEYS = 20;

/** The challenge that a browser has to answer. */
const LOGIN: TicketKind<{ challenge: string }> = {
  purpose: 'login with a passkey',
  content: z.object({ challenge: z.string() }),
  minutes: MINUTES,
  expired: worded`the login took too long; start it again`,
};

const REGISTRATION: TicketKind<{ user: string; challenge: string; origin: string }> = {
  purpose: 'adding a passkey',
  content: z.object({ user: z.string(), challenge: z.string(), origin: z.string() }),
  minutes: MINUTES,
  expired: worded`this took too long; start to add the passkey again`,
};

/** The answer of a browser, as its own JSON. Its content is checked when it is verified. */
export const browserAnswerSchema = z
  .looseObject({ id: z.string().max(2000), response: z.looseObject({}), type: z.literal('public-key') })
  .describe('Answer of the browser: PublicKeyCredential.toJSON()');

export type BrowserAnswer = z.output<typeof browserAnswerSchema>;

/** Loaded only when a passkey is used, as few users have one. */
function library() {
  return import('@simplewebauthn/server');
}

/** Returns the browser's options for a passkey login of any user. */
export async function beginPasskeyLogin(
  services: UserServices,
  { id }: RelyingParty,
): Promise<{ readonly ticket: string; readonly options: PublicKeyCredentialRequestOptionsJSON }> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: id,
    userVerification: 'required',
    timeout: MINUTES * 60_000,
  });
  return { ticket: await sealTicket(services, LOGIN, { challenge: options.challenge }), options };
}

/** Returns the user of a passkey. Unlocking it on a device proves two factors at once, so nothing else is required. */
export async function finishPasskeyLogin(
  services: UserServices,
  { ticket, answer }: { readonly ticket: string; readonly answer: BrowserAnswer },
  party: RelyingParty,
  from: Pick<Caller, 'entrance' | 'address' | 'requestId' | 'path'>,
): Promise<User> {
  const { challenge } = await openTicket(services, LOGIN, ticket);
  const now = services.clock.now();
  const until = new Date(now.getTime() + MINUTES * 60_000);
  // Before it is verified: a copied answer must not work a second time.
  if (!(await services.storage.access.useOnce({ key: `passkey ${challenge}`, now, until }))) throw refused();
  const user = (await services.users.list()).find(({ secondFactor }) =>
    secondFactor.passkeys.some(({ id }) => id === answer.id),
  );
  const passkey = user?.secondFactor.passkeys.find(({ id }) => id === answer.id);
  if (user === undefined || passkey === undefined || user.login !== undefined || !mayEnter(user)) throw refused();
  const counter = await verifiedCounter(services, { passkey, answer, challenge, party });
  if (counter > passkey.counter) {
    const caller = { ...(await services.users.identityOf(user)), ...from };
    await changePasskeys(services, caller, user, (each) =>
      memberText(each, 'id') === passkey.id ? [{ ...each, counter }] : [each],
    );
  }
  return user;
}

/** How often the passkey was used by now. Throws where the answer is not by it. */
async function verifiedCounter(
  { logger }: UserServices,
  {
    passkey: { id, publicKey, counter, transports },
    answer,
    challenge,
    party,
  }: {
    readonly passkey: Passkey;
    readonly answer: BrowserAnswer;
    readonly challenge: string;
    readonly party: RelyingParty;
  },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter,
        transports: [...transports],
      },
    });
    if (verified) return authenticationInfo.newCounter;
  } catch (error) {
    logger.warn('a passkey was refused', { error });
  }
  throw refused();
}

/** Returns the options from which the browser creates a passkey for this user. */
export async function beginPasskey(
  services: UserServices,
  user: User,
  { origin, id }: RelyingParty,
): Promise<{ readonly ticket: string; readonly options: PublicKeyCredentialCreationOptionsJSON }> {
  if (user.secondFactor.passkeys.length >= MOST_PASSKEYS) {
    throw new AppError(
      'conflict',
      worded`you have ${{ mostPasskeys: MOST_PASSKEYS }} passkeys; remove one that you do not use any more`,
    );
  }
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: id,
    userName: user.name,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userDisplayName: user.name,
    timeout: MINUTES * 60_000,
    excludeCredentials: user.secondFactor.passkeys.map((passkey) => ({
      id: passkey.id,
      transports: [...passkey.transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return {
    ticket: await sealTicket(services, REGISTRATION, { user: user.id, challenge: options.challenge, origin }),
    options,
  };
}

/** Keeps a passkey that the browser made. Returns recovery codes if there were none. */
export async function addPasskey(
  services: UserServices,
  caller: Caller,
  user: User,
  { ticket, answer, label }: { readonly ticket: string; readonly answer: BrowserAnswer; readonly label: string },
): Promise<readonly string[]> {
  const { user: id, challenge, origin } = await openTicket(services, REGISTRATION, ticket);
  if (id !== user.id) throw new AppError('forbidden', REGISTRATION.expired);
  const passkey = await registered(services, { answer, challenge, origin });
  const codes = user.secondFactor.recoveryCodes.length > 0 ? [] : newRecoveryCodes();
  await changeOwn(services, caller, user, (document) => ({
    ...document,
    passkeys: [
      ...memberObjects(document, 'passkeys').filter((each) => memberText(each, 'id') !== passkey.id),
      { ...passkey, label, created: { $date: services.clock.now().getTime() } },
    ],
    ...(codes.length > 0 && { recovery_codes: recoveryCodesMember(codes) }),
  }));
  return codes;
}

async function registered(
  { logger }: UserServices,
  {
    answer,
    challenge,
    origin,
  }: { readonly answer: BrowserAnswer; readonly challenge: string; readonly origin: string },
): Promise<RuleDocument & { readonly id: string }> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
    });
    if (verified) {
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      return {
        id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: (transports ?? []).slice(0, 10),
      };
    }
  } catch (error) {
    logger.warn('a new passkey was refused', { error });
  }
  throw new AppError('invalid_input', worded`the browser's answer is not a passkey of this page; start again`);
}

/** Removes a passkey of the user. False if there is none of that id. */
export async function removePasskey(services: UserServices, caller: Caller, user: User, id: string): Promise<boolean> {
  if (!user.secondFactor.passkeys.some((passkey) => passkey.id === id)) return false;
  await changePasskeys(services, caller, user, (each) => (memberText(each, 'id') === id ? [] : [each]));
  return true;
}

function changePasskeys(
  services: UserServices,
  caller: Caller,
  user: User,
  change: (passkey: RuleDocument) => readonly RuleDocument[],
): Promise<void> {
  return changeOwn(services, caller, user, (document) => ({
    ...document,
    passkeys: memberObjects(document, 'passkeys').flatMap(change),
  }));
}

function refused(): AppError {
  return new AppError('unauthenticated', worded`this passkey opens nothing here; log in with your password`);
}
