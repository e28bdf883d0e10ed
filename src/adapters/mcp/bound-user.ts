import { type Caller, holdsRole, TOOL_ROLE } from '../../app/kernel/caller.ts';
import { auditTokenUse } from '../../app/users/token-uses.ts';
import type { Credentials, Identity } from '../../app/users/user-directory.ts';
import { AppError } from '../../ports/index.ts';
import type { Services } from '../listener/services.ts';

/** Credentials from the environment and the command line; either may be missing. */
export interface BoundCredentials {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Comes before the other two: who needs a second factor, or is known by another system, has no password that opens anything here. */
  readonly token: string | undefined;
}

type BoundServices = Pick<Services, 'users' | 'audit' | 'clock' | 'newId'>;

const NAME = 'the tool server';

/**
 * Binds a connection to one user. Throws if the credentials are missing or not valid, or the user lacks the role. The result
 * returns the current caller: credentials that are no longer valid are refused at the next call.
 */
export async function boundUser(
  given: BoundCredentials,
  services: BoundServices,
): Promise<(requestId: string) => Promise<Caller>> {
  const credentials = shownBy(given);
  const isToken = credentials.kind === 'token';
  const identity = await services.users.authenticate(credentials);
  if (identity === undefined) {
    audit(services, isToken ? 'token' : credentials.name, 'unauthenticated');
    throw new AppError(
      'unauthenticated',
      isToken
        ? 'the token is not valid, or no longer; check MUSTER_TOKEN'
        : 'the credentials are not valid; check SERVICE_API_USER and SERVICE_API_PASSWORD, or --user and --password',
    );
  }
  const user = identity.name;
  if (!holdsRole(identity, [TOOL_ROLE])) {
    audit(services, user, 'role_missing');
    const whom = isToken ? `user ${user} and the token` : `user ${user}`;
    throw new AppError('role_missing', `User has no api_role granting ${NAME}; give ${whom} the role ${TOOL_ROLE}`);
  }
  return async (requestId) => {
    const current = await services.users.authenticate(credentials);
    if (current === undefined) {
      throw new AppError(
        'unauthenticated',
        `the credentials of user ${user} are no longer valid; restart the tool server with valid ones`,
      );
    }
    const caller = callerOf(current, requestId);
    auditTokenUse(services, current, caller);
    return caller;
  };
}

function shownBy({ user, password, token }: BoundCredentials): Credentials {
  if (token !== undefined) return { kind: 'token', token: token.trim() };
  if (user !== undefined && password !== undefined) return { kind: 'password', name: user, password };
  throw new AppError(
    'unauthenticated',
    'the tool server needs a user: set MUSTER_TOKEN, or SERVICE_API_USER and SERVICE_API_PASSWORD, or give --user and --password',
  );
}

function callerOf(identity: Identity, requestId: string): Caller {
  return { ...identity, entrance: 'mcp', address: '', requestId, path: NAME };
}

function audit(services: BoundServices, actor: string, outcome: string): void {
  const id = services.newId();
  services.audit.keep({
    id,
    at: services.clock.now(),
    actor: actor.slice(0, 100),
    entrance: 'mcp',
    address: '',
    operation: NAME,
    subject: '',
    outcome,
    requestId: id,
  });
}
