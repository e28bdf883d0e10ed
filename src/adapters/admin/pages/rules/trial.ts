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
  /** Called with errors of the document; `prefix` precedes the paths. */
  onProblem(error: CallError, prefix: string): void;
}

/** True if the tried document is the present one. */
export function isCurrent(tried: Trial | undefined, trial: Trial): boolean {
  return (
    tried !== undefined &&
    tried.provider === trial.provider &&
    JSON.stringify(tried.document) === JSON.stringify(trial.document)
  );
}
