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
  /** What the work printed since the last call, where it prints. */
  readonly output?: string;
}

/** What a call is given; `Services` are those of the room. */
export interface OperationContext<Services = KernelServices> {
  readonly services: Services;
  readonly caller: Caller;
  /**
   * Who calls, by credentials of a user. Where an operation decides itself who may call it, they are looked at now and not before:
   * nobody's password is tried where something else decides. Throws why nobody is known.
   */
  identify(): Promise<Caller>;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
  /**
   * An operation says so before it takes so many characters of JSON apart. Where many wait for one thread and it is much,
   * this throws, and the operation is done once more on another thread. Nothing may have been written before.
   */
  holds(characters: number): void;
  /** How many characters of JSON whoever asked takes at most; the operation ends its answer there and says how to continue. Absent: its own limit counts. */
  readonly answerCharacters?: number;
  /**
   * The rest of a streamed answer, made on another thread, where there is one: for what turns out to be too large for this one. The
   * input is that of the same operation.
   */
  continued?(input: unknown): Promise<StreamAnswer>;
  /**
   * What the audit log names as the thing acted upon, as soon as the operation has found it: instead of `subject`, which knows
   * the input only, whether the operation then succeeds or fails.
   */
  actsOn(subject: string): void;
}

/** The media type of bytes that are compressed or encrypted already: nobody compresses them once more. */
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
   * The caller needs one of these. `admin` means a global administrator, `administrator` one or whoever holds `all`, without a
   * restriction to accounts. An operation that takes other credentials than a
   * user's decides itself, about read-only users too, and is never offered at the tool server.
   */
  readonly roles: readonly string[] | 'decided-by-operation';
  /** Where it appears, and how. At the tool server, where the role `mcp` stands for all others, what does not appear is refused. */
  readonly at: Entrances<NoInfer<Input>, NoInfer<Output>>;
  /**
   * True acts on hosts of all accounts at once: refused to who is restricted to accounts. What is for administrators need not
   * say it, since who is restricted is none.
   */
  readonly acrossAccounts?: true;
  /**
   * `heavy` work (large bodies, renderings, imports) runs on a worker thread in the service. So does a `preview`, which
   * stores nothing and tries out what nobody has checked yet: it is ended when it takes too long.
   */
  readonly weight: 'light' | 'heavy' | 'preview';
  /** True when the call with this input, before it is checked, is a preview although others are not. */
  previews?(input: Readonly<Record<string, unknown>>): boolean;
  readonly input: z.ZodType<Input>;
  /** What the audit log names as the thing acted upon, unless the operation says more of it; see `OperationContext.actsOn`. */
  subject?(input: Input): string;
  /** Whether an answer tells of a failure: the audit log keeps it as `failed`, although nothing was thrown. */
  hasFailed?(answer: NoInfer<Output>): boolean;
  /** True keeps reads in the audit log too (those that show secrets). */
  readonly auditReads?: boolean;
  /** Whether a read with this input is kept, where it depends on that whether it shows secrets. */
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
