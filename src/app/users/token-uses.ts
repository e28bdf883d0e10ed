import type { AuditTrail } from '../journal/audit/audit-trail.ts';
import type { Caller } from '../kernel/caller.ts';
import type { UserServices } from './services.ts';
import type { Identity } from './user-directory.ts';

type TokenUseServices = Pick<UserServices, 'newId' | 'clock'> & { readonly audit: Pick<AuditTrail, 'keepSummed'> };

/** Audits the use of a token. The first use of an hour is kept, and then how many there were. */
export function auditTokenUse(
  { audit, clock, newId }: TokenUseServices,
  { name, token }: Pick<Identity, 'name' | 'token'>,
  { entrance, address, requestId }: Pick<Caller, 'entrance' | 'address' | 'requestId'>,
): void {
  if (token === undefined) return;
  const entry = {
    id: newId(),
    at: clock.now(),
    actor: name,
    entrance,
    address,
    operation: 'users/use-token',
    subject: token.prefix,
    outcome: 'done',
    requestId,
  };
  audit.keepSummed(entry, { key: `${entrance} ${token.prefix} ${address}` });
}
