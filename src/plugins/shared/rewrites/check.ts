import { memberObjects, memberText } from '../../../kit/document/members.ts';
import { phrase } from '../../../kit/worded.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleCompiler, RuleProblem } from '../../../ports/rule-type.ts';
import { templateProblems } from '../rule-types/texts.ts';
import { readSplit } from './modes.ts';

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) =>
    [...nameProblems(outcome, compiler), ...valueProblems(outcome, compiler)].map((problem) => ({
      ...problem,
      path: `outcomes.${index}.${problem.path}`,
    })),
  );
}

function nameProblems(outcome: JsonObject, compiler: RuleCompiler): RuleProblem[] {
  const mode = memberText(outcome, 'overwrite_name');
  const name = memberText(outcome, 'new_attribute_name');
  if (memberText(outcome, 'old_attribute_name') === '' && name === '') {
    return [
      { path: 'old_attribute_name', message: phrase`is required, or name the attribute to make in new_attribute_name` },
    ];
  }
  if (mode === 'prefix' && memberText(outcome, 'old_attribute_name') === '') {
    return [{ path: 'old_attribute_name', message: phrase`is required: what the names of the attributes begin with` }];
  }
  if (mode === '' || mode === 'prefix') return [];
  if (name === '') return [{ path: 'new_attribute_name', message: phrase`is required` }];
  return mode === 'string' ? [] : templateProblems('new_attribute_name', name, compiler);
}

function valueProblems(outcome: JsonObject, compiler: RuleCompiler): RuleProblem[] {
  const value = memberText(outcome, 'new_value');
  switch (memberText(outcome, 'overwrite_value')) {
    case 'jinja':
      return templateProblems('new_value', value, compiler);
    case 'split': {
      const split = readSplit(value);
      return typeof split === 'string' ? [{ path: 'new_value', message: split, inText: true }] : [];
    }
    default:
      return [];
  }
}
