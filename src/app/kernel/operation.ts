import type * as z from 'zod';
import type { Caller } from './caller.ts';
import type { Entrances } from './entrances.ts';
import type { KernelServices } from './services.ts';

/** `destructive` takes something away; both it and `write` are refused to read-only users. */
type Effect = 'read' | 'write' | 'destructive';

/** How far long work is. `total` is absent while unknown. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly unit: 'bytes' | 'hosts' | 'rules' | 'records';
  readonly note?: string;
  /** Text that the work printed since the last call, if it prints. */
  readonly output?: string;
}

/** The context of a call; `Services` are those of the room. */
export interface OperationContext<Services = KernelServices> {
  readonly services: Services;
  readonly caller: Caller;
  /**
   * Identifies the caller by credentials of a user. If an operation decides itself who may call it, they are checked now and not
   * earlier, so that no password is tried when something else decides. Throws the reason if the caller is not known.
   */
  identify(): Promise<Caller>;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
  /**
   * Announces that the operation is about to parse this number of characters of JSON. If many calls wait for one thread and the
   * number is large, this throws, and the operation is run again on another thread. It must not have written anything before.
   */
  holds(characters: number): void;
  /**
   * Maximum number of characters of JSON that the caller takes; the operation ends its answer there and says how to continue.
   * Absent: its own limit applies.
   */
  readonly answerCharacters?: number;
  /**
   * Returns the rest of a streamed answer, made on another thread if there is one: for an answer that proves too large for this
   * one. The input is that of the same operation.
   */
  continued?(input: unknown): Promise<StreamAnswer>;
  /**
   * Sets the subject for the audit log as soon as the operation has found it, whether it then succeeds or fails: it replaces
   * `subject`, which knows only the input.
   */
  actsOn(subject: string): void;
}

/** The media type of bytes that are compressed or encrypted already and must not be compressed again. */
export const PACKED_TYPE = 'application/octet-stream';

/** An answer that is produced while it is sent: chunks of text, or of its UTF-8 bytes, of one media type. */
export interface StreamAnswer {
  readonly mediaType: string;
  /** A strong entity tag, quoted, when the answer has one. */
  readonly etag?: string;
  /** True when the caller already has the answer with this tag; `body` is empty then. */
  readonly unchanged: boolean;
  readonly body: AsyncIterable<string | Uint8Array>;
}

interface OperationDeclaration<Input, Output, Services> {
  /** `<area>/<verb-noun>`, the same words everywhere. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences for help, API documentation and tool lists. */
  readonly description: string;
  readonly effect: Effect;
  /**
   * Roles of which the caller needs one. `admin` means a global administrator, `administrator` a global administrator or a holder
   * of `all`, without a restriction to accounts. An operation that takes other credentials than a user's decides itself, about
   * read-only users too, and is never offered at the tool server.
   */
  readonly roles: readonly string[] | 'decided-by-operation';
  /**
   * The entrances that offer it, and their settings. The tool server, whose role `mcp` replaces all others, refuses operations
   * that it does not offer.
   */
  readonly at: Entrances<NoInfer<Input>, NoInfer<Output>>;
  /**
   * True if it acts on hosts of all accounts at once: callers restricted to accounts are refused. Operations for administrators
   * need not set it, since restricted callers are not administrators.
   */
  readonly acrossAccounts?: true;
  /**
   * `heavy` work (large bodies, renderings, imports) runs on a worker thread in the service. So does a `preview`, which
   * stores nothing and tries out unchecked input: it is ended if it takes too long.
   */
  readonly weight: 'light' | 'heavy' | 'preview';
  /** True when the call with this input, before it is checked, is a preview although others are not. */
  previews?(input: Readonly<Record<string, unknown>>): boolean;
  readonly input: z.ZodType<Input>;
  /** Returns the subject for the audit log, unless the operation sets a more specific one; see `OperationContext.actsOn`. */
  subject?(input: Input): string;
  /** Whether an answer reports a failure: the audit log keeps it as `failed`, although nothing was thrown. */
  hasFailed?(answer: NoInfer<Output>): boolean;
  /** True keeps reads in the audit log too (those that show secrets). */
  readonly auditReads?: boolean;
  /** Whether a read with this input is kept, if the input determines whether it shows secrets. */
  auditsRead?(input: Input, services: Services): boolean;
}

export interface ValueOperation<Input = unknown, Output = unknown, Services = KernelServices>
  extends OperationDeclaration<Input, Output, Services> {
  readonly answer: 'value';
  readonly output: z.ZodType<Output>;
  run(input: Input, context: OperationContext<Services>): Promise<Output>;
  /** The JSON text of what `run` answers, where that spares taking stored text apart. */
  json?(input: Input, context: OperationContext<Services>): Promise<string>;
}

export interface StreamOperation<Input = unknown, Services = KernelServices>
  extends OperationDeclaration<Input, unknown, Services> {
  readonly answer: 'stream';
  /** Schema of the streamed JSON document, for documentation and tests. */
  readonly output: z.ZodType;
  /** True makes one answer for all who ask the same at the same time, which needs that they are on one thread. */
  readonly isShared?: true;
  run(input: Input, context: OperationContext<Services>): Promise<StreamAnswer>;
}

export type AnyOperation<Services = KernelServices> =
  | ValueOperation<unknown, unknown, Services>
  | StreamOperation<unknown, Services>;

/** A name that the compiler knows, and whether the pages may call it: the types of the pages are made of these. */
interface Named<Name extends string, Page extends boolean> {
  readonly name: Name;
  readonly at: { readonly page?: Page };
}

/** How a room declares its operations, which work with its services. Only the executor calls `run`. */
interface Definitions<Services> {
  /** Declares an operation that answers a value. */
  defineOperation<Name extends string, Input, Output, Page extends boolean = false>(
    declaration: Omit<ValueOperation<Input, Output, Services>, 'answer'> & Named<Name, Page>,
  ): ValueOperation<Input, Output, Services> & Named<Name, Page>;
  /** Declares an operation that answers a stream of text. */
  defineStreamOperation<Name extends string, Input, Page extends boolean = false>(
    declaration: Omit<StreamOperation<Input, Services>, 'answer'> & Named<Name, Page>,
  ): StreamOperation<Input, Services> & Named<Name, Page>;
}

export function operationsOf<Services extends KernelServices>(): Definitions<Services> {
  return {
    defineOperation: (declaration) => ({ ...declaration, answer: 'value' }),
    defineStreamOperation: (declaration) => ({ ...declaration, answer: 'stream' }),
  };
}

/** Another name of an operation, with an input of its own. What it leaves out is as the operation has it. */
type SecondName<Given, Answer, Input, Output, Services> = Pick<
  OperationDeclaration<Given, Answer, Services>,
  'title' | 'description' | 'at' | 'input' | 'subject'
> &
  Partial<Pick<ValueOperation<Given, Answer, Services>, 'roles' | 'output'>> & {
    /** For whom the operation runs, when that is not the caller. Throws when the caller may not ask. */
    as?(caller: Caller): Caller;
    becomes(given: Given, caller: Caller): Input;
    /** The answer under this name; that of the operation when absent. */
    answers?(answer: Output, given: Given): Answer;
  };

/** Declares a name under which scripts and pages call a case of an operation, and under which the audit log keeps it. */
export function secondName<
  Name extends string,
  Given,
  Input,
  Output,
  Services,
  Answer = Output,
  Page extends boolean = false,
>(
  operation: ValueOperation<Input, Output, Services>,
  { as, becomes, answers, ...declaration }: SecondName<Given, Answer, Input, Output, Services> & Named<Name, Page>,
): ValueOperation<Given, Answer, Services> & Named<Name, Page> {
  const { effect, roles, acrossAccounts, weight, output } = operation;
  return {
    ...{ answer: 'value', effect, roles, ...(acrossAccounts && { acrossAccounts }), weight, output: output as never },
    ...declaration,
    async run(given, context) {
      const caller = as?.(context.caller) ?? context.caller;
      const answer = await operation.run(becomes(given, caller), { ...context, caller });
      return answers === undefined ? (answer as never) : answers(answer, given);
    },
  };
}
