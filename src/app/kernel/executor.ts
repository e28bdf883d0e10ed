import { parseJsonBody } from '../../kit/json/json-body.ts';
import { issueSentence, PLAIN_MESSAGES } from '../../kit/plain-message.ts';
import { detailOf, placed, worded } from '../../kit/worded.ts';
import { AppError, type Wording } from '../../ports/index.ts';
import type { NewAuditEntry } from './audit-entry.ts';
import { type Caller, TOOL_ROLE } from './caller.ts';
import { cutAnswer } from './cut-answer.ts';
import { type Access, type Denial, denialOf } from './may.ts';
import type {
  AnyOperation,
  OperationContext,
  Progress,
  StreamAnswer,
  StreamOperation,
  ValueOperation,
} from './operation.ts';
import type { KernelServices } from './services.ts';

/**
 * The input given by an entrance: a value, or the bytes of a body that is parsed in the thread that runs the operation (and may
 * be transferred to it), overlaid with `members` from path and query. The body's members become the input's, or the whole body
 * becomes its `bodyMember`.
 */
export type OperationInput =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'json';
      readonly body: Uint8Array;
      readonly members: Readonly<Record<string, unknown>>;
      readonly bodyMember?: string;
    };

/** Parsing a larger body would hold up everybody else, so it makes any operation a heavy one. */
const LARGE_BODY_BYTES = 256 * 1024;

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
  /** Called with the checked input just before the operation runs; not called if it runs on another thread. */
  readonly checked?: (input: unknown) => void;
  /** See `OperationContext.answerCharacters`; what the operation answers beyond it is cut. */
  readonly answerCharacters?: number;
  /** Looks at the credentials of a caller who is not known yet, once at most. */
  readonly identify?: () => Promise<Caller>;
}

/** The executor's options for the runner of operations on another thread. */
export interface OperationRunOptions extends ExecuteOptions {
  /** True if it tries out unchecked input: it must not take long, and others must not have to wait for it. */
  readonly isPreview?: boolean;
  /** True to get the JSON text instead of the value; a stream of its pieces if it is long. */
  readonly asJson?: boolean;
  /** Memory that it is known to hold in addition to its body, in characters. */
  readonly holds?: number;
}

/** Runs heavy operations elsewhere, where an executor of its own validates and audits them. */
export interface OperationRunner {
  /**
   * Returns the operation's result or throws its error. Throws `OperationLost` if it was not run, or not to its end, so that
   * there is no audit entry of it.
   */
  run(operation: AnyOperation, input: OperationInput, caller: Caller, options: OperationRunOptions): Promise<unknown>;
}

/** Why an operation did not run, or what broke it off: something that no other executor keeps in the audit log. */
export class OperationLost extends Error {
  override readonly name = 'OperationLost';
  readonly reason: AppError;

  constructor(reason: AppError) {
    super(reason.message, { cause: reason });
    this.reason = reason;
  }
}

export interface Executor {
  /** Throws when the caller may not use the operation at all, before any input is looked at. Keeps the refusal in the audit log. */
  authorise(operation: AnyOperation, caller: Caller): void;
  value<Input, Output>(
    operation: ValueOperation<Input, Output>,
    input: OperationInput,
    caller: Caller,
    options?: ExecuteOptions,
  ): Promise<Output>;
  /** The answer as JSON text, made where the operation runs; a stream when it is long and was made elsewhere. */
  json<Input, Output>(
    operation: ValueOperation<Input, Output>,
    input: OperationInput,
    caller: Caller,
    options?: ExecuteOptions,
  ): Promise<string | StreamAnswer>;
  stream<Input>(
    operation: StreamOperation<Input>,
    input: OperationInput,
    caller: Caller,
    options?: ExecuteOptions,
  ): Promise<StreamAnswer>;
}

export interface ExecutorDeps {
  readonly services: KernelServices;
  /** Absent: heavy operations run here (commands, worker threads, stores of one process). */
  readonly heavy?: OperationRunner;
}

/** The one place where operations are authorised, validated, run and audited. */
export function createExecutor(deps: ExecutorDeps): Executor {
  const { services } = deps;
  /** Until when an operation that met very large records is done elsewhere at once: each further call would read some here first. */
  const largeUntil = new Map<string, number>();

  function authorise(operation: AnyOperation, caller: Caller): void {
    const refusal = refusalOf(operation, caller);
    if (refusal === undefined) return;
    audit(services, operation, caller, '', refusal.code);
    throw refusal;
  }

  async function execute(
    operation: AnyOperation,
    input: OperationInput,
    caller: Caller,
    options: OperationRunOptions,
  ): Promise<unknown> {
    authorise(operation, caller);
    const { heavy } = deps;
    if (heavy !== undefined) {
      const isPreview = isPreviewOf(operation, input);
      if (isPreview || operation.weight === 'heavy' || hasLargeBody(input) || isLarge(operation.name)) {
        return runElsewhere(heavy, operation, input, caller, { ...options, isPreview });
      }
    }
    let subject = '';
    let parsed: unknown;
    let known = caller;
    const identify = async (): Promise<Caller> => {
      if (options.identify !== undefined) known = await options.identify();
      if (known.refusal !== undefined) throw known.refusal;
      return known;
    };
    try {
      parsed = parseInput(operation, input);
      options.checked?.(parsed);
      subject = operation.subject?.(parsed as never) ?? '';
      let outcome = 'done';
      const answered = (answer: unknown): void => {
        if (operation.hasFailed?.(answer as never) === true) outcome = 'failed';
      };
      const answer = await answerOf(
        operation,
        options,
        answered,
      )(parsed as never, {
        services,
        caller,
        identify,
        signal: options.signal ?? NEVER_ABORTED,
        progress: options.progress ?? ignoreProgress,
        holds: heavy === undefined ? ignoreSize : refuseLarge,
        ...(options.answerCharacters !== undefined && { answerCharacters: options.answerCharacters }),
        ...(heavy !== undefined && {
          continued: (rest: unknown) =>
            runElsewhere(heavy, operation, { kind: 'value', value: rest }, caller, {
              ...options,
              holds: LARGE_STREAM_CHARACTERS,
            }) as Promise<StreamAnswer>,
        }),
        actsOn(found) {
          subject = found;
        },
      });
      if (operation.effect !== 'read' && !triesOut(parsed)) {
        // A write is not confirmed while the audit log could lose it.
        await services.audit.kept(entryOf(services, operation, known, subject, outcome));
      } else if (isAudited(operation, services, parsed)) audit(services, operation, known, subject, outcome);
      return answer;
    } catch (error) {
      if (error instanceof TooLargeHere && heavy !== undefined) {
        if (error.characters > VERY_LARGE_CHARACTERS)
          largeUntil.set(operation.name, performance.now() + LARGE_MILLISECONDS);
        return runElsewhere(heavy, operation, input, caller, { ...options, holds: error.characters });
      }
      const code = error instanceof AppError ? error.code : 'internal';
      if (isAudited(operation, services, parsed)) audit(services, operation, known, subject, code);
      throw error;
    }
  }

  function isLarge(name: string): boolean {
    const until = largeUntil.get(name);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    largeUntil.delete(name);
    return false;
  }

  async function runElsewhere(
    runner: OperationRunner,
    operation: AnyOperation,
    input: OperationInput,
    caller: Caller,
    options: OperationRunOptions,
  ): Promise<unknown> {
    try {
      return await runner.run(operation, input, caller, options);
    } catch (error) {
      if (!(error instanceof OperationLost)) throw error;
      const { reason } = error;
      const isTrial = operation.effect !== 'read' && triesOut(inputOf(input));
      if (!isTrial && isAudited(operation, services, undefined))
        audit(services, operation, caller, subjectOf(operation, input), reason.code);
      throw reason;
    }
  }

  return {
    authorise,
    value: (operation, input, caller, options = {}) =>
      execute(operation as AnyOperation, input, caller, options) as Promise<never>,
    json: (operation, input, caller, options = {}) =>
      execute(operation as AnyOperation, input, caller, { ...options, asJson: true }) as Promise<string | StreamAnswer>,
    stream: (operation, input, caller, options = {}) =>
      execute(operation as AnyOperation, input, caller, options) as Promise<StreamAnswer>,
  };
}

function refusalOf(operation: AnyOperation, caller: Caller): AppError | undefined {
  const access = caller.entrance === 'mcp' ? toolAccess(operation) : operation;
  const denial = denialOf(caller, access);
  return denial === undefined ? undefined : new AppError(denial, REFUSALS[denial](operation, caller, access));
}

/** At the tool server one role stands for all but administrators, and only for what is offered as a tool. */
function toolAccess({ effect, roles, acrossAccounts, at }: AnyOperation): Access {
  const isOffered = at.tool !== undefined && roles !== 'decided-by-operation';
  const needed = isOffered && roles.includes('administrator') ? (['administrator'] as const) : [TOOL_ROLE];
  return { effect, roles: isOffered ? needed : [], ...(acrossAccounts && { acrossAccounts }) };
}

const REFUSALS: Readonly<Record<Denial, (operation: AnyOperation, caller: Caller, access: Access) => Wording>> = {
  role_missing: ({ title }, { path }, { roles }) => {
    const [role, ...others] = roles;
    // The caller may hold every role of the paths.
    if (role === 'admin' && others.length === 0)
      return worded`User has no api_role granting ${{ path }}; "${{ title }}" is for global administrators`;
    if (role === 'administrator' && others.length === 0)
      return worded`User has no api_role granting ${{ path }}; "${{ title }}" is for administrators`;
    return worded`User has no api_role granting ${{ path }}`;
  },
  read_only: ({ title }, { name }) => worded`User ${{ name }} may only read; ${{ title }} changes data`,
  forbidden: ({ title }) =>
    worded`${{ title }}: this acts on hosts of all accounts, and you are restricted to some; ask an unrestricted user`,
};

function parseInput(operation: AnyOperation, input: OperationInput): unknown {
  const result = operation.input.safeParse(rawInput(input), PLAIN_MESSAGES);
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => detailOf(issue.path.map(String).join('.'), issueSentence(issue)));
  const [first] = details;
  throw new AppError('invalid_input', first === undefined ? worded`the input is invalid` : placed(first), { details });
}

function rawInput(input: OperationInput): unknown {
  if (input.kind === 'value') return input.value;
  const body = parseJsonBody(input.body);
  if (input.bodyMember !== undefined) return { [input.bodyMember]: body, ...input.members };
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body, ...input.members };
  throw new AppError('invalid_input', worded`the body must be a JSON object`);
}

type Answering = (input: never, context: OperationContext) => Promise<unknown>;

/** Calls `answered` with the value, whether that or its text is wanted. */
function answerOf(
  operation: AnyOperation,
  { asJson, answerCharacters: most }: OperationRunOptions,
  answered: (answer: unknown) => void,
): Answering {
  if (operation.answer === 'stream') return (input, context) => operation.run(input, context);
  const { json, at } = operation;
  if (asJson === true && json !== undefined) return (input, context) => json(input, context);
  return async (input, context) => {
    const answer = await operation.run(input, context);
    answered(answer);
    if (asJson === true) return JSON.stringify(answer);
    return most === undefined ? answer : cutAnswer(answer, most, { schema: operation.output, rest: at.tool?.rest });
  };
}

/** Whether the call only tries something out. If the body requests that, it is small. */
function isPreviewOf(operation: AnyOperation, input: OperationInput): boolean {
  if (operation.weight === 'preview') return true;
  if (operation.previews === undefined) return false;
  // Undefined for a large body, or for one that is refused when the operation runs.
  const raw = inputOf(input);
  return typeof raw === 'object' && raw !== null && operation.previews(raw as Readonly<Record<string, unknown>>);
}

/** Whether the input asks for a dry run: it changes nothing, so the audit log does not count it as a write. */
function triesOut(parsed: unknown): boolean {
  return typeof parsed === 'object' && parsed !== null && 'dry_run' in parsed && parsed.dry_run === true;
}

/** The input as far as it is known without parsing a large body. */
function inputOf(input: OperationInput): unknown {
  if (hasLargeBody(input)) return undefined;
  try {
    return rawInput(input);
  } catch {
    return undefined;
  }
}

/** Whether a call is audited. If showing secrets depends on the input, a read with refused input shows none. */
function isAudited(operation: AnyOperation, services: KernelServices, parsed: unknown): boolean {
  if ((operation.effect !== 'read' && !triesOut(parsed)) || operation.auditReads === true) return true;
  return parsed !== undefined && operation.auditsRead?.(parsed as never, services) === true;
}

/** Returns the subject of an operation that never ran, as far as it is known without parsing a body. */
function subjectOf(operation: AnyOperation, input: OperationInput): string {
  const result = operation.input.safeParse(input.kind === 'value' ? input.value : inputWithBody(input));
  return result.success ? (operation.subject?.(result.data as never) ?? '') : '';
}

function inputWithBody({ members, bodyMember }: Extract<OperationInput, { kind: 'json' }>): unknown {
  return bodyMember === undefined ? members : { [bodyMember]: null, ...members };
}

function hasLargeBody(input: OperationInput): boolean {
  return input.kind === 'json' && input.body.length > LARGE_BODY_BYTES;
}

function audit(
  services: KernelServices,
  operation: AnyOperation,
  caller: Caller,
  subject: string,
  outcome: string,
): void {
  const entry = entryOf(services, operation, caller, subject, outcome);
  // Anybody can cause any number of refusals.
  if (caller.refusal !== undefined && outcome !== 'done') services.anonymousRefusals.audit(entry);
  else services.audit.keep(entry);
}

function entryOf(
  services: KernelServices,
  operation: AnyOperation,
  caller: Caller,
  subject: string,
  outcome: string,
): NewAuditEntry {
  return {
    id: services.newId(),
    at: services.clock.now(),
    actor: caller.name,
    entrance: caller.entrance,
    address: caller.address,
    operation: operation.name,
    subject,
    outcome,
    requestId: caller.requestId,
  };
}

/**
 * One signal for all calls without one: making one costs as much as reading a host. No call keeps listeners on it after its end.
 */
const NEVER_ABORTED = new AbortController().signal;

function ignoreProgress(): void {}

/** Thrown out of an operation that found a record which only another thread may take apart. */
class TooLargeHere extends Error {
  readonly characters: number;

  constructor(characters: number) {
    super('this is done on another thread');
    this.characters = characters;
  }
}

/** Taking apart more than this would hold up everybody else. */
const LARGE_CHARACTERS = 128 * 1024;
/** Reading more than this takes milliseconds, before anything is taken apart. */
const VERY_LARGE_CHARACTERS = 1024 * 1024;
const LARGE_MILLISECONDS = 2_000;
/** Memory that a stream of large records holds at a time: a page of the storage, the largest record, and its bytes in transit. */
const LARGE_STREAM_CHARACTERS = 16 * 1024 * 1024;

function refuseLarge(characters: number): void {
  if (characters > LARGE_CHARACTERS) throw new TooLargeHere(characters);
}

function ignoreSize(): void {}
