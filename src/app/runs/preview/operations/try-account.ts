import * as z from 'zod';
import { sourceTypeOf } from '../../../accounts/account-types.ts';
import { newAccountDocument, referencesSchema, settingsSchema } from '../../../accounts/operations/add-account.ts';
import { voucherOf } from '../../../rules/trust/voucher.ts';
import { defineOperation } from '../../services.ts';
import { accountTestSchema } from '../account-test.ts';
import { testSource } from './test-account.ts';

const RECORDS = 20;
/** What an account is called that has no name yet, in messages. */
const NAMELESS = 'new account';

export const tryAccount = defineOperation({
  name: 'accounts/try-account',
  title: 'Try account',
  description:
    'Reads the first records of a source with settings that no account has yet, and shows what they would become. Stores nothing.',
  // It makes the machine ask another one, by settings that nobody has vouched for: who may not save them may not try them.
  effect: 'write',
  roles: ['admin'],
  weight: 'preview',
  at: { page: true },
  input: z.object({
    name: z.string().default('').describe('What the account is to be called; it need not be known yet'),
    type: z.string().min(1).describe('Type of the account, such as csv'),
    settings: settingsSchema,
    password: z.string().optional().describe('Is not kept'),
    secrets_from: referencesSchema,
    object: z.boolean().default(false).describe('The account has objects instead of hosts'),
  }),
  output: accountTestSchema,
  subject: ({ name }) => name || NAMELESS,
  async run({ name, type, settings, password, secrets_from: references, object }, context) {
    const { services, caller } = context;
    const given = { name: name || NAMELESS, type, settings, password, references, object, disabled: false };
    const document = await newAccountDocument(services, given);
    // Who tries it reaches what the same person could reach once it is stored.
    const account = await services.accounts.unstored(document, voucherOf(caller));
    sourceTypeOf(services, account);
    return testSource(account, context, RECORDS);
  },
});
