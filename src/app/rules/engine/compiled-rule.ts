import { isListRule } from '../../../kit/document/list-rule.ts';
import { memberText } from '../../../kit/document/members.ts';
import { type ListRow, readPastedList, rowName } from '../../../kit/document/pasted-list.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleHost,
  type RuleStage,
  type RuleType,
} from '../../../ports/rule-type.ts';
import { inTurnOf, inTurnsOf } from '../../kernel/turns.ts';
import { type CompilerDeps, TextCompiler } from './compiler.ts';
import { readConditions } from './condition-document.ts';
import { type CompiledCondition, type ConditionTest, compileCondition, compileMatch } from './conditions.ts';
import { type RuleEnvelope, type RuleMode, readEnvelope } from './envelope.ts';
import { HostState, RULE_WAITS } from './host-state.ts';
import { errorMessage, FailureCounter } from './rule-failures.ts';
import type { RuleTally } from './rule-tally.ts';

export interface CompiledRule {
  readonly type: string;
  /** False if the rule is not confirmed: what it sets is data, and it starts nothing. */
  readonly confirmed: boolean;
  readonly envelope: RuleEnvelope;
  readonly mode: RuleMode;
  readonly conditions: readonly CompiledCondition[];
  /** The outcomes by the host that they are about, counted from 1, where the document names its hosts. */
  readonly outcomesOf: ReadonlyMap<string, readonly number[]> | undefined;
  readonly matches: ConditionTest;
  readonly action: RuleAction;
  readonly failures: FailureCounter;
  readonly lastMatch: boolean;
  /** The rows that it is about instead of hosts. */
  readonly rows: readonly ListRow[] | undefined;
  readonly volatile: boolean;
  /** True if what it sets may hold an account's secret. */
  readonly usesAccounts: boolean;
  /** Present only if the program counts rules. */
  readonly tally?: RuleTally;
}

/** A rule that cannot run: it is reported and does nothing. */
export interface BrokenRule {
  readonly type: string;
  readonly stage: RuleStage;
  readonly envelope: RuleEnvelope;
  readonly failures: FailureCounter;
}

/** `confirmed` is false for a document that no administrator wrote or confirmed, or that shows fields of such an account. */
export function compileRule(
  document: RuleDocument,
  type: RuleType,
  deps: CompilerDeps,
  confirmed = true,
): CompiledRule | BrokenRule {
  const envelope = readEnvelope(document, type);
  const failures = new FailureCounter();
  try {
    const compiler = new TextCompiler(deps);
    const rows = readRows(document, type, failures);
    const outcomesOf = readHostnames(document, type);
    const isConditional = rows === undefined && outcomesOf === undefined;
    const conditions = isConditional ? compileConditions(document, type, compiler) : [];
    if (envelope.mode === undefined) throw new RuleCompileError('condition_typ must be all, any or anyway');
    const written = actionOf(type, document, compiler);
    const action = withinStage(type, envelope, confirmed ? written : asData(written));
    return {
      type: type.id,
      confirmed,
      envelope,
      mode: envelope.mode,
      conditions,
      outcomesOf,
      matches:
        outcomesOf === undefined ? compileMatch(envelope.mode, conditions) : (host) => outcomesOf.has(host.hostname),
      action,
      failures,
      lastMatch: envelope.lastMatch,
      rows,
      volatile: compiler.volatile,
      usesAccounts: compiler.usesAccounts,
    };
  } catch (error) {
    failures.count(errorMessage(error), '');
    return { type: type.id, stage: type.evaluation?.stage ?? 'attributes', envelope, failures };
  }
}

/**
 * Returns the rows of the list. A row that names no host makes nothing and is reported once; a list that cannot be read also
 * makes nothing, and the other rules continue.
 */
function readRows(document: RuleDocument, type: RuleType, failures: FailureCounter): readonly ListRow[] | undefined {
  if (type.takesList !== true || !isListRule(document)) return undefined;
  const { rows, problems } = readPastedList(memberText(document, 'list_source'));
  if (problems.length > 0) {
    failures.count(`list_source ${problems.join('; ')}`, '');
    return [];
  }
  for (const row of rows) {
    if (rowName(row) === '')
      failures.count(`line ${row.line} of the list has no hostname and no name, so it makes nothing`, '');
  }
  return rows;
}

function readHostnames(document: RuleDocument, type: RuleType): ReadonlyMap<string, readonly number[]> | undefined {
  const hostnames = type.evaluation?.hostnames?.(document);
  if (hostnames === undefined) return undefined;
  const outcomesOf = new Map<string, number[]>();
  let number = 0;
  for (const hostname of hostnames) {
    number++;
    const known = outcomesOf.get(hostname);
    if (known === undefined) outcomesOf.set(hostname, [number]);
    else known.push(number);
  }
  return outcomesOf;
}

export function isRunnable(rule: CompiledRule | BrokenRule): rule is CompiledRule {
  return 'action' in rule;
}

export function isBroken(rule: CompiledRule | BrokenRule): rule is BrokenRule {
  return !isRunnable(rule);
}

function actionOf(type: RuleType, document: RuleDocument, compiler: TextCompiler): RuleAction {
  if (type.evaluation === undefined) throw new RuleCompileError(`rules of type ${type.id} are not evaluated`);
  const { evaluation } = type;
  const action: unknown = inTurnOf(type, () => evaluation.compile(document, compiler));
  // Plugins are written in plain JavaScript too.
  if (typeof action !== 'function')
    throw new RuleCompileError(`the plugin of type ${type.id} made nothing that can run`);
  return inTurnsOf(type, action as RuleAction);
}

/** Makes what a pending rule sets data: it vouches for nothing, and no consumer evaluates it. */
function asData(action: RuleAction): RuleAction {
  return (given) => {
    const host = hostState(given);
    const before = new Map(host.variables);
    host.pending = true;
    try {
      action(host);
    } finally {
      host.pending = false;
      for (const [name, variable] of host.variables) {
        if (!variable.expression || before.get(name) === variable) continue;
        host.variables.set(name, { value: variable.value, expression: false });
        host.report(`${name} is not evaluated by the consumer: ${RULE_WAITS}`);
      }
    }
  };
}

/** Limits an action to what its rule type allows: a filter about hosts chooses no attributes, and outcomes have an owner. */
function withinStage({ id, evaluation }: RuleType, { id: ruleId, name }: RuleEnvelope, action: RuleAction): RuleAction {
  if (evaluation?.stage === 'filter' && evaluation.hostsOnly === true) {
    return (host) => hostState(host).filter.withoutLines(() => action(host));
  }
  if (evaluation?.stage !== 'target') return action;
  const rule = { id: ruleId, name };
  return (host) => hostState(host).deciding({ type: id, rule }, () => action(host));
}

function hostState(host: RuleHost): HostState {
  if (!(host instanceof HostState)) throw new TypeError('a rule works on the host that the program gave it');
  return host;
}

function compileConditions(document: RuleDocument, type: RuleType, compiler: TextCompiler): CompiledCondition[] {
  if (!type.conditional) return [];
  const { conditions, problems } = readConditions(document, compiler.language);
  const [problem] = problems;
  if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
  return conditions.map(({ condition }) => compileCondition(condition, compiler));
}
