import type * as z from 'zod';
import type { AnyOperation, StreamOperation, ValueOperation } from '../../app/execution/operation.ts';
import { parseArguments } from './arguments.ts';
import type { OperationCall } from './operation-call.ts';
import { type ObjectSchema, objectSchema } from './schemas.ts';

/** What a client may tell its user about a tool before calling it. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  /** It may take something away or replace it. */
  readonly destructiveHint: boolean;
  /** The same call again changes nothing more. */
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** An operation as a tool: names of arguments and shapes of answers. No business rule stands here. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: AnyOperation;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly hints: ToolHints;
  /** Checks the arguments and answers what `outputSchema` says. */
  run(given: unknown, call: OperationCall): Promise<object>;
}

export interface ToolDeclaration<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: string;
  /** What the operation says of itself when absent. */
  readonly description?: string;
  /** Strict: an argument that nobody knows is refused. */
  readonly input: Input;
  readonly output: Output;
  /** True when a write may replace what is there; operations that take something away need not say so. */
  readonly replaces?: boolean;
  /** Needed for writes; a read always is. */
  readonly idempotent?: boolean;
  run(given: z.infer<Input>, call: OperationCall): Promise<z.infer<Output> & object>;
}

/** Declares a tool. */
export function tool<Input extends z.ZodObject, Output extends z.ZodType, OperationInput, Answer>(
  operation: ValueOperation<OperationInput, Answer> | StreamOperation<OperationInput>,
  declaration: ToolDeclaration<Input, Output>,
): Tool {
  const { name, input, output } = declaration;
  const isRead = operation.effect === 'read';
  return {
    name,
    title: operation.title,
    description: declaration.description ?? operation.description,
    operation: operation as unknown as AnyOperation,
    get inputSchema() {
      return objectSchema(input, 'input');
    },
    get outputSchema() {
      return objectSchema(output, 'output');
    },
    hints: {
      readOnlyHint: isRead,
      destructiveHint: operation.effect === 'destructive' || declaration.replaces === true,
      idempotentHint: isRead || declaration.idempotent === true,
      openWorldHint: false,
    },
    run: async (given, call) => declaration.run(parseArguments(name, input, given), call),
  };
}
