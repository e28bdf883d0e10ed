import { memberObjects, ownMember } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleAction, RuleCompiler, RuleProblem } from '../../../ports/rule-type.ts';
import { templateProblems } from './texts.ts';

/** One action that does what each outcome says, in order. */
export function compileEach(document: RuleDocument, compile: (outcome: JsonObject) => RuleAction): RuleAction {
  const actions = memberObjects(document, 'outcomes').map(compile);
  const [only] = actions;
  if (actions.length === 1 && only !== undefined) return only;
  return (host) => {
    for (const action of actions) action(host);
  };
}

/** Returns the template errors in this member, for each outcome in which it is a text. */
export function outcomeTemplateProblems(
  document: RuleDocument,
  member: string,
  compiler: RuleCompiler,
  isTemplate: (outcome: JsonObject) => boolean = () => true,
): RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) =>
    isTemplate(outcome) ? templateProblems(`outcomes.${index}.${member}`, ownMember(outcome, member), compiler) : [],
  );
}
