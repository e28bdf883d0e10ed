import type { ErrorDetail } from '../../../ports/errors.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import { RuleCompileError, type RuleCompiler, type RuleType } from '../../../ports/rule-type.ts';
import { valueFaults } from '../../kernel/json/kept-values.ts';
import { isListRule } from '../document/list-rule.ts';
import { memberText, ownMember } from '../document/members.ts';
import { readPastedList } from '../document/pasted-list.ts';
import { readAge } from './age.ts';
import { TextCompiler } from './compiler.ts';
import { type Comparison, type Condition, readConditions } from './condition-document.ts';
import { isTemplate } from './conditions.ts';
import { envelopeProblems, idProblems } from './envelope.ts';
import { AGE_OPERATORS } from './operators.ts';
import { compilePattern } from './pattern.ts';
import { errorMessage } from './rule-failures.ts';

/** Everything that makes a document unable to work, with paths; empty when it is fine. Never throws. */
export function documentProblems(document: RuleDocument, type: RuleType): readonly ErrorDetail[] {
  const values = valueFaults(document);
  // The other checks take values for what JSON can hold.
  if (values.length > 0) return values;
  // Whoever acts on them one day checks the rest.
  if (type.kept !== undefined) return idProblems(ownMember(document, '_id'));
  const compiler = checkingCompiler();
  const problems = [
    ...envelopeProblems(document, type),
    ...(type.conditional ? conditionProblems(document, compiler) : []),
    ...listProblems(document, type),
    ...typeProblems(document, type, compiler),
  ];
  return unique(problems);
}

/** Compiles without accounts: which of them exist is not a question of syntax. */
function checkingCompiler(): TextCompiler {
  return new TextCompiler({ macro: () => undefined, now: () => new Date(0) });
}

function typeProblems(document: RuleDocument, type: RuleType, compiler: RuleCompiler): readonly ErrorDetail[] {
  try {
    return type.check(document, compiler);
  } catch (error) {
    return [{ path: '', message: `could not be checked: ${errorMessage(error)}` }];
  }
}

function listProblems(document: RuleDocument, type: RuleType): readonly ErrorDetail[] {
  if (type.takesList !== true || !isListRule(document)) return [];
  const { problems } = readPastedList(memberText(document, 'list_source'));
  return problems.map((message) => ({ path: 'list_source', message }));
}

function conditionProblems(document: RuleDocument, compiler: RuleCompiler): readonly ErrorDetail[] {
  const { conditions, problems } = readConditions(document);
  return [...problems, ...conditions.flatMap(({ condition, index }) => compileProblems(condition, index, compiler))];
}

function compileProblems(condition: Condition, index: number, compiler: RuleCompiler): readonly ErrorDetail[] {
  const path = `conditions.${index}`;
  switch (condition.kind) {
    case 'host':
      return patternProblems(condition.hostname, `${path}.hostname`);
    case 'absent':
      return [];
    case 'attribute':
      return [
        ...patternProblems(condition.name, `${path}.tag`),
        ...(isTemplate(condition.value.needle)
          ? attempt(() => compiler.template(condition.value.needle), `${path}.value`)
          : needleProblems(condition.value, `${path}.value`)),
      ];
  }
}

function needleProblems(comparison: Comparison, path: string): readonly ErrorDetail[] {
  if (!AGE_OPERATORS.has(comparison.operator)) return patternProblems(comparison, path);
  return attempt(() => readAge(comparison.needle), path);
}

function patternProblems({ operator, needle }: Comparison, path: string): readonly ErrorDetail[] {
  return operator === 'regex' ? attempt(() => compilePattern(needle), path) : [];
}

function attempt(compile: () => unknown, path: string): readonly ErrorDetail[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof RuleCompileError)) throw error;
    return [{ path, message: error.message }];
  }
}

/** The envelope and a type may both know a member. */
function unique(problems: readonly ErrorDetail[]): readonly ErrorDetail[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const key = `${path}\n${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
