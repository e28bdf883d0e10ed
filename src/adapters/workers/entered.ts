import { type Caller, payerOf } from '../../app/kernel/caller.ts';
import { type OperationInput, OperationLost, type OperationRunOptions } from '../../app/kernel/executor.ts';
import { AppError } from '../../ports/index.ts';
import type { FairQueue } from './fair-queue.ts';

/** Waits for the turn of a call, on the account of its user. Answers the way out. */
export async function entered(
  queue: FairQueue,
  input: OperationInput,
  caller: Caller,
  { signal, holds = 0 }: Pick<OperationRunOptions, 'signal' | 'holds'>,
): Promise<() => void> {
  const bytes = input.kind === 'json' ? input.body.byteLength : 0;
  try {
    return await queue.enter(payerOf(caller), bytes, signal, holds);
  } catch (error) {
    throw error instanceof AppError ? new OperationLost(error) : error;
  }
}
