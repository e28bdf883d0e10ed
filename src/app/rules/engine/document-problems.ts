import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleLanguage } from '../../../ports/rule-language.ts';
import { RuleCompileError, type RuleCompiler, type RuleProblem, type RuleType } from '../../../ports/rule-type.ts';
import { valueFaults } from '../../kernel/json/kept-values.ts';
import { saidFault } from '../../kernel/template-fault.ts';
import { inTurnOf } from '../../kernel/turns.ts';
import { detailOf, worded } from '../../kernel/worded.ts';
import { isListRule } from '../document/list-rule.ts';
import { memberText, ownMember } from '../document/members.ts';
import { readPastedList } from '../document/pasted-list.ts';
import { readAge } from './age.ts';
import { AUTORULES } from './autorules.ts';
import { compileRule, isBroken } from './compiled-rule.ts';
import { type CompilerDeps, TextCompiler } from './compiler.ts';
import { type Comparison, type Condition, readConditions } from './condition-document.ts';
import { isTemplate } from './conditions.ts';
import { envelopeProblems, idProblems } from './envelope.ts';
import { AGE_OPERATORS } from './operators.ts';
import { compilePattern } from './pattern.ts';
import { errorMessage } from './rule-failures.ts';

/** Everything that makes a document unable to work, with paths; empty when it is fine. Never throws. */
export function documentProblems(
  document: RuleDocument,
  type: RuleType,
  language: RuleLanguage,
): readonly RuleProblem[] {
  const values = valueFaults(document);
  // The other checks take values for what JSON can hold.
  if (values.length > 0) return values;
  // Whoever acts on them one day checks the rest.
  if (type.kept !== undefined) return idProblems(ownMember(document, '_id'));
  const compiler = new TextCompiler(checkingWith(language));
  const problems = [
    ...envelopeProblems(document, type),
    ...(type.conditional ? conditionProblems(document, compiler) : []),
    ...listProblems(document, type),
    ...typeProblems(document, type, compiler),
  ];
  return unique(problems);
}

/** Compiles without accounts: which of them exist is not a question of syntax. */
export function checkingWith(language: RuleLanguage): CompilerDeps {
  return { macro: () => undefined, now: () => new Date(0), language };
}

/** Why a stored rule cannot run, as far as its own texts say; empty for documents that nothing runs. */
export function runProblems(
  document: RuleDocument,
  type: RuleType,
  language: RuleLanguage,
): { path: string; message: string }[] {
  if (type.kept !== undefined || (type.evaluation === undefined && type.id !== AUTORULES)) return [];
  return documentProblems(document, type, language).map(({ path, message }) => ({ path, message }));
}

/**
 * Whether a document with these problems may stand all the same: texts alone are wrong with it, and whatever runs rules sees that by
 * itself. So the document is told, and never evaluated as something that its author did not write.
 */
export function cannotRun(
  document: RuleDocument,
  type: RuleType,
  problems: readonly RuleProblem[],
  language: RuleLanguage,
): boolean {
  if (problems.length === 0 || problems.some(({ inText }) => inText !== true)) return false;
  if (type.id === AUTORULES) return true;
  if (type.evaluation === undefined) return false;
  // A list that cannot be read has no rows, and nobody asks the conditions beside it.
  return (
    (type.takesList === true && isListRule(document)) || isBroken(compileRule(document, type, checkingWith(language)))
  );
}

function typeProblems(document: RuleDocument, type: RuleType, compiler: RuleCompiler): readonly RuleProblem[] {
  try {
    return inTurnOf(type, () => type.check(document, compiler));
  } catch (error) {
    return [detailOf('', worded`could not be checked: ${{ reason: errorMessage(error) }}`)];
  }
}

function listProblems(document: RuleDocument, type: RuleType): readonly RuleProblem[] {
  if (type.takesList !== true || !isListRule(document)) return [];
  const { problems } = readPastedList(memberText(document, 'list_source'));
  return problems.map((message) => ({ path: 'list_source', message, inText: true }));
}

function conditionProblems(document: RuleDocument, compiler: TextCompiler): readonly RuleProblem[] {
  const { conditions, problems } = readConditions(document, compiler.language);
  return [...problems, ...conditions.flatMap(({ condition, index }) => compileProblems(condition, index, compiler))];
}

function compileProblems(condition: Condition, index: number, compiler: RuleCompiler): readonly RuleProblem[] {
  const path = `conditions.${index}`;
  switch (condition.kind) {
    case 'host':
      return textProblems(condition.hostname, `${path}.hostname`);
    case 'absent':
      return [];
    case 'attribute':
      return [
        ...textProblems(condition.name, `${path}.tag`),
        ...(isTemplate(condition.value.needle)
          ? attempt(() => compiler.template(condition.value.needle), `${path}.value`)
          : needleProblems(condition.value, `${path}.value`)),
      ];
  }
}

function needleProblems(comparison: Comparison, path: string): readonly RuleProblem[] {
  if (!AGE_OPERATORS.has(comparison.operator)) return textProblems(comparison, path);
  return attempt(() => readAge(comparison.needle), path);
}

function textProblems({ operator, needle }: Comparison, path: string): readonly RuleProblem[] {
  if (typeof operator === 'object') return attempt(() => operator.compile(needle), path);
  return operator === 'regex' ? attempt(() => compilePattern(needle), path) : [];
}

function attempt(compile: () => unknown, path: string): readonly RuleProblem[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof RuleCompileError)) throw error;
    return [{ ...detailOf(path, saidFault(error.message)), inText: true }];
  }
}

/** The envelope and a type may both know a member. */
function unique(problems: readonly RuleProblem[]): readonly RuleProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const key = `${path}\n${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
