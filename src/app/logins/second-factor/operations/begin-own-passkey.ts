import * as z from 'zod';
import { defineOperation } from '../../../users/services.ts';
import { ownFactorInput, ownFactorUser } from '../own-factor.ts';
import { beginPasskey } from '../passkeys.ts';
import { relyingPartyAt } from '../relying-party.ts';

export const beginOwnPasskey = defineOperation({
  name: 'users/begin-own-passkey',
  title: 'Begin to add a passkey',
  description: 'Options with which a browser creates a passkey for the caller, who must give the password.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({
    ...ownFactorInput,
    origin: z.url().describe('Address of the page that asks; BASE_URL overrides it'),
  }),
  output: z.object({
    ticket: z.string(),
    options: z.looseObject({}).describe('PublicKeyCredentialCreationOptionsJSON'),
  }),
  async run({ present_password, origin }, { services, caller }) {
    const party = relyingPartyAt(services.config.BASE_URL === '' ? origin : services.config.BASE_URL);
    const { ticket, options } = await beginPasskey(
      services,
      await ownFactorUser(services, caller, present_password),
      party,
    );
    return { ticket, options: { ...options } };
  },
});
