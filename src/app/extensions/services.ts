import type { Http, JsonObject, JsonValue } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { type AnyOperation, operationsOf } from '../kernel/operation.ts';
import type { KernelServices } from '../kernel/services.ts';

/** Which operations a call may reach. */
interface CallLimits {
  readonly signal: AbortSignal;
  /** The effects that the operation may have. */
  readonly effects: readonly AnyOperation['effect'][];
}

/** The services for actions of plugins. */
export interface ExtensionServices extends KernelServices {
  readonly http: Http;
  /** Calls an operation of Muster by its name, through the executor, as the caller. */
  callOperation(name: string, input: JsonObject, caller: Caller, limits: CallLimits): Promise<JsonValue>;
}

export const { defineOperation } = operationsOf<ExtensionServices>();
