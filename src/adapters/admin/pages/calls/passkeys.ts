import { t } from '@lingui/core/macro';
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { CallError } from './call.ts';

/** Asks the user to unlock a passkey. Throws errors in words for the user. */
export function askForPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON> {
  return readable(() => startAuthentication({ optionsJSON }));
}

export function makePasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> {
  return readable(() => startRegistration({ optionsJSON }));
}

const TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: t`The browser did not get a passkey: it was cancelled, or took too long. Try again.`,
  InvalidStateError: t`This device has a passkey of yours already.`,
  SecurityError: t`The browser allows no passkeys at this address. Open this page by its name over HTTPS.`,
};

async function readable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error as Error;
    throw new CallError({ message: TEXTS[name] ?? message, code: 'passkey' });
  }
}
