import * as z from 'zod';
import { ownUser, refuseNoOwnChange } from '../../../users/own-document.ts';
import { defineOperation } from '../../../users/services.ts';
import { recoveryCodesAnswer } from '../own-factor.ts';
import { addPasskey, browserAnswerSchema } from '../passkeys.ts';

export const addOwnPasskey = defineOperation({
  name: 'users/add-own-passkey',
  title: 'Add own passkey',
  description: 'Keeps a passkey that the browser of the caller made. Other sessions of the caller end.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({
    ticket: z.string().describe('From users/begin-own-passkey'),
    label: z.string().trim().min(1).max(100).describe('Name of the passkey'),
    answer: browserAnswerSchema,
  }),
  output: recoveryCodesAnswer,
  subject: ({ label }) => label,
  async run(input, { services, caller }) {
    refuseNoOwnChange(caller, 'change its second factor');
    const user = await ownUser(services, caller);
    return { recovery_codes: [...(await addPasskey(services, caller, user, input))] };
  },
});
