import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { localOperator } from '../../app/kernel/caller.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import { breakGlass } from '../../app/logins/second-factor/break-glass.ts';
import {
  finishSecondStep,
  type SecondProof,
  type SecondStep,
  secondStepOf,
} from '../../app/logins/second-factor/log-in.ts';
import { browserAnswerSchema, finishPasskeyLogin } from '../../app/logins/second-factor/passkeys.ts';
import { relyingPartyAt } from '../../app/logins/second-factor/relying-party.ts';
import { spendFirstUserLink } from '../../app/users/first-user.ts';
import { addUser } from '../../app/users/operations/add-user.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { HttpMountKit } from '../listener/mount.ts';
import { contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import type { Entering } from './begin-session.ts';
import { addressOf } from './sign-in-routes.ts';

/** Name of a login in the audit log. */
export const LOG_IN = 'session/log-in';

const ticket = z.string().max(10_000).describe('Ticket from the previous answer');
const code = z.string().max(200);

const passwordSchema = z.object({
  name: z.string().min(1),
  password: z.string(),
  method: z
    .string()
    .optional()
    .describe('The account that the person logs in with; absent: a password of this service'),
});

/** Proof that a user presents to log in. */
const loginSchema = z.union([
  z.object({ ticket, code }),
  z.object({ ticket, recovery_code: code }),
  z.object({ ticket, passkey: browserAnswerSchema }),
  z.object({ break_glass: ticket }),
  z.object({ first_user: ticket, name: z.string().max(1000), password: z.string() }),
  passwordSchema,
]);

interface Door {
  readonly kit: HttpMountKit;
  readonly services: Services;
  readonly executor: Executor;
  readonly request: FastifyRequest;
  readonly access: Parameters<HttpMountKit['access']['verify']>[0];
}

/** The user who logged in, with new recovery codes, if any, to be shown once. */
type LoggedIn = Entering & { readonly recoveryCodes: readonly string[] };

/** Returns the user whose proof suffices, or the step still missing. Throws for anyone else. */
export async function logIn(body: unknown, door: Door): Promise<LoggedIn | { readonly second_step: SecondStep }> {
  const login = loginSchema.safeParse(body);
  if (!login.success) throw new AppError('invalid_input', worded`enter a user name and a password`);
  const shown = login.data;
  if ('first_user' in shown) return asFirstUser(shown, door);
  if ('break_glass' in shown) return byBreakGlass(shown.break_glass, door);
  if ('passkey' in shown) return byPasskey(shown, door);
  if ('ticket' in shown) return bySecondStep(shown, door);
  if (shown.method !== undefined) return elsewhere({ ...shown, method: shown.method }, door);
  return byPassword(shown, door);
}

async function byPassword(
  { name, password }: { readonly name: string; readonly password: string },
  { kit, services, access }: Door,
): Promise<LoggedIn | { readonly second_step: SecondStep }> {
  const identity = await kit.access.verify(access, { kind: 'password', name, password }, 'login');
  const user = await services.users.byName(identity.name);
  const step = user === undefined ? undefined : await secondStepOf(services, user);
  return step === undefined ? entering(identity.name, '') : { second_step: step };
}

async function elsewhere(
  { name, password, method }: { readonly name: string; readonly password: string; readonly method: string },
  { services, request }: Door,
): Promise<LoggedIn> {
  const { address } = contextOf(request).client;
  const { user, signIn } = await services.signIns.logIn(method, { name, password }, address);
  return { ...entering(user.name, `by ${method}`), signIn };
}

async function bySecondStep(proof: SecondProof, door: Door): Promise<LoggedIn> {
  const { user, recoveryCodes } = await finishSecondStep(door.services, proof, fromOf(door)).catch(audited(door));
  return { ...entering(user.name, 'code' in proof ? 'with a code' : 'with a recovery code'), recoveryCodes };
}

async function byPasskey(
  shown: { readonly ticket: string; readonly passkey: z.output<typeof browserAnswerSchema> },
  door: Door,
): Promise<LoggedIn> {
  const party = relyingPartyAt(addressOf(door.services, door.request, '/'));
  const given = { ticket: shown.ticket, answer: shown.passkey };
  const user = await finishPasskeyLogin(door.services, given, party, fromOf(door)).catch(audited(door));
  return entering(user.name, 'by a passkey');
}

async function byBreakGlass(text: string, door: Door): Promise<LoggedIn> {
  const { user, minutes } = await breakGlass(door.services, text).catch(audited(door));
  return { ...entering(user.name, 'by a break-glass link'), seconds: minutes * 60 };
}

async function asFirstUser(
  shown: { readonly first_user: string; readonly name: string; readonly password: string },
  door: Door,
): Promise<LoggedIn> {
  const { name, password } = shown;
  const { client } = contextOf(door.request);
  const operator = localOperator({ name, path: '/admin', requestId: door.request.id, entrance: 'admin' });
  const caller = { ...operator, address: client.address };
  const input = { name, password, roles: ['all'], admin: true };
  const add = () => door.executor.value(addUser, { kind: 'value', value: input }, caller);
  await spendFirstUserLink(door.services, { ...shown, secret: shown.first_user }, caller, add).catch(audited(door));
  return entering(name, 'by the link for the first user');
}

function entering(user: string, details: string): LoggedIn {
  return { user, operation: LOG_IN, details, recoveryCodes: [] };
}

function fromOf({ request }: Door) {
  const { client } = contextOf(request);
  return { entrance: 'admin' as const, address: client.address, requestId: request.id, path: '/admin' };
}

/** Writes the failed login to the audit log. */
function audited({ services, request }: Door) {
  return (error: unknown): never => {
    services.anonymousRefusals.audit({
      id: services.newId(),
      at: services.clock.now(),
      actor: '',
      entrance: 'admin',
      address: contextOf(request).client.address,
      operation: LOG_IN,
      subject: '',
      outcome: error instanceof AppError ? error.code : 'internal',
      requestId: request.id,
    });
    throw error;
  };
}
