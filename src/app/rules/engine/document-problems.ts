import { AUTORULES } from '../../../kit/document/autorule-condition.ts';
import { isListRule } from '../../../kit/document/list-rule.ts';
import { memberText, ownMember } from '../../../kit/document/members.ts';
import { MAX_COLUMNS, readListColumns, readPastedList } from '../../../kit/document/pasted-list.ts';
import { valueFaults } from '../../../kit/json/kept-values.ts';
import { saidFault } from '../../../kit/template-fault.ts';
import { detailOf, worded } from '../../../kit/worded.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleLanguage } from '../../../ports/rule-language.ts';
import { RuleCompileError, type RuleCompiler, type RuleProblem, type RuleType } from '../../../ports/rule-type.ts';
import { inTurnOf } from '../../kernel/turns.ts';
import { readAge } from './age.ts';
import { CheckBudget } from './check-budget.ts';
import { compileRule, isBroken } from './compiled-rule.ts';
import { type CompilerDeps, TextCompiler } from './compiler.ts';
import { type Comparison, type Condition, readConditions } from './condition-document.ts';
import { isTemplate } from './conditions.ts';
import { envelopeProblems, idProblems, namesHosts } from './envelope.ts';
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
  // A plugin that acts on kept types one day checks the rest.
  if (type.kept !== undefined) return idProblems(ownMember(document, '_id'));
  const budget = new CheckBudget();
  const compiler = new TextCompiler({ ...checkingWith(language), budget });
  const problems = [
    ...envelopeProblems(document, type),
    ...(type.conditional && !namesHosts(document, type) ? conditionProblems(document, compiler, budget) : []),
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
 * Whether a document with these problems may be stored all the same: only its texts are wrong, and whatever runs rules detects
 * that by itself. The document is then reported, and never evaluated as something its author did not write.
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
  // A list that cannot be read has no rows, and the conditions next to it are not evaluated.
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
  const text = memberText(document, 'list_source');
  const columns = readListColumns(text);
  if (columns.length > MAX_COLUMNS) {
    const most = worded`names ${{ count: columns.length }} columns, and at most ${{ most: MAX_COLUMNS }} are possible`;
    return [detailOf('list_source', most)];
  }
  return readPastedList(text).problems.map((message) => ({ path: 'list_source', message, inText: true }));
}

function conditionProblems(
  document: RuleDocument,
  compiler: TextCompiler,
  budget: CheckBudget,
): readonly RuleProblem[] {
  const { conditions, problems } = readConditions(document, compiler.language);
  return [
    ...problems,
    ...conditions.flatMap(({ condition, index }) => compileProblems(condition, index, { compiler, budget })),
  ];
}

interface Checking {
  readonly compiler: RuleCompiler;
  readonly budget: CheckBudget;
}

function compileProblems(condition: Condition, index: number, checking: Checking): readonly RuleProblem[] {
  const { compiler, budget } = checking;
  const path = `conditions.${index}`;
  switch (condition.kind) {
    case 'host':
      return textProblems(condition.hostname, `${path}.hostname`, budget);
    case 'absent':
      return [];
    case 'attribute':
      return [
        ...textProblems(condition.name, `${path}.tag`, budget),
        ...(isTemplate(condition.value.needle)
          ? attempt(() => compiler.template(condition.value.needle), `${path}.value`)
          : needleProblems(condition.value, `${path}.value`, budget)),
      ];
  }
}

function needleProblems(comparison: Comparison, path: string, budget: CheckBudget): readonly RuleProblem[] {
  if (!AGE_OPERATORS.has(comparison.operator)) return textProblems(comparison, path, budget);
  return attempt(() => readAge(comparison.needle), path);
}

function textProblems({ operator, needle }: Comparison, path: string, budget: CheckBudget): readonly RuleProblem[] {
  if (typeof operator === 'object') return attempt(() => operator.compile(needle), path);
  if (operator !== 'regex') return [];
  return attempt(() => {
    budget.pattern(needle);
    compilePattern(needle);
  }, path);
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
