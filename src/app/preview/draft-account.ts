import type * as z from 'zod';
import type { Account } from '../accounts/account-directory.ts';
import { type newAccountSchema, newDocument } from '../accounts/operations/add-account.ts';
import type { Caller } from '../kernel/caller.ts';
import { confirmerOf } from '../rules/trust/confirmer.ts';
import type { RunServices } from '../runs/services.ts';

/** The account as it would be once it is stored; who could not vouch for it then cannot try it either. */
export async function draftAccount(
  services: RunServices,
  caller: Caller,
  input: z.output<typeof newAccountSchema>,
): Promise<Account> {
  return services.accounts.draft(await newDocument(services, input), {
    id: services.newId(),
    changedAt: services.clock.now(),
    confirmedBy: confirmerOf(caller),
  });
}
