import type { ExecuteOptions } from '../../app/kernel/executor.ts';
import type { StreamAnswer, StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';

/** The way from a command to operations: the executor of this process, or a service on another machine. */
export interface Gateway {
  value<Input, Output>(
    operation: ValueOperation<Input, Output>,
    input: unknown,
    options: ExecuteOptions,
  ): Promise<Output>;
  stream<Input>(operation: StreamOperation<Input>, input: unknown, options: ExecuteOptions): Promise<StreamAnswer>;
}
