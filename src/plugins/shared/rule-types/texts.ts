import type { JsonValue } from '../../../ports/json.ts';
import { RuleCompileError, type RuleCompiler, type RuleProblem } from '../../../ports/rule-type.ts';

/** Returns the errors of a text as a template; empty if it is a valid one, or not a text at all. */
export function templateProblems(path: string, text: JsonValue | undefined, compiler: RuleCompiler): RuleProblem[] {
  if (typeof text !== 'string') return [];
  try {
    compiler.template(text);
    return [];
  } catch (error) {
    if (!(error instanceof RuleCompileError)) throw error;
    return [{ path, message: error.message, inText: true }];
  }
}
