import type * as z from 'zod';
import type { ErrorCode } from '../../ports/index.ts';
import type { Config } from './config/schema.ts';
import type { Print } from './print.ts';

/** How an operation appears at each entrance. What it does not name, it does not appear at. */
export interface Entrances<Input, Output> {
  readonly rest?: RestEntry<Output>;
  readonly command?: CommandEntry<Input, Output> | readonly CommandEntry<Input, Output>[];
  readonly tool?: ToolEntry;
  /** True lets the pages call it. */
  readonly page?: boolean;
  /** True if commands on other machines may call it although neither pages nor REST offer it (`isCallable`). */
  readonly remote?: true;
}

/** One method and path below /api/v1, and how a request becomes the input. */
export interface RestEntry<Output = unknown> {
  /** `GET /objects/:hostname/history`: parameters are members of the input under that name. */
  readonly path: `${'GET' | 'POST' | 'DELETE'} /${string}`;
  /** Further paths that answer the same and that the documentation leaves out. */
  readonly aliases?: readonly `/${string}`[];
  /** Another path of the same method, whose requests with this query parameter are for this operation. */
  readonly asQuery?: { readonly path: `/${string}`; readonly parameter: string };
  /** The path for which roles are granted, as named in refusals; absent: the first part of the path. */
  readonly basePath?: `/${string}`;
  /** Members of the input that are query parameters. Their documentation is that of the input. */
  readonly query?: readonly string[];
  /** `optional`: an empty body counts as an empty object. Absent: there is none. */
  readonly body?: 'required' | 'optional';
  /** Member of the input that the whole JSON body becomes; its own members are the input's when absent. */
  readonly bodyMember?: string;
  /** Member of the input that a `text/plain` body becomes; JSON only when absent. */
  readonly textMember?: string;
  /** Member of the input that the bytes of the body become, of whatever type they are. */
  readonly bytesMember?: string;
  /** Largest body, where the route takes less than others. */
  readonly maxBodyBytes?: number;
  /** JSON Schema of the JSON body, where the input says less than the documentation should; its title names it there. */
  readonly bodySchema?: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Headers that become members of the input, by member. */
  readonly headers?: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  /** True if no credentials are checked before the operation, which decides who may call it; see `OperationContext.identify`. */
  readonly anonymous?: boolean;
  /** Member of the input that takes the tags of `If-None-Match`. */
  readonly tagsMember?: string;
  /** The shape that the interface pins, made of the output where that holds more; with its schema. Not for streams. */
  answer?(output: Output): unknown;
  readonly output?: z.ZodType;
  /** Documented statuses of success; 200 when absent. */
  readonly statuses?: readonly number[];
  /** Chooses one of them; the first when absent. */
  status?(answer: Output): number;
  /** Error codes in addition to those that every route can answer with. */
  readonly errors?: readonly ErrorCode[];
  /** How clients and caches may keep the answer; `no-store` when absent. */
  readonly cacheControl?: string;
  /** Media type of a stream, if it is not JSON. */
  readonly mediaType?: string;
  /** Why the path does not exist with this configuration; it answers so before anything else. */
  missing?(config: Pick<Config, 'CMDB_MODE'>): string | undefined;
}

/** A tool for LLM clients. */
export interface ToolEntry {
  readonly name: string;
  /** Absent: the description of the operation. */
  readonly description?: string;
  /** True when a write may replace what is there; operations that take something away need not say so. */
  readonly replaces?: boolean;
  /** Needed for writes; a read always is. */
  readonly idempotent?: boolean;
  /** How to get what an answer has no room for: a sentence without its full stop. */
  readonly rest?: string;
}

/**
 * The text of an argument or option as a list of all that were given, as the absolute path of a file, or as a whole number; `zero`
 * is a word that stands for 0.
 */
export type ParsedAs = 'list' | 'path' | { readonly from: number; readonly to?: number; readonly zero?: string };

export interface CommandArgument {
  /** `<hostname>`, or `[session]` for one that may be left out. */
  readonly shown: string;
  readonly description: string;
  /** The text itself when absent. */
  readonly parse?: ParsedAs;
}

/** An option of a command, by the member of the input that it becomes. */
export interface CommandOption {
  /** `--limit <n>`, as the help shows it. */
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
  /** The text itself when absent. */
  readonly parse?: ParsedAs;
  /** The value without the option, if the command has another default than the operation. */
  readonly default?: string | number;
}

/** Everything known of a command without its operation: the contents of its help, and how arguments and options are read. */
export interface CommandUsage {
  /** `host history` */
  readonly words: string;
  /** Absent: the description of the operation. */
  readonly description?: string;
  /** For the list of commands, where the description is too long for it. */
  readonly summary?: string;
  /** In their order, by the member of the input that each becomes. */
  readonly arguments?: Readonly<Record<string, CommandArgument>>;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Members of the input that are always the same here. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The option with which the command logs on the error stream what it is quiet about otherwise. */
  readonly logsMore?: string;
  /**
   * How the command uses the storage; absent: it must exist. `unused` leaves it closed; `optional` uses an existing one, and
   * treats one that does not start as empty; `tried` works on something else, and opens an existing one for the audit log only.
   * With a member of the input, the command continues if the storage does not start, and the member gives the reason.
   */
  readonly storage?: 'unused' | 'optional' | 'tried' | { readonly failure: string };
  /**
   * Names of the columns (`columnNames`), where the view shows a list by `print.table`: people choose columns, order and form of it
   * then, by `-o`, `--columns` and `--sort`.
   */
  readonly columns?: readonly string[];
  /** The help text for `--json`: `answer the changes as JSON`. */
  readonly json: string;
  readonly examples: readonly string[];
}

/**
 * A command of the command line. Arguments and options become members of the input; `--json` answers the output. Commands that
 * ask people, read files or stream are part of the command line itself.
 */
export interface CommandEntry<Input, Output> extends CommandUsage {
  /** Why the options that were given do not go together; the command was called wrongly then. */
  misuse?(input: Partial<Input>): string | undefined;
  /** Title of the bar that shows how far long work is. */
  progress?(input: Partial<Input>): string;
  /** Returns the part of the output that `--json` answers; absent: all of it. */
  answered?(output: Output, input: Input): unknown;
  /** Shows the output to a person. */
  view(output: Output, print: Print, input: Input): void | Promise<void>;
  /** Prints the outcome for the person, also with `--json`, and reports whether the command failed. */
  outcome?(output: Output, print: Print, input: Input): void;
}
