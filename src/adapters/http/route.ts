import type { AnyOperation, StreamOperation, ValueOperation } from '../../app/execution/operation.ts';
import type { ErrorCode } from '../../ports/index.ts';

/** A query parameter and the member of the operation's input that it becomes. */
export interface QueryParameter {
  /** Member of the input; the parameter's own name when absent. */
  readonly member?: string;
  /** A `flag` is 1, true, yes or on; or 0, false, no, off or empty. A `text` is handed over as it is. */
  readonly kind: 'text' | 'flag';
  readonly description: string;
  /** JSON Schema for the documentation; text or boolean when absent. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** One method and path, and how they become a call of an operation. No business rule stands here. */
export interface OperationRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters as `:name`; they are members of the input under that name. */
  readonly path: string;
  /** The path that roles are granted for; stands in refusals. */
  readonly basePath: string;
  readonly operation: AnyOperation;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** `optional`: an empty body counts as an empty object. */
  readonly body: 'none' | 'required' | 'optional';
  /** Member of the input that the whole JSON body becomes; its own members are the input's when absent. */
  readonly bodyMember?: string;
  /** Member of the input that a `text/plain` body becomes; JSON only when absent. */
  readonly textMember?: string;
  /** Member of the input that the bytes of the body become, of whatever type they are. */
  readonly bytesMember?: string;
  /** Largest body, where the route takes less than others. */
  readonly maxBodyBytes?: number;
  /** Headers that become members of the input, by member. */
  readonly headers?: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  /** Nobody's credentials are looked at before the operation, which decides who may call it; see `OperationContext.identify`. */
  readonly anonymous?: boolean;
  /** JSON Schema of the JSON body, where the operation's input says less than its documentation should. */
  readonly bodySchema?: Readonly<Record<string, unknown>>;
  /** Member of the input that takes the tags of `If-None-Match`. */
  readonly tagsMember?: string;
  /** Documented statuses of success. */
  readonly statuses: readonly number[];
  /** Chooses one of them; the first when absent. */
  status?(answer: unknown): number;
  /** Codes of failure besides those that every route can answer with. */
  readonly errors: readonly ErrorCode[];
  /** How clients and caches may keep the answer; `no-store` when absent. */
  readonly cacheControl?: string;
  /** Absent from the documentation: another path for the same thing. */
  readonly alias?: boolean;
  /** The route does not exist now: it answers so before anything else. */
  readonly missing?: string;
}

type Declaration = Pick<OperationRoute, 'method' | 'path' | 'basePath'> &
  Partial<Omit<OperationRoute, 'method' | 'path' | 'basePath' | 'operation' | 'status'>>;

/** Declares a route. `status` sees the typed answer of an operation that answers a value. */
export function route<Input, Output>(
  operation: ValueOperation<Input, Output> | StreamOperation<Input>,
  declaration: Declaration & { status?(answer: Output): number },
): OperationRoute {
  const { status, ...rest } = declaration;
  return {
    query: {},
    body: 'none',
    statuses: [200],
    errors: [],
    ...rest,
    operation: operation as unknown as AnyOperation,
    ...(status === undefined ? {} : { status: (answer: unknown) => status(answer as Output) }),
  };
}
