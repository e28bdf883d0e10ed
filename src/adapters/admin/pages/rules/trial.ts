import type { JsonObject } from '../../../../ports/index.ts';
import type { CallError } from '../calls/call.ts';
import type { RuleTypeInfo } from './rule-type.ts';

/** A document that is tried out. */
export interface Trial {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  readonly provider: string;
  /** False while the document cannot be read. */
  readonly isReady: boolean;
  /** Told where the document is wrong; `prefix` stands before the paths. */
  onProblem(error: CallError, prefix: string): void;
}

/** True when what was tried is what stands there now. */
export function isCurrent(tried: Trial | undefined, trial: Trial): boolean {
  return (
    tried !== undefined &&
    tried.provider === trial.provider &&
    JSON.stringify(tried.document) === JSON.stringify(trial.document)
  );
}
