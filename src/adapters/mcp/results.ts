import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../ports/index.ts';
import { AppError } from '../../ports/index.ts';
import { fromAppError } from '../listener/errors.ts';

/** An answer of a tool: once for programs, and the same as text for models. */
export function toolAnswer(answer: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
}

/**
 * A refusal or fault of a tool, with the code and the message that REST gives. As text only: clients hold structured
 * content against the schema of answers.
 */
export function toolError(thrown: unknown, requestId: string, logger: Logger): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(errorBody(thrown, requestId, logger)) }] };
}

export interface ErrorBody {
  readonly message: string;
  readonly code: string;
}

/** Returns the error shown to a caller. Faults of the program are logged and show nothing but the request's id. */
export function errorBody(thrown: unknown, requestId: string, logger: Logger): ErrorBody {
  const error = thrown instanceof AppError ? thrown : new AppError('internal', 'unexpected fault', { cause: thrown });
  if (error.code === 'internal') logger.error('call failed', { requestId, error: error.cause ?? error });
  const { body } = fromAppError(error, requestId);
  return { ...body, message: String(body.message), code: error.code };
}
