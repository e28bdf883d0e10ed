import { mappingEntries } from './compare.ts';
import { fault } from './fault.ts';
import type { Compiling } from './names.ts';
import { expectText } from './plain-text.ts';
import type { Evaluate, Run } from './run.ts';
import { iterate } from './sequence.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { type CallArguments, isMapping, NO_ARGUMENTS, typeName, type Value } from './value.ts';

/** Arguments that a call gets in addition to those in its parentheses. */
export type MoreArguments = ReadonlyMap<string, Evaluate>;

/** Compiles the arguments in the parentheses of a call, and the additional ones. */
export function compileArguments(
  nodes: readonly Node[],
  { names, compile }: Compiling,
  more: MoreArguments = new Map(),
): (run: Run) => CallArguments {
  if (nodes.length === 0 && more.size === 0) return () => NO_ARGUMENTS;
  const positional: Evaluate[] = [];
  const named: [string, Evaluate][] = [...more];
  for (const node of nodes) {
    if (node.type === 'SpreadExpression' || node.type === 'KeywordSpreadExpression') {
      return compileSpread(nodes, { names, compile }, more);
    }
    if (node.type === 'KeywordArgumentExpression') named.push([keywordOf(node), compile(node.value, names)]);
    else positional.push(compile(node, names));
  }
  if (named.length === 0) return (run) => ({ positional: positional.map((item) => item(run)), named: undefined });
  return (run) => ({
    positional: positional.map((item) => item(run)),
    named: new Map(named.map(([name, item]) => [name, item(run)])),
  });
}

function keywordOf({ key }: Extract<Node, { type: 'KeywordArgumentExpression' }>): string {
  if (key.type !== 'Identifier') throw new TemplateSyntaxError('expected the name of an argument');
  return key.value;
}

interface CollectedArguments {
  readonly positional: Value[];
  readonly named: Map<string, Value>;
}

/** `f(*items, **members)` */
function compileSpread(nodes: readonly Node[], compiling: Compiling, more: MoreArguments): (run: Run) => CallArguments {
  const adding = nodes.map((node) => compileArgument(node, compiling));
  return (run) => {
    const collected: CollectedArguments = { positional: [], named: new Map() };
    for (const [name, item] of more) collected.named.set(name, item(run));
    for (const add of adding) add(run, collected);
    const { positional, named } = collected;
    return { positional, named: named.size === 0 ? undefined : named };
  };
}

function compileArgument(node: Node, { names, compile }: Compiling): (run: Run, collected: CollectedArguments) => void {
  if (node.type === 'KeywordArgumentExpression') {
    const name = keywordOf(node);
    const value = compile(node.value, names);
    return (run, { named }) => setArgument(named, name, value(run));
  }
  const value = compile('argument' in node && node.type.endsWith('SpreadExpression') ? node.argument : node, names);
  if (node.type === 'SpreadExpression') {
    return (run, { positional }) => {
      const items = iterate(run, value(run));
      run.step(items.length);
      for (const item of items) positional.push(item);
    };
  }
  if (node.type !== 'KeywordSpreadExpression') return (run, { positional }) => void positional.push(value(run));
  return (run, { named }) => {
    const members = value(run);
    if (!isMapping(members)) throw fault(`'**' needs a dict, not ${typeName(members)}`);
    const entries = mappingEntries(members);
    run.step(entries.length);
    for (const [name, item] of entries) setArgument(named, expectText(name, 'the name of an argument'), item);
  };
}

function setArgument(named: Map<string, Value>, name: string, value: Value): void {
  if (named.has(name)) throw fault(`the argument '${name}' is given twice`);
  named.set(name, value);
}
