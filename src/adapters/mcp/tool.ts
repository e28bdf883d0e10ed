import * as z from 'zod';
import { truncatedSchema } from '../../app/kernel/cut-answer.ts';
import type { ToolEntry } from '../../app/kernel/entrances.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';
import { parseArguments } from './arguments.ts';
import type { MaybeCut, OperationCall } from './operation-call.ts';
import { type ObjectSchema, objectSchema } from './schemas.ts';

/** Hints that a client may show its user about a tool before calling it. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  /** True if it may remove or replace something. */
  readonly destructiveHint: boolean;
  /** True if repeating the call changes nothing more. */
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** An operation as a tool: names of arguments and shapes of answers. It holds no business rules. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: AnyOperation;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly hints: ToolHints;
  /** Checks the arguments and returns an answer that matches `outputSchema`. */
  run(given: unknown, call: OperationCall): Promise<object>;
}

const TRUNCATED = objectSchema(truncatedSchema, 'output');

/** How a tool differs from its operation: in the names of arguments, or in how a long answer is cut. */
export interface ToolView {
  /** Strict: unknown arguments are refused. */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  run(given: unknown, call: OperationCall): Promise<object>;
}

/** Declares a view of an operation. Names of arguments that are absent are those of the operation's input. */
export function toolView<Input extends z.ZodObject, Output extends z.ZodType>(
  input: Input,
  output: Output,
  run: (given: z.infer<Input>, call: OperationCall) => Promise<z.infer<Output> & MaybeCut>,
): ToolView {
  return { input, output, run: (given, call) => run(given as z.infer<Input>, call) };
}

/** Returns the tool that an operation declares, with its view if it has one. */
export function toolOf(operation: AnyOperation, entry: ToolEntry, view: ToolView = plainView(operation)): Tool {
  const { name } = entry;
  const isRead = operation.effect === 'read';
  return {
    name,
    title: operation.title,
    description: entry.description ?? operation.description,
    operation,
    get inputSchema() {
      return objectSchema(view.input, 'input');
    },
    get outputSchema() {
      const { properties, ...schema } = objectSchema(view.output, 'output');
      return { ...schema, properties: { ...(properties as object), truncated: TRUNCATED } };
    },
    hints: {
      readOnlyHint: isRead,
      destructiveHint: operation.effect === 'destructive' || entry.replaces === true,
      idempotentHint: isRead || entry.idempotent === true,
      openWorldHint: false,
    },
    run: async (given, call) => view.run(parseArguments(name, view.input, given), call),
  };
}

/** The members of the operation's input are the arguments, and its answer is the answer. */
function plainView(operation: AnyOperation): ToolView {
  if (operation.answer === 'stream' || !(operation.input instanceof z.ZodObject))
    throw new Error(`${operation.name}: the tool needs a view, as its operation answers a stream or takes no object`);
  return {
    input: z.strictObject(operation.input.shape),
    output: operation.output,
    run: (given, call) => call.value(operation, given) as Promise<object>,
  };
}
