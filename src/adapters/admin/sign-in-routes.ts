import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { OfferedMethod } from '../../app/logins/sign-ins.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { JSON_TYPE } from '../listener/answers.ts';
import type { HttpMountKit } from '../listener/mount.ts';
import { contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import type { BeginSession } from './begin-session.ts';
import { cookiePlace } from './cookie-place.ts';
import { noPendingCookie, pendingCookie, pendingIn, problemCookie, problemIn } from './sign-in-cookies.ts';

const METHODS_PATH = '/admin/api/sign-in';
const BEGIN_PATH = '/admin/sign-in/:method';
const RETURN_PATH = `${BEGIN_PATH}/return`;
const ENDED_PATH = `${BEGIN_PATH}/ended`;
const ENDED_BYTES = 64 * 1024;

/** Ways to log in that the login page offers. */
export interface SignInAnswer {
  readonly methods: readonly OfferedMethod[];
  /** The reason the login the browser returns from failed; empty if it did not. */
  readonly problem: string;
  /** Whether anybody has a passkey. */
  readonly passkeys: boolean;
  /** Whether there is no user yet. */
  readonly no_users: boolean;
}

export const SIGN_IN_PATHS = [
  { method: 'GET', path: METHODS_PATH },
  { method: 'GET', path: BEGIN_PATH },
  { method: 'GET', path: RETURN_PATH },
  { method: 'POST', path: ENDED_PATH },
] as const;

interface SignInRooms {
  readonly services: Services;
  readonly begin: BeginSession;
}

interface Named {
  readonly Params: { readonly method: string };
}

/** Adds the routes for users known elsewhere: the way to their login, and back. */
export function addSignIn(app: FastifyInstance, kit: HttpMountKit, { services, begin }: SignInRooms): void {
  const { signIns } = services;

  function admit(route: string) {
    return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      const context = contextOf(request);
      context.route = route;
      const { client } = context;
      kit.access.requireEncryption({
        message: request.raw,
        client,
        requestId: request.id,
        path: '/admin',
        entrance: 'admin',
      });
      kit.hosts.require(request.headers, client);
      done();
    };
  }

  const sealing = (request: FastifyRequest) => ({
    secrets: services.secrets,
    now: services.clock.now().getTime(),
    place: cookiePlace(request, services.config),
  });

  app.route({
    method: 'GET',
    url: METHODS_PATH,
    onRequest: admit(METHODS_PATH),
    async handler(request, reply) {
      const place = cookiePlace(request, services.config);
      const problem = problemIn(request.headers.cookie, place);
      if (problem !== '') reply.header('set-cookie', problemCookie('', place));
      const users = await services.users.list();
      const answer: SignInAnswer = {
        methods: await signIns.offered(),
        problem,
        passkeys: users.some(({ secondFactor }) => secondFactor.passkeys.length > 0),
        no_users: users.length === 0,
      };
      return reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(answer));
    },
  });

  app.route<Named & { Querystring: { readonly to?: string } }>({
    method: 'GET',
    url: BEGIN_PATH,
    onRequest: admit(BEGIN_PATH),
    async handler(request, reply) {
      return withProblem(request, reply, async () => {
        const opened = await signIns.method(request.params.method, 'redirect');
        const returnAddress = addressOf(services, request, returnPath(request.params.method));
        const { address, pending } = await opened.call('going to log in', (signal) =>
          opened.method.begin({ returnAddress }, { signal }),
        );
        const to = pageOf(request.query.to, pathPrefix(services.config));
        reply.header('set-cookie', await pendingCookie({ method: opened.account.id, pending, to }, sealing(request)));
        return address;
      });
    },
  });

  app.route<Named>({
    method: 'GET',
    url: RETURN_PATH,
    onRequest: admit(RETURN_PATH),
    async handler(request, reply) {
      return withProblem(request, reply, async () => {
        reply.header('set-cookie', noPendingCookie(cookiePlace(request, services.config)));
        const opened = await signIns.method(request.params.method, 'redirect');
        const login = await pendingIn(request.headers.cookie, sealing(request));
        if (login?.method !== opened.account.id) {
          throw new AppError('forbidden', worded`this login was not begun here, or took too long; log in again`);
        }
        const returnAddress = addressOf(services, request, returnPath(request.params.method));
        const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
        const answer = { address: `${returnAddress}${query}`, pending: login.pending, returnAddress };
        const found = await opened.call('logging in', (signal) => opened.method.finish(answer, { signal }));
        const { user, signIn } = await signIns.admit(opened, found);
        const details = `by ${opened.account.name}`;
        await begin(request, reply, { user: user.name, signIn, operation: 'session/log-in', details });
        return login.to;
      });
    },
  });

  // The other system sends it, and no browser.
  app.route<Named>({
    method: 'POST',
    url: ENDED_PATH,
    bodyLimit: ENDED_BYTES,
    onRequest: admit(ENDED_PATH),
    async handler(request, reply) {
      const opened = await signIns.method(request.params.method, 'redirect');
      const body = (request.body as Buffer | undefined)?.toString('utf8') ?? '';
      const ended = await signIns.endLogins(opened, body);
      services.logger.info('a sign-in method ended sessions', { account: opened.account.name, sessions: ended });
      return reply.header('cache-control', 'no-store').code(200).send('');
    },
  });

  /** Redirects the browser; to the login page, which shows the error, if that failed. */
  async function withProblem(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<string>,
  ): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    try {
      return reply.redirect(await work(), 302);
    } catch (error) {
      const { client } = contextOf(request);
      const outcome = error instanceof AppError ? error.code : 'internal';
      services.logger.warn('a login by a sign-in method failed', { error });
      services.anonymousRefusals.audit({
        id: services.newId(),
        at: services.clock.now(),
        actor: '',
        entrance: 'admin',
        address: client.address,
        operation: 'session/log-in',
        subject: (request.params as Named['Params']).method.slice(0, 200),
        outcome,
        requestId: request.id,
      });
      const message = error instanceof AppError ? error.message : 'the login failed; ask an administrator';
      const place = cookiePlace(request, services.config);
      return reply.header('set-cookie', problemCookie(message, place)).redirect(`${place.prefix}/admin`, 302);
    }
  }
}

function returnPath(method: string): string {
  return `/admin/sign-in/${encodeURIComponent(method)}/return`;
}

/** Returns the public address of a page of the service. */
export function addressOf({ config }: Services, request: FastifyRequest, path: string): string {
  const { encrypted } = contextOf(request).client;
  const base = config.BASE_URL === '' ? `${encrypted ? 'https' : 'http'}://${request.headers.host}` : config.BASE_URL;
  return `${base.replace(/\/+$/, '')}${path}`;
}

/** Returns a page of ours: a link to the login must not lead to another site. */
function pageOf(to: string | undefined, prefix: string): string {
  const path = to?.startsWith(`${prefix}/admin`) ? to.slice(prefix.length) : to;
  return `${prefix}${path !== undefined && /^\/admin(?:\/[^\\\s]*)?$/.test(path) ? path : '/admin'}`;
}
