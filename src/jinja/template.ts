import { type Callable, define } from './call.ts';
import { compileExpression } from './expression.ts';
import { budgetFault, Fault, type FaultKind, fault } from './fault.ts';
import { FUNCTIONS } from './functions.ts';
import { Clock } from './moment.ts';
import { type AccountMacros, Names } from './names.ts';
import { strip } from './plain-text.ts';
import { type Evaluate, Run, type TemplateBudget, type TemplateScope } from './run.ts';
import { deepCopy } from './sequence.ts';
import { compileBody, type Execute } from './statement.ts';
import { MAX_SOURCE_LENGTH, type Node, parseTemplate } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { toText } from './text.ts';
import type { Value } from './value.ts';

export type { TemplateScope } from './run.ts';
export { TemplateSyntaxError } from './syntax-error.ts';
export type { Value as TemplateValue } from './value.ts';

const DEFAULT_BUDGET: TemplateBudget = { maxSteps: 100_000, maxOutput: 1_000_000, maxMillis: 100 };

interface TemplateError {
  readonly kind: FaultKind;
  readonly message: string;
}

export type TemplateResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly text: ''; readonly error: TemplateError };

export interface Template {
  readonly source: string;
  /** Variables that it may read. Not all of them are read in every render. */
  readonly names: ReadonlySet<string>;
  /** It reads `attributes` other than by a fixed name, so that `names` does not tell what it depends on. */
  readonly readsAll: boolean;
  /** Its result depends on the time. */
  readonly volatile: boolean;
  /** The result when it depends on nothing at all. */
  readonly constant: string | undefined;
  /** Never throws. Undefined variables, faults and exceeded budgets make the whole text empty. */
  render(scope: TemplateScope): TemplateResult;
}

type HostFunction = (...args: readonly Value[]) => Value;
type HostFilter = (value: Value, ...args: readonly Value[]) => Value;

export interface TemplateOptions {
  /** Functions in addition to the built-in ones; only positional arguments. */
  readonly functions?: ReadonlyMap<string, HostFunction>;
  /** Filters in addition to the built-in ones, which keep their names; the value comes first, and arguments are positional. */
  readonly filters?: (name: string) => HostFilter | undefined;
  readonly budget?: Partial<TemplateBudget>;
  /** Fields of accounts for `{{ACCOUNT:<account>:<field>}}`, asked at every render. */
  readonly macros?: AccountMacros;
  readonly now?: () => Date;
  /** Told how many tokens the source has, before anything is made of them; may throw. */
  readonly tokens?: (count: number) => void;
}

/** Must throw `TemplateSyntaxError`, and nothing else, when the source does not compile. */
export function compileTemplate(source: string, options: TemplateOptions = {}): Template {
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  if (hasNoTags(source, budget)) return textTemplate(source);
  return compileNodes(source, contentOf(source, options), options);
}

/**
 * If the text is one `if` without `else` as a whole, the condition of it: a template that renders to nothing unless it holds.
 * Throws as `compileTemplate` does.
 */
export function compileCondition(source: string, options: TemplateOptions = {}): Template | undefined {
  const [node, ...others] = contentOf(source, options).filter(
    (each) => each.type !== 'StringLiteral' || each.value.trim() !== '',
  );
  if (node?.type !== 'If' || node.alternate.length > 0 || others.length > 0) return undefined;
  return compileNodes(source, [{ ...node, body: [{ type: 'StringLiteral', value: '1' }] }], options);
}

function contentOf(source: string, { tokens }: TemplateOptions): readonly Node[] {
  return parseTemplate(source, tokens).filter((node) => node.type !== 'Comment');
}

function compileNodes(source: string, nodes: readonly Node[], options: TemplateOptions): Template {
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const prepare = (changesValues: boolean): Names =>
    new Names({
      functionNamed: (name) => hostFunction(name, options.functions?.get(name)) ?? FUNCTIONS.get(name),
      filterNamed: (name) => hostFilter(name, options.filters?.(name)),
      globals: new Map([['datetime', new Clock(options.now ?? (() => new Date()))]]),
      macros: options.macros,
      changesValues,
    });
  let names = prepare(false);
  let render = compileRender(nodes, names, budget);
  if (names.callsChange) {
    names = prepare(true);
    render = compileRender(nodes, names, budget);
  }
  const depends = names.read.size > 0 || names.readsAll || names.isImpure;
  return {
    source,
    names: names.read,
    readsAll: names.readsAll,
    volatile: names.usesClock,
    constant: depends ? undefined : constantText(render),
    render,
  };
}

function constantText(render: Template['render']): string | undefined {
  const result = render({ get: () => undefined, attributes: () => new Map() });
  return result.ok ? result.text : undefined;
}

function hostFunction(name: string, body: HostFunction | undefined): Callable<null> | undefined {
  if (body === undefined) return undefined;
  const [, callable] = define<null>(`${name}(...)`, (run, _self, _items, { positional, named }) => {
    if (named) throw fault(`${name}() takes no named arguments`);
    return deepCopy(run, body(...positional));
  });
  return callable;
}

function hostFilter(name: string, body: HostFilter | undefined): Callable<Value> | undefined {
  if (body === undefined) return undefined;
  const [, callable] = define<Value>(`${name}(...)`, (run, value, _items, { positional, named }) => {
    if (named) throw fault(`the filter ${name} takes no named arguments`);
    const answer = body(value, ...positional);
    if (typeof answer === 'string') run.sized(answer.length);
    return deepCopy(run, answer);
  });
  return callable;
}

/** Most texts of rules are so, and need no parser. */
function hasNoTags(source: string, { maxOutput }: TemplateBudget): boolean {
  return source.length <= Math.min(MAX_SOURCE_LENGTH, maxOutput) && !/[{\r]/.test(source);
}

function textTemplate(source: string): Template {
  const text = strip(source);
  const result: TemplateResult = { ok: true, text };
  return { source, names: new Set(), readsAll: false, volatile: false, constant: text, render: () => result };
}

function compileRender(nodes: readonly Node[], names: Names, budget: TemplateBudget): Template['render'] {
  try {
    const parts = nodes.map((node) => plainPart(node));
    const general = compileGeneral(nodes, names, budget);
    for (const name of names.lateFunctions) {
      if (names.rootSlot(name) === undefined) throw new TemplateSyntaxError(`there is no function '${name}'`);
    }
    if (!isPlain(parts) || names.changesValues) return general;
    return compilePlain(parts, general, budget);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw error;
    throw new TemplateSyntaxError(
      error instanceof RangeError ? 'the template is nested too deeply' : 'the template does not compile',
    );
  }
}

/** Text, or the name of a variable. */
type PlainPart = { readonly text: string } | { readonly name: string };

const NOT_PLAIN: ReadonlySet<string> = new Set([
  'attributes',
  'datetime',
  'true',
  'True',
  'false',
  'False',
  'none',
  'None',
]);

function plainPart(node: Node): PlainPart | undefined {
  if (node.type === 'StringLiteral') return { text: node.value };
  return node.type === 'Identifier' && !NOT_PLAIN.has(node.value) ? { name: node.value } : undefined;
}

function isPlain(parts: readonly (PlainPart | undefined)[]): parts is readonly PlainPart[] {
  return parts.every((part) => part !== undefined);
}

/** Most templates are text and names. They need no run: a read and a concatenation. */
function compilePlain(
  parts: readonly PlainPart[],
  general: Template['render'],
  budget: TemplateBudget,
): Template['render'] {
  const { maxOutput } = budget;
  const [only, second] = parts;
  if (parts.every((part) => 'text' in part)) {
    const text = strip(parts.map((part) => ('text' in part ? part.text : '')).join(''));
    return text.length > maxOutput ? general : () => ({ ok: true, text });
  }
  if (only && !second && 'name' in only) return compileRead(only.name, general, maxOutput);
  return (scope) => {
    let text = '';
    for (const part of parts) {
      const value = 'text' in part ? part.text : scope.get(part.name);
      if (typeof value === 'string') text += value;
      else if (typeof value === 'number' && Number.isSafeInteger(value)) text += String(value + 0);
      else return general(scope);
    }
    return text.length > maxOutput ? general(scope) : { ok: true, text: strip(text) };
  };
}

function compileRead(name: string, general: Template['render'], maxOutput: number): Template['render'] {
  const missing = failure(new Fault('undefined', `'${name}' is undefined`));
  return (scope) => {
    const value = scope.get(name);
    if (typeof value === 'string' && value.length <= maxOutput) return { ok: true, text: strip(value) };
    return value === undefined && !scope.lenient ? missing : general(scope);
  };
}

function compileGeneral(nodes: readonly Node[], names: Names, budget: TemplateBudget): Template['render'] {
  const single = singleExpression(nodes, names);
  const body: Execute | undefined = single ? undefined : compileBody(nodes, names);
  const slots = names.slotCount;
  return (scope) => {
    try {
      const run = new Run(scope, slots, budget);
      if (single) run.emit(toText(run, single(run)));
      else body?.(run);
      return { ok: true, text: strip(run.out) };
    } catch (error) {
      return failure(asFault(error));
    }
  };
}

const STATEMENTS: ReadonlySet<string> = new Set([
  'If',
  'For',
  'Set',
  'FilterStatement',
  'Macro',
  'CallStatement',
  'Break',
  'Continue',
]);

function singleExpression(nodes: readonly Node[], names: Names): Evaluate | undefined {
  const [only] = nodes;
  return only && nodes.length === 1 && !STATEMENTS.has(only.type) ? compileExpression(only, names) : undefined;
}

function failure({ kind, message }: Fault): TemplateResult {
  return { ok: false, text: '', error: { kind, message } };
}

/** A RangeError is the engine's own limit (stack, length of a text); other errors come from host functions. */
function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof RangeError) return budgetFault('the template needs too much stack or memory');
  return fault(error instanceof Error ? `a function failed: ${error.message}` : 'a function failed');
}
