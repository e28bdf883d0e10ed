import { isCallable } from '../../../app/kernel/callable.ts';
import type { ExecuteOptions } from '../../../app/kernel/executor.ts';
import type { AnyOperation, Progress, StreamAnswer, ValueOperation } from '../../../app/kernel/operation.ts';
import { AppError, type ErrorCode, type ErrorDetail } from '../../../ports/errors.ts';
import { failedTry } from '../../http-client/faults.ts';
import { openTransport, type Transport, type WireAnswer } from '../../http-client/transport.ts';
import type { Gateway } from '../gateway.ts';
import { UsageError } from '../usage-error.ts';
import { linesOf, wholeText } from './body-text.ts';
import type { Connection } from './connection.ts';

/** Longest wait for the first byte of a streamed answer. */
const ANSWER_SECONDS = 300;
/** A busy service sends four signs of life in this time. */
const IDLE_SECONDS = 60;
const LINES = 'application/x-ndjson';

export interface ServiceGateway extends Gateway {
  /** The name that users know it by: its profile, if it has one, and its address. */
  readonly place: string;
  /** The name of the user there, and the operations they may call. */
  greeting(): Promise<Greeting>;
  close(): Promise<void>;
}

/** The service's greeting: its version, and the caller's identity. */
interface Greeting {
  readonly version: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly admin: boolean;
  readonly read_only: boolean;
  readonly operations: readonly string[];
}

export interface ServiceDeps {
  /** Version of this program. */
  readonly version: string;
  /** The command that runs, for messages. */
  readonly command: () => string;
  readonly signal: AbortSignal;
  note(text: string): void;
}

/**
 * Calls operations of a service by their names. Credentials are sent to its origin alone: redirects are reported and not
 * followed.
 */
export function serviceGateway(connection: Connection, deps: ServiceDeps): ServiceGateway {
  const { base } = connection;
  let transport: Transport | undefined;
  let isVersionReported = false;

  async function send(path: string, { body, accept }: { body?: string; accept: string }): Promise<WireAnswer> {
    const url = new URL(path, base);
    const method = body === undefined ? 'GET' : 'POST';
    transport ??= openTransport({ tls: tlsOf(connection), proxy: undefined, limits: LIMITS });
    const headers = {
      accept,
      authorization: authorizationOf(connection),
      'user-agent': `muster/${deps.version}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await transport
      .send({ url, method, headers, body, signal: deps.signal, trusted: true })
      .catch((error: unknown) => {
        throw reported(error);
      });
    // A connection that breaks between reads is reported to the next reader.
    answer.body.on('error', () => undefined);
    await checkAnswer(answer);
    return answer;
  }

  /** An error of the connection, in the words of the command line. */
  function reported(error: unknown): unknown {
    if (error instanceof AppError) return error;
    const failed = failedTry(error, base.href, deps.signal);
    if (failed instanceof AppError) return failed;
    const message = failed.error.message
      .replaceAll('in ca_cert_chain', 'by --ca-file')
      .replaceAll('ca_cert_chain', '--ca-file')
      .replace('; ask for less at once, or raise request_timeout', '')
      .replace('; raise request_timeout if the system is slow', '');
    return new AppError('failed', message, { cause: error });
  }

  async function checkAnswer(answer: WireAnswer): Promise<void> {
    const { status, headers } = answer;
    const theirs = headers['muster-version'];
    if (theirs !== undefined) reportVersion(theirs);
    if (status >= 200 && status < 300 && theirs !== undefined) return;
    const text = await wholeText(answer.body, MOST_OF_AN_ERROR).catch(() => '');
    if (status >= 300 && status < 400) throw redirected(headers.location);
    const { message, code, details } = errorIn(text);
    if (code === undefined || message === undefined) throw noService(status);
    if (code === 'not_found' && theirs === undefined && message.startsWith('there is nothing at '))
      throw noService(status);
    if (code === 'not_found' && theirs !== undefined && message.startsWith('there is no operation '))
      throw unknownThere(theirs);
    throw new AppError(code, `${base.host}: ${message}`, { details });
  }

  function redirected(location: string | undefined): AppError {
    const to =
      location !== undefined && URL.canParse(location, base.href) ? new URL(location, base).origin : 'another address';
    return new AppError(
      'failed',
      `${base.href} redirects to ${to}, and credentials are not sent there; use that address if it is the service`,
    );
  }

  function noService(status: number): AppError {
    return new AppError(
      'failed',
      `${base.href} answers ${status} and is not a Muster service that takes commands; check the address, and REMOTE_COMMANDS of the service`,
    );
  }

  function unknownThere(theirs: string): AppError {
    return new AppError(
      'failed',
      `the service at ${base.host} does not know what "${deps.command()}" needs: it is Muster ${theirs}, this is ${deps.version}; update the older one`,
    );
  }

  function reportVersion(theirs: string): void {
    if (isVersionReported || comparable(theirs) === comparable(deps.version)) return;
    isVersionReported = true;
    deps.note(
      `The service at ${base.host} is Muster ${theirs}, this command ${deps.version}: update the older one where something does not fit.`,
    );
  }

  function requireCallable(operation: AnyOperation): void {
    if (isCallable(operation)) return;
    throw new UsageError(
      `${deps.command()} works on the machine of the store, and not through ${base.href}; run it there, or with --profile local here`,
    );
  }

  async function called(operation: AnyOperation, input: unknown, accept: string): Promise<WireAnswer> {
    requireCallable(operation);
    try {
      return await send(`api/operations/${operation.name}`, { body: JSON.stringify(input), accept });
    } catch (error) {
      throw stopped(error, operation);
    }
  }

  /** Users who stop a command need to know that the service does not. */
  function stopped(error: unknown, { effect }: AnyOperation): unknown {
    const isStopped = deps.signal.aborted;
    if (!isStopped || effect === 'read') return error;
    return new AppError(
      'cancelled',
      'stopped here; the service continues the call ("muster run active" shows it, "muster run cancel" stops it)',
      { cause: error },
    );
  }

  return {
    place: connection.profile === undefined ? base.href : `${connection.profile} (${base.href})`,
    async value<Input, Output>(operation: ValueOperation<Input, Output>, input: unknown, options: ExecuteOptions) {
      const known = operation as AnyOperation;
      const { body } = await called(known, input, LINES);
      options.checked?.(asChecked(operation, input));
      try {
        return (await resultIn(body, options, base.host)) as Output;
      } catch (error) {
        throw stopped(reported(error), known);
      }
    },
    async stream(operation, input): Promise<StreamAnswer> {
      const { headers, body } = await called(operation as AnyOperation, input, '*/*');
      return {
        mediaType: headers['content-type'] ?? '',
        unchanged: false,
        body: (async function* () {
          try {
            yield* body;
          } catch (error) {
            throw reported(error);
          }
        })(),
      };
    },
    async greeting() {
      const { body } = await send('api/operations', { accept: 'application/json' });
      return JSON.parse(await wholeText(body, MOST_OF_A_GREETING)) as Greeting;
    },
    close: async () => transport?.close(),
  };
}

const MOST_OF_AN_ERROR = 256 * 1024;
const MOST_OF_A_GREETING = 1024 * 1024;

const LIMITS = {
  connectSeconds: 10,
  answerSeconds: ANSWER_SECONDS,
  idleSeconds: IDLE_SECONDS,
  requestSeconds: 0,
  streamSeconds: 0,
  bytes: 0,
  streamBytes: 0,
  redirects: 0,
  concurrent: 4,
  pages: 0,
};

function tlsOf({ authorities }: Connection) {
  return authorities === undefined ? {} : { ca: authorities };
}

function authorizationOf({ login }: Connection): string {
  if (login.kind === 'token') return `Bearer ${login.token}`;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
}

/** Patches fit each other. */
function comparable(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** The input with its defaults, as views read it; the service has checked it. */
function asChecked<Input>({ input: schema }: ValueOperation<Input>, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : input;
}

interface Line {
  readonly progress?: Progress;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: ErrorCode; readonly details?: readonly ErrorDetail[] };
}

async function resultIn(body: AsyncIterable<Uint8Array>, { progress }: ExecuteOptions, host: string): Promise<unknown> {
  for await (const text of linesOf(body)) {
    if (text === '') continue;
    const line = JSON.parse(text) as Line;
    if (line.progress !== undefined) progress?.(line.progress);
    else if (line.error !== undefined) {
      const { code, message, details = [] } = line.error;
      throw new AppError(code, `${host}: ${message}`, { details });
    } else return line.result;
  }
  throw new AppError('failed', `${host} broke its answer off; "muster logs" shows how the work ended`);
}

function errorIn(text: string): { message?: string; code?: ErrorCode; details: readonly ErrorDetail[] } {
  try {
    const { message, code, details = [] } = JSON.parse(text) as Partial<NonNullable<Line['error']>>;
    return { ...(typeof message === 'string' && { message }), ...(typeof code === 'string' && { code }), details };
  } catch {
    return { details: [] };
  }
}
