import type { JsonValue } from '../../../ports/json.ts';
import { RuleCompileError, type RuleCompiler, type RuleProblem } from '../../../ports/rule-type.ts';

/** Why the text is no template; empty when it is one, or no text at all. */
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
