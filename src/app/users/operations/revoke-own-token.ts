import * as z from 'zod';
import { ownUser, ownWriter, refuseNoOwnChange } from '../own-document.ts';
import { defineOperation } from '../services.ts';
import { takeBackToken } from '../take-back-token.ts';

export const revokeOwnToken = defineOperation({
  name: 'users/revoke-own-token',
  title: 'Revoke own API token',
  description: 'Revokes a token of the caller; it stops working at once. Every user except read-only users may.',
  effect: 'destructive',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({ prefix: z.string().min(1) }),
  output: z.object({ status: z.literal('revoked'), prefix: z.string() }),
  subject: ({ prefix }) => prefix,
  async run({ prefix }, { services, caller }) {
    refuseNoOwnChange(caller, 'revoke tokens');
    return takeBackToken(services, ownWriter(caller), await ownUser(services, caller), prefix);
  },
});
