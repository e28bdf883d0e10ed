import type * as z from 'zod';
import type { Http } from './http-client.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Logger } from './logger.ts';

/** The input of an action for one call. */
export interface ActionContext {
  /** Aborts when the caller goes away, or the action takes longer than `PLUGIN_TIMEOUT_SECONDS`. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly http: Http;
  /** Name of the calling user. */
  readonly user: string;
  /**
   * Runs an operation of Muster by its name, such as `search/search-hosts`, with the rights of the caller: role, read-only,
   * restriction to accounts, and audit. An action that reads may call only operations that read. Throws what the operation
   * throws, and `AppError('not_found')` for an unknown name.
   */
  operation(name: string, input: JsonObject): Promise<JsonValue>;
}

/** The entrances through which an action can be called. */
export interface ActionEntrances {
  /** `/api/v1/plugins/<plugin>/<action>`: GET with query parameters for one that reads, POST with a JSON object for others. */
  readonly rest?: boolean;
  /** `muster plugin run <plugin> <action>` */
  readonly command?: boolean;
  /** A tool for LLM clients, called `plugin_<plugin>_<action>`. */
  readonly tool?: boolean;
  /** Pages of the same plugin may call it. */
  readonly page?: boolean;
}

/**
 * Something that can be asked of a plugin, declared once for all entrances: roles, validation, read-only users, restrictions and audit
 * are those of every operation.
 */
export interface PluginAction<Input = unknown> {
  /** Lower-case words joined by dashes, `rack-report`. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences for help, API documentation and tool lists. */
  readonly description: string;
  /** `destructive` takes something away; both it and `write` are refused to read-only users. */
  readonly effect: 'read' | 'write' | 'destructive';
  /** The caller needs one of these: `objects`, `rules`, `syncer`, `automation`, or `admin` for administrators alone. */
  readonly roles: readonly string[];
  /**
   * True if everything it shows and changes passes through `operation`, so that users restricted to accounts may call it. Such
   * callers are refused otherwise.
   */
  readonly withinAccounts?: true;
  readonly at: ActionEntrances;
  /** A strict object. Members come as text from commands and query parameters, so they coerce. */
  readonly input: z.ZodType<Input>;
  /** An object; what does not match it is a fault of the plugin. */
  readonly output: z.ZodType;
  run(input: Input, context: ActionContext): Promise<JsonObject> | JsonObject;
}
