import * as z from 'zod';
import { secondsOf } from '../../../../kit/words/moment.ts';
import { ownUser } from '../../../users/own-document.ts';
import { defineOperation } from '../../../users/services.ts';
import { needsSecondFactor } from '../required.ts';

export const showOwnSecondFactor = defineOperation({
  name: 'users/show-own-second-factor',
  title: 'Own second factor',
  description: 'Second factors of the caller, without secrets. Every user may call this.',
  effect: 'read',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    authenticator: z.boolean().describe('Whether codes of an authenticator app are asked for'),
    passkeys: z.array(
      z.object({ id: z.string(), label: z.string(), created: z.string().nullable() }).describe('One passkey'),
    ),
    recovery_codes: z.number().int().describe('How many are left'),
    required: z.boolean().describe('Whether the password alone is not enough'),
    elsewhere: z.boolean().describe('Whether the user logs in through another system, which handles the second factor'),
  }),
  async run(_, { services, caller }) {
    const user = await ownUser(services, caller);
    const { authenticator, passkeys, recoveryCodes } = user.secondFactor;
    return {
      authenticator: authenticator !== '',
      passkeys: passkeys.map(({ id, label, createdAt }) => ({
        id,
        label,
        created: createdAt === null ? null : secondsOf(createdAt),
      })),
      recovery_codes: recoveryCodes.length,
      required: needsSecondFactor(user, services.config.REQUIRE_SECOND_FACTOR),
      elsewhere: user.login !== undefined,
    };
  },
});
