import { issuedTokenSchema, issueToken, tokenRequestSchema } from '../issue-token.ts';
import { ownUser, ownWriter, refuseNoOwnChange } from '../own-document.ts';
import { defineOperation } from '../services.ts';

export const createOwnToken = defineOperation({
  name: 'users/create-own-token',
  title: 'Create own API token',
  description:
    'Creates an API token of the caller, which carries no more than the caller holds. It is shown once. Every user except read-only users may.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: tokenRequestSchema,
  output: issuedTokenSchema,
  subject: ({ label }) => label,
  async run(input, { services, caller }) {
    refuseNoOwnChange(caller, 'create tokens');
    return issueToken(services, ownWriter(caller), await ownUser(services, caller), input);
  },
});
