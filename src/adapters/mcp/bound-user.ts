import type { Services } from '../../app/catalogue/services.ts';
import { type Caller, holdsRole, TOOL_ROLE } from '../../app/kernel/caller.ts';
import type { Credentials, Identity } from '../../app/users/user-directory.ts';
import { AppError } from '../../ports/index.ts';

/** What the environment and the command line give; either may be missing. */
export interface BoundCredentials {
  readonly user: string | undefined;
  readonly password: string | undefined;
}

type BoundServices = Pick<Services, 'users' | 'audit' | 'clock' | 'newId'>;

const NAME = 'the tool server';

/**
 * Binds a connection to one user. Throws when the credentials are missing or not valid, or the user lacks the role. The
 * result answers who calls as of now: credentials that are no longer valid are refused at the next call.
 */
export async function boundUser(
  { user, password }: BoundCredentials,
  services: BoundServices,
): Promise<(requestId: string) => Promise<Caller>> {
  if (user === undefined || password === undefined) {
    throw new AppError(
      'unauthenticated',
      'the tool server needs a user: set SERVICE_API_USER and SERVICE_API_PASSWORD, or give --user and --password',
    );
  }
  const credentials: Credentials = { kind: 'password', name: user, password };
  const identity = await services.users.authenticate(credentials);
  if (identity === undefined) {
    audit(services, user, 'unauthenticated');
    throw new AppError(
      'unauthenticated',
      'the credentials are not valid; check SERVICE_API_USER and SERVICE_API_PASSWORD, or --user and --password',
    );
  }
  if (!holdsRole(identity, [TOOL_ROLE])) {
    audit(services, user, 'role_missing');
    throw new AppError(
      'role_missing',
      `User has no api_role granting ${NAME}; give user ${user} the role ${TOOL_ROLE}`,
    );
  }
  return async (requestId) => {
    const current = await services.users.authenticate(credentials);
    if (current !== undefined) return callerOf(current, requestId);
    throw new AppError(
      'unauthenticated',
      `the credentials of user ${user} are no longer valid; restart the tool server with valid ones`,
    );
  };
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
