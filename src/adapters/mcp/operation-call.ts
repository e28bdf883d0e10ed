import type { Caller } from '../../app/kernel/caller.ts';
import type { Truncated } from '../../app/kernel/cut-answer.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import type { Progress, StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';

/** The beginning of a streamed answer; `whole` when that is all of it. */
interface AnswerText {
  readonly text: string;
  readonly whole: boolean;
}

export interface MaybeCut {
  readonly truncated?: Truncated;
}

/** One call of a tool, or one read of a resource: operations in the name of its caller. */
export interface OperationCall {
  value<Input, Output>(operation: ValueOperation<Input, Output>, input: unknown): Promise<Output & MaybeCut>;
  /** Returns the answer whatever its size, for a tool that shows a part of it. */
  whole<Input, Output>(operation: ValueOperation<Input, Output>, input: unknown): Promise<Output>;
  /**
   * Returns a streamed answer up to a number of characters, including the rest of the last piece. The remainder is not even made.
   */
  text<Input>(operation: StreamOperation<Input>, input: unknown, maxCharacters: number): Promise<AnswerText>;
}

export interface OperationCallOptions {
  readonly executor: Executor;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Most characters of an answer; absent if it is never cut. */
  readonly answerCharacters?: number;
}

export function operationCall({ executor, caller, ...options }: OperationCallOptions): OperationCall {
  const { answerCharacters: _, ...endless } = options;
  return {
    value: <Input, Output>(operation: ValueOperation<Input, Output>, input: unknown) =>
      executor.value(operation, { kind: 'value', value: input }, caller, options) as Promise<Output & MaybeCut>,
    whole: (operation, input) => executor.value(operation, { kind: 'value', value: input }, caller, endless),
    async text(operation, input, maxCharacters) {
      const { body } = await executor.stream(operation, { kind: 'value', value: input }, caller, options);
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of body) {
        text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
        if (text.length > maxCharacters) return { text, whole: false };
      }
      return { text: text + decoder.decode(), whole: true };
    },
  };
}
