import type { IncomingMessage } from 'node:http';
import type { NewAuditEntry } from '../../../app/kernel/audit-entry.ts';
import { type Caller, type Entrance, holdsRole } from '../../../app/kernel/caller.ts';
import { auditTokenUse } from '../../../app/users/token-uses.ts';
import type { Credentials, Identity } from '../../../app/users/user-directory.ts';
import { AppError } from '../../../ports/index.ts';
import type { Services } from '../services.ts';
import type { HttpClient } from './client.ts';
import { credentialsOf } from './credentials.ts';

export interface HttpAccessDeps {
  readonly services: Pick<
    Services,
    'config' | 'users' | 'refusals' | 'anonymousRefusals' | 'audit' | 'clock' | 'newId'
  >;
  /** Name in the audit log; `rest` when absent. */
  readonly entrance?: Entrance;
  /** A role that every caller needs; absent if it depends on the request. */
  readonly role?: string;
}

/** One request on its way to an identity. */
interface AccessRequest {
  readonly message: IncomingMessage;
  readonly client: HttpClient;
  readonly requestId: string;
  /** The path of the request, without the query. */
  readonly path: string;
  /** Name in the audit log, if it differs from that of all requests here. */
  readonly entrance?: Entrance;
}

/** The part of access that every HTTP entrance shares: HTTPS gate, credentials, limit of refusals. */
export interface HttpAccess {
  /** Throws `insecure_transport` when credentials may not be shown this way. */
  requireEncryption(request: AccessRequest): void;
  /**
   * Returns the identity that owns these credentials. Throws as `identify` does. At the login, users who need a second factor
   * show it later.
   */
  verify(request: AccessRequest, credentials: Credentials, door?: 'login'): Promise<Identity>;
  /**
   * Returns the caller, by the credentials in the head of the request. Throws `insecure_transport`, `unauthenticated`,
   * `rate_limited` or, if a role is needed, `role_missing`.
   */
  identify(request: AccessRequest): Promise<Identity>;
  /** Counts a refusal of credentials and returns the answer: the refusal itself, or that there were too many. */
  refused(client: HttpClient, refusal: AppError): AppError;
}

const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'insecure_transport', 'role_missing']);

/** Refusals, before credentials are known to be wrong, that the audit log records. */
const REFUSED: ReadonlySet<string> = new Set(['rate_limited', 'unauthenticated']);

/** True for errors with the HTTP status 401. */
export function isRefusal(error: AppError): boolean {
  return REFUSALS.has(error.code);
}

export function httpAccess(deps: HttpAccessDeps): HttpAccess {
  const { services } = deps;
  const { users, config } = services;

  function requireEncryption(request: AccessRequest): void {
    const { client } = request;
    if (client.encrypted || client.local || config.ALLOW_INSECURE_API_AUTH) return;
    auditAnonymous(request, '', 'insecure_transport');
    throw new AppError('insecure_transport', 'credentials must come over HTTPS; use the https address of this service');
  }

  /** Returns the credentials in the head of the request. */
  function shownBy(request: AccessRequest): Credentials {
    requireEncryption(request);
    const credentials = credentialsOf(request.message.headers);
    if (credentials !== undefined) return credentials;
    throw new AppError('unauthenticated', 'credentials are missing; send HTTP Basic, x-login-user or a Bearer token');
  }

  async function admit(request: AccessRequest, given?: Credentials, door?: 'login'): Promise<Identity> {
    const credentials = given ?? shownBy(request);
    const name = credentials.kind === 'password' ? credentials.name.slice(0, 100) : 'token';
    let identity: Identity | undefined;
    try {
      identity = await users.authenticate(credentials, request.client.address, door);
    } catch (error) {
      if (error instanceof AppError && REFUSED.has(error.code)) auditAnonymous(request, name, error.code);
      throw error;
    }
    if (identity === undefined) {
      auditAnonymous(request, name, 'unauthenticated');
      throw services.refusals.counted(new AppError('unauthenticated', 'the credentials are not valid'));
    }
    auditTokenUse(services, identity, placeOf(request));
    if (deps.role !== undefined && !holdsRole(identity, [deps.role])) {
      services.audit.keep(entryOf(request, identity.name, 'role_missing'));
      throw new AppError('role_missing', `User has no api_role granting ${request.path}`);
    }
    return identity;
  }

  /** The caller is unknown, and there may be any number of such requests. */
  function auditAnonymous(request: AccessRequest, actor: string, outcome: string): void {
    services.anonymousRefusals.audit(entryOf(request, actor, outcome));
  }

  function entryOf(request: AccessRequest, actor: string, outcome: string): NewAuditEntry {
    return {
      id: services.newId(),
      at: services.clock.now(),
      actor,
      operation: request.path.slice(0, 200),
      subject: '',
      outcome,
      ...placeOf(request),
    };
  }

  function placeOf({ entrance, client, requestId }: AccessRequest): Pick<Caller, 'entrance' | 'address' | 'requestId'> {
    return { entrance: entrance ?? deps.entrance ?? 'rest', address: client.address, requestId };
  }

  return {
    requireEncryption,
    verify: admit,
    identify: (request) => admit(request),
    refused: (client, refusal) => services.refusals.refused(client.address, refusal),
  };
}
