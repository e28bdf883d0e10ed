import type { FastifyInstance, FastifyRequest } from 'fastify';
import { allOperations, anyOperationNamed } from '../../app/catalogue/operation-named.ts';
import { isCallable } from '../../app/kernel/callable.ts';
import { type Caller, currentRole } from '../../app/kernel/caller.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import { denialOf } from '../../app/kernel/may.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { JSON_TYPE } from '../listener/answers.ts';
import type { HttpMount, HttpMountKit } from '../listener/mount.ts';
import { answerCall, refuseForms } from '../listener/operation-call.ts';
import { callerOf, contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';

export interface RemoteCallsOptions {
  readonly version: string;
}

export interface RemoteCallsDeps {
  readonly executor: Executor;
  readonly services: Services;
}

const CALLS = '/api/operations';
const CALL = `${CALLS}/:area/:name`;
/** Often enough for proxies that end connections without traffic. */
const HEARTBEAT_SECONDS = 15;

/** The service's answer to a caller who asks for their own identity. */
interface RemoteGreeting {
  readonly version: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly admin: boolean;
  readonly read_only: boolean;
  /** Names of the operations that this user may call. */
  readonly operations: readonly string[];
}

/**
 * Calls operations by their names, for commands on other machines: the executor's checks, credentials of a user, and no second
 * meaning. This is not part of the REST contract: inputs and answers of an operation may change with each version, which every
 * answer names.
 */
export function remoteCalls(options: RemoteCallsOptions): (deps: RemoteCallsDeps) => HttpMount {
  return (deps) => ({
    paths: [
      { method: 'GET', path: CALLS },
      { method: 'POST', path: CALL },
    ],
    add: (app, kit) => addCalls(app, kit, { ...deps, ...options }),
  });
}

function addCalls(
  app: FastifyInstance,
  { access, pages }: HttpMountKit,
  { executor, services, version }: RemoteCallsDeps & RemoteCallsOptions,
): void {
  /** Returns the caller, by the head of the request alone: a session of the pages does not count as a credential here. */
  async function admit(request: FastifyRequest, route: string, path: string): Promise<Caller> {
    const context = contextOf(request);
    context.route = route;
    pages.require(request.raw, context.client);
    const { client } = context;
    const identity = await access.identify({
      message: request.raw,
      client,
      requestId: request.id,
      path,
      entrance: 'remote',
    });
    context.caller = { ...identity, entrance: 'remote', address: client.address, requestId: request.id, path };
    return context.caller;
  }

  app.get(
    CALLS,
    {
      async onRequest(request, reply) {
        await admit(request, CALLS, CALLS);
        reply.header('muster-version', version);
      },
    },
    (request, reply) => {
      const caller = callerOf(request);
      const greeting: RemoteGreeting = {
        version,
        user: caller.name,
        roles: caller.roles.map(currentRole),
        admin: caller.globalAdmin,
        read_only: caller.readOnly,
        operations: allOperations(services.plugins)
          .filter((operation) => isCallable(operation) && denialOf(caller, operation) === undefined)
          .map(({ name }) => name),
      };
      return reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(greeting));
    },
  );

  app.route<{ Params: { area: string; name: string } }>({
    method: 'POST',
    url: CALL,
    // All refusals happen before a body is read.
    async onRequest(request, reply) {
      const caller = await admit(request, CALL, `${CALLS}/${request.params.area}/${request.params.name}`);
      reply.header('muster-version', version);
      refuseForms(request);
      executor.authorise(callable(services, request.params), caller);
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
    },
    handler: (request, reply) =>
      answerCall(executor, callable(services, request.params), {
        request,
        reply,
        caller: callerOf(request),
        timeoutSeconds: services.config.STALLED_READER_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      }),
  });
}

function callable(
  { plugins }: Services,
  { area, name }: { readonly area: string; readonly name: string },
): AnyOperation {
  const operation = anyOperationNamed(plugins, `${area}/${name}`);
  if (operation !== undefined && isCallable(operation)) return operation;
  throw new AppError('not_found', `there is no operation ${area.slice(0, 100)}/${name.slice(0, 100)} here`);
}
