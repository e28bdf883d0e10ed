import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { readExtraVariables } from '../../kit/extra-variables/extra-variables.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleHost,
  type RuleProblem,
} from '../../ports/rule-type.ts';
import { compileEach } from '../shared/rule-types/outcomes.ts';

/**
 * The author's text is read as variables first, and then every value in it is rendered by itself. The other way round a
 * label with a quote in it could add variables of its own, such as the one that says which program connects to the host.
 */

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    try {
      compileVariables(outcome, compiler);
      return [];
    } catch (error) {
      if (!(error instanceof RuleCompileError)) throw error;
      const inText = typeof ownMember(outcome, 'extra_vars') === 'string';
      return [{ path: `outcomes.${index}.extra_vars`, message: error.message, ...(inText ? { inText } : {}) }];
    }
  });
}

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const playbook = memberText(outcome, 'playbook').trim();
  if (playbook === '') throw new RuleCompileError('an outcome has no playbook');
  const inventory = memberText(outcome, 'inventory').trim();
  const variables = compileVariables(outcome, compiler);
  return (host) => {
    const extraVariables = variables?.(host) ?? null;
    // A value that failed is counted on the rule, which then does not fire.
    if (extraVariables === FAILED) return;
    host.wantPlaybook({ playbook, inventory, extraVariables });
  };
}

const FAILED = Symbol('failed');
type Render<T> = (host: RuleHost) => T | typeof FAILED;

function compileVariables(outcome: JsonObject, compiler: RuleCompiler): Render<JsonObject> | undefined {
  const written = ownMember(outcome, 'extra_vars') ?? '';
  if (isJsonObject(written)) return compileObject(written, compiler);
  if (typeof written !== 'string') throw new RuleCompileError('must be a text or an object');
  if (written.trim() === '') return undefined;
  const read = readExtraVariables(written);
  if ('problem' in read) throw new RuleCompileError(read.problem);
  return compileObject(read.values, compiler);
}

function compileObject(object: JsonObject, compiler: RuleCompiler): Render<JsonObject> {
  const members = Object.entries(object).map(([name, value]) => [name, compileValue(value, compiler)] as const);
  return (host) => {
    const rendered: [string, JsonValue][] = [];
    for (const [name, render] of members) {
      const value = render(host);
      if (value === FAILED) return FAILED;
      rendered.push([name, value]);
    }
    return Object.fromEntries(rendered);
  };
}

function compileValue(value: JsonValue, compiler: RuleCompiler): Render<JsonValue> {
  if (typeof value === 'string') {
    const template = compiler.template(value);
    return (host) => template.constant ?? template.render(host) ?? FAILED;
  }
  if (isJsonObject(value)) return compileObject(value, compiler);
  if (!Array.isArray(value)) return () => value;
  const items = value.map((item: JsonValue) => compileValue(item, compiler));
  return (host) => {
    const rendered: JsonValue[] = [];
    for (const render of items) {
      const item = render(host);
      if (item === FAILED) return FAILED;
      rendered.push(item);
    }
    return rendered;
  };
}
