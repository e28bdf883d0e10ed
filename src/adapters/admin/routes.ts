import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LEFT_OUT } from '../../../generated/features.ts';
import { anyOperationNamed } from '../../app/catalogue/operation-named.ts';
import { OPERATIONS } from '../../app/catalogue/operations.ts';
import { type ListedPage, pageFor, pagesFor } from '../../app/extensions/pages.ts';
import { type Caller, currentRole } from '../../app/kernel/caller.ts';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import { type Denial, denialOf } from '../../app/kernel/may.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';
import type { SecondStep } from '../../app/logins/second-factor/log-in.ts';
import { beginPasskeyLogin } from '../../app/logins/second-factor/passkeys.ts';
import { relyingPartyAt } from '../../app/logins/second-factor/relying-party.ts';
import type { FoundSession } from '../../app/users/sessions.ts';
import type { Identity } from '../../app/users/user-directory.ts';
import { whomText } from '../../app/users/words.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { proxiedRequest } from '../listener/access/proxied-request.ts';
import { JSON_TYPE } from '../listener/answers.ts';
import type { HttpMount, HttpMountKit } from '../listener/mount.ts';
import { answerCall, refuseForms } from '../listener/operation-call.ts';
import { callerOf, contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { auditSession, type BeginSession, sessionBeginner } from './begin-session.ts';
import { cookiePlace } from './cookie-place.ts';
import { LOG_IN, logIn } from './log-in.ts';
import type { OfferedName } from './offered-operations.ts';
import { type AdminPages, adminPages } from './page-files.ts';
import { PLUGIN_PAGE_HEADERS, pluginPageDocument } from './plugin-page.ts';
import { noSessionCookie, sessionIn } from './session.ts';
import { addressOf, addSignIn, SIGN_IN_PATHS } from './sign-in-routes.ts';

export interface AdminOptions {
  readonly version: string;
}

export interface AdminDeps {
  readonly executor: Executor;
  readonly services: Services;
}

const LOGIN_BYTES = 16 * 1024;
const OPERATION_PATH = '/admin/api/operations/:area/:name';
/** Content of a frame in the pages. */
const PLUGIN_PAGE_PATH = '/admin/plugin-pages/:plugin/:page';
const SESSION_PATH = '/admin/api/session';
const PASSKEY_PATH = '/admin/api/session/passkey';
const LOG_OUT = 'session/log-out';

/** Facts about the current user that the pages may know. */
export interface SessionAnswer {
  readonly user: string;
  readonly roles: readonly string[];
  readonly admin: boolean;
  readonly read_only: boolean;
  /** Names of accounts, or `null` when not restricted. */
  readonly accounts: readonly string[] | null;
  /** Names of templates, or `null` when not restricted. */
  readonly templates: readonly string[] | null;
  readonly version: string;
  readonly cmdb_mode: boolean;
  /** Pages that plugins bring, which this user may see. */
  readonly plugin_pages: readonly ListedPage[];
  /** The operations that the service would refuse or does not have, so that pages do not offer them. */
  readonly refused: Readonly<Partial<Record<OfferedName, Refused>>>;
}

/** Answer to a logout. */
export interface LogoutAnswer {
  readonly status: 'logged_out';
  /** Address at which the browser also logs out of the service it had logged in by; `null` if there is none. */
  readonly go_to: string | null;
}

/** Answer to a login: the session, with codes to be shown once for a new second factor, or the step still missing. */
export type LoginAnswer =
  | (SessionAnswer & { readonly recovery_codes?: readonly string[] })
  | { readonly second_step: SecondStep };

interface Refused {
  /** `absent`: it belongs to a feature that this program does not have. */
  readonly why: Denial | 'absent';
  /** The users the operation is for, in words. */
  readonly whom: string;
}

/** The admin interface: its pages, the session of their user, and the operations that they call. */
export function adminInterface(options: AdminOptions): (deps: AdminDeps) => HttpMount {
  return (deps) => ({
    paths: [
      { method: 'GET', path: '/admin' },
      { method: 'GET', path: SESSION_PATH },
      { method: 'POST', path: SESSION_PATH },
      { method: 'DELETE', path: SESSION_PATH },
      { method: 'POST', path: PASSKEY_PATH },
      { method: 'POST', path: OPERATION_PATH },
      { method: 'GET', path: PLUGIN_PAGE_PATH },
      ...SIGN_IN_PATHS,
    ],
    add(app, kit) {
      const prefix = pathPrefix(deps.services.config);
      addPages(app, adminPages(prefix), kit, deps.services);
      const begin = sessionBeginner(deps.services);
      addSignIn(app, kit, { services: deps.services, begin });
      addSession(app, kit, { ...deps, ...options, begin });
    },
  });
}

function addPages(app: FastifyInstance, pages: AdminPages, { hosts }: HttpMountKit, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/admin/assets/:file',
    onRequest: named('/admin/assets/:file'),
    handler: (request, reply) => pages.sendAsset(request, reply),
  });
  for (const url of ['/admin', '/admin/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest(request, _reply, done) {
        contextOf(request).route = '/admin';
        hosts.require(request.headers, contextOf(request).client);
        done();
      },
      handler(request, reply) {
        // Any other path is a page, which the script in it knows.
        if (request.url.startsWith('/admin/api/')) throw new AppError('not_found', worded`this call does not exist`);
        const isIn = sealedIn(services, request) !== undefined;
        return pages.sendPage(reply, {
          address: isIn ? request.url.slice('/admin'.length) : undefined,
          languages: request.headers['accept-language'],
        });
      },
    });
  }
  app.get('/', { onRequest: named('/') }, (_request, reply) =>
    reply.redirect(`${pathPrefix(services.config)}/admin`, 302),
  );
}

type Rooms = AdminDeps & AdminOptions & { readonly begin: BeginSession };

function addSession(app: FastifyInstance, kit: HttpMountKit, rooms: Rooms): void {
  const { services, executor } = rooms;
  const { sessions } = services;

  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, body } = kit.errorOf(error, request);
    // A browser that receives a Basic challenge shows a window of its own.
    const { 'www-authenticate': _, ...others } = headers;
    return answer(reply.code(status).headers(others), { ...body, ...wordingOf(error) });
  };

  function accessOf(request: FastifyRequest) {
    const { client } = contextOf(request);
    return { message: request.raw, client, requestId: request.id, path: '/admin', entrance: 'admin' as const };
  }

  /** Returns the checks that every call of the pages passes before its body is read, and before its sender is identified. */
  function admit(route: string) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { client } = contextOf(request);
      contextOf(request).route = route;
      kit.access.requireEncryption(accessOf(request));
      kit.hosts.require(request.headers, client);
      kit.pages.require(request.raw, client);
      refuseForms(request);
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
    };
  }

  /** Returns the session of the current user, if there is one. */
  async function sessionOf(request: FastifyRequest): Promise<FoundSession | undefined> {
    const sealed = sealedIn(services, request);
    return sealed === undefined ? undefined : sessions.find(sealed, proxiedRequest(request.raw));
  }

  /** Logs in the user named by the proxy that sends the request, if there is no session otherwise. */
  async function byProxy(request: FastifyRequest, reply: FastifyReply): Promise<Identity | undefined> {
    const admitted = await services.proxyLogins.logIn(proxiedRequest(request.raw));
    if (admitted === undefined) return undefined;
    const { user, signIn, by } = admitted;
    await rooms.begin(request, reply, { user: user.name, signIn, operation: LOG_IN, details: `by ${by}` });
    return services.users.identityOf(user);
  }

  function sessionAnswer(identity: Identity): SessionAnswer {
    return {
      user: identity.name,
      roles: identity.roles.map(currentRole),
      admin: identity.globalAdmin,
      read_only: identity.readOnly,
      accounts: identity.scopeNames,
      templates: identity.templateNames,
      version: rooms.version,
      cmdb_mode: services.config.CMDB_MODE,
      plugin_pages: pagesFor(services.plugins, identity),
      refused: refusedTo(identity),
    };
  }

  app.route({
    method: 'POST',
    url: SESSION_PATH,
    bodyLimit: LOGIN_BYTES,
    onRequest: admit(SESSION_PATH),
    errorHandler,
    async handler(request, reply) {
      const entering = await logIn(jsonBody(request), { kit, services, executor, request, access: accessOf(request) });
      if ('second_step' in entering) return answer(reply, entering satisfies LoginAnswer);
      await rooms.begin(request, reply, entering);
      const user = await services.users.byName(entering.user);
      if (user === undefined) throw new AppError('not_found', worded`the user no longer exists`);
      const session = sessionAnswer(await services.users.identityOf(user));
      const { recoveryCodes: codes } = entering;
      return answer(reply, { ...session, ...(codes.length > 0 && { recovery_codes: codes }) } satisfies LoginAnswer);
    },
  });

  app.route({
    method: 'POST',
    url: PASSKEY_PATH,
    bodyLimit: LOGIN_BYTES,
    onRequest: admit(PASSKEY_PATH),
    errorHandler,
    async handler(request, reply) {
      return answer(reply, await beginPasskeyLogin(services, relyingPartyAt(addressOf(services, request, '/'))));
    },
  });

  app.route({
    method: 'GET',
    url: SESSION_PATH,
    onRequest: admit(SESSION_PATH),
    errorHandler,
    async handler(request, reply) {
      const session = await sessionOf(request);
      const identity = session?.identity ?? (await byProxy(request, reply));
      return answer(reply, identity === undefined ? null : sessionAnswer(identity));
    },
  });

  app.route({
    method: 'DELETE',
    url: SESSION_PATH,
    onRequest: admit(SESSION_PATH),
    errorHandler,
    async handler(request, reply) {
      const sealed = sealedIn(services, request);
      const left = sealed === undefined ? undefined : await sessions.leave(sealed);
      if (left !== undefined) auditSession(services, request, { actor: left.user, operation: LOG_OUT, details: '' });
      reply.header('set-cookie', noSessionCookie(cookiePlace(request, services.config)));
      const returnAddress = addressOf(services, request, '/admin');
      const logout: LogoutAnswer = {
        status: 'logged_out',
        go_to: left?.signIn === undefined ? null : await services.signIns.logoutAddress(left.signIn, returnAddress),
      };
      return answer(reply, logout);
    },
  });

  app.route<{ Params: { plugin: string; page: string }; Querystring: { theme?: string } }>({
    method: 'GET',
    url: PLUGIN_PAGE_PATH,
    onRequest: admit(PLUGIN_PAGE_PATH),
    errorHandler,
    async handler(request, reply) {
      const identity = (await sessionOf(request))?.identity;
      if (identity === undefined) throw NOT_LOGGED_IN;
      const page = pageFor(services.plugins, identity, request.params);
      if (page === undefined) throw new AppError('not_found', worded`there is no such page, or it is not for you`);
      const theme = request.query.theme === 'dark' ? 'dark' : 'light';
      return reply.headers(PLUGIN_PAGE_HEADERS).send(pluginPageDocument(page, { user: identity.name, theme }));
    },
  });

  const admitOperation = admit(OPERATION_PATH);
  app.route<{ Params: { area: string; name: string } }>({
    method: 'POST',
    url: OPERATION_PATH,
    // All refusals happen before a body is read.
    async onRequest(request, reply) {
      await admitOperation(request, reply);
      const session = await sessionOf(request);
      if (session === undefined) throw NOT_LOGGED_IN;
      const caller = callerWith(session, request);
      contextOf(request).caller = caller;
      executor.authorise(offered(services, request.params), caller);
    },
    errorHandler,
    handler: (request, reply) =>
      answerCall(executor, offered(services, request.params), {
        request,
        reply,
        caller: callerOf(request),
        timeoutSeconds: services.config.STALLED_READER_SECONDS,
        membersOf: wordingOf,
      }),
  });
}

/** Only pages get the parts of messages, so that they show them in the reader's language. */
function wordingOf(error: unknown): object {
  if (!(error instanceof AppError) || error.code === 'internal') return {};
  const { wording, details } = error;
  return {
    ...(wording && { wording: { template: wording.template, values: wording.values } }),
    ...(details.length > 0 && { details }),
  };
}

function refusedTo(identity: Identity): SessionAnswer['refused'] {
  const absent = [...LEFT_OUT].map((name): [string, Refused] => [name, { why: 'absent', whom: '' }]);
  const refused = OPERATIONS.flatMap((operation): [string, Refused][] => {
    const { name, roles, at } = operation;
    const why = at.page === true ? denialOf(identity, operation) : undefined;
    return why === undefined || roles === 'decided-by-operation' ? [] : [[name, { why, whom: whomText(roles) }]];
  });
  return Object.fromEntries([...absent, ...refused]);
}

function offered(
  { plugins }: Services,
  { area, name }: { readonly area: string; readonly name: string },
): AnyOperation {
  const operation = anyOperationNamed(plugins, `${area}/${name}`);
  if (operation?.at.page !== true)
    throw new AppError('not_found', worded`there is no operation ${{ area }}/${{ name }} here`);
  return operation;
}

/** Sent unchanged: a session that has ended is not a guess at a password. */
const NOT_LOGGED_IN = {
  status: 401,
  headers: {},
  body: { message: 'your session had ended, so nothing was done; log in and do it again', code: 'unauthenticated' },
} as const;

function sealedIn({ config }: Services, request: FastifyRequest): string | undefined {
  return sessionIn(request.headers.cookie, cookiePlace(request, config));
}

function callerWith({ id: session, identity }: FoundSession, request: FastifyRequest): Caller {
  const { client } = contextOf(request);
  return { ...identity, session, entrance: 'admin', address: client.address, requestId: request.id, path: '/admin' };
}

function jsonBody(request: FastifyRequest): unknown {
  try {
    return JSON.parse((request.body as Buffer | undefined)?.toString('utf8') ?? '');
  } catch {
    throw new AppError('invalid_input', worded`the body must be JSON`);
  }
}

function answer(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(body));
}

function named(route: string) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    contextOf(request).route = route;
    done();
  };
}
