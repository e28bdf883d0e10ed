import { isTrue } from './compare.ts';
import { compileExpression, compileFilter } from './expression.ts';
import { fault } from './fault.ts';
import { type Frame, outputOfCall } from './frame.ts';
import { Loop } from './loop.ts';
import { compileCallBlock, compileMacro } from './macro-statement.ts';
import type { Names } from './names.ts';
import type { Evaluate, Run } from './run.ts';
import { iterate } from './sequence.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { toText } from './text.ts';
import { INTERNAL, RECURSIVE, WITH } from './tokens.ts';
import { PyNamespace, type Value } from './value.ts';

export type Execute = (run: Run) => void;

export function compileBody(nodes: readonly Node[], names: Names): Execute {
  const statements = nodes.filter((node) => node.type !== 'Comment').map((node) => compileStatement(node, names));
  const [first] = statements;
  if (first && statements.length === 1) return first;
  return (run) => {
    for (const statement of statements) statement(run);
  };
}

function compileStatement(node: Node, names: Names): Execute {
  switch (node.type) {
    case 'If':
      return compileIf(node, names);
    case 'For':
      return compileFor(node, names);
    case 'Set':
      return compileSet(node, names);
    case 'FilterStatement':
      return compileFilterBlock(node, names);
    case 'Macro':
      return compileMacro(node, names, compileBody);
    case 'CallStatement':
      return isWith(node) ? compileWith(node, names) : compileCallBlock(node, names, compileBody);
    case 'Break':
    case 'Continue':
      throw new TemplateSyntaxError(`'${node.type.replace('Statement', '').toLowerCase()}' is not supported`);
    case 'StringLiteral': {
      const { value } = node;
      return (run) => run.emit(value);
    }
    default: {
      const value = compileExpression(node, names);
      return (run) => run.emit(toText(run, value(run)));
    }
  }
}

type If = Extract<Node, { type: 'If' }>;

/** `elif` is an `if` alone in the alternate of another; a loop here, so that long chains need no stack. */
function compileIf(node: If, names: Names): Execute {
  const branches: { test: Evaluate; body: Execute }[] = [];
  let current: If = node;
  for (;;) {
    const test = compileExpression(current.test, names);
    const { body } = current;
    branches.push({ test, body: names.inBranch(() => compileBody(body, names)) });
    const [only] = current.alternate;
    if (current.alternate.length !== 1 || only?.type !== 'If') break;
    current = only;
  }
  const { alternate } = current;
  const otherwise = names.inBranch(() => compileBody(alternate, names));
  return (run) => {
    for (const { test, body } of branches) if (isTrue(run, test(run))) return body(run);
    return otherwise(run);
  };
}

type Assign = (run: Run, value: Value) => void;

/** A name, or names for the parts of a value. */
function compileTarget(node: Node, names: Names): Assign {
  if (node.type === 'Identifier') {
    const slot = names.declare(node.value);
    return (run, value) => {
      run.slots[slot] = value;
    };
  }
  const parts = targetParts(node);
  if (!parts) throw new TemplateSyntaxError('only names can be assigned to');
  const targets = parts.map((part) => compileTarget(part, names));
  return (run, value) => {
    const items = iterate(run, value);
    if (items.length !== targets.length) throw fault(`expected ${targets.length} values, got ${items.length}`);
    for (const [index, target] of targets.entries()) target(run, items[index]!);
  };
}

/** The name that the tokens marked. */
function plainTarget(node: Node): Node {
  return node.type === 'Identifier' ? { type: 'Identifier', value: node.value.slice(RECURSIVE.length) } : node;
}

function targetParts(node: Node): readonly Node[] | undefined {
  if (node.type === 'TupleLiteral') return node.value;
  const isTuple =
    node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.value === `${INTERNAL}tuple`;
  return isTuple ? node.args : undefined;
}

function compileFor(node: For, names: Names): Execute {
  const select = node.iterable.type === 'SelectExpression' ? node.iterable : undefined;
  const source = compileExpression(select ? select.lhs : node.iterable, names);
  const isRecursive = node.loopvar.type === 'Identifier' && node.loopvar.value.startsWith(RECURSIVE);
  const compile = () => compileRound(node, select?.test, isRecursive, names);
  const block: CompiledRounds = isRecursive ? names.inFrame(compile) : names.inBlock(compile);
  const otherwise = names.inBranch(() => compileBody(node.defaultBlock, names));
  const rounds = runRounds(block, otherwise);
  return (run) => rounds(run, source(run), 1);
}

type For = Extract<Node, { type: 'For' }>;

interface Round {
  readonly assign: Assign;
  readonly condition: Evaluate | undefined;
  readonly loopSlot: number;
  readonly body: Execute;
}

interface CompiledRounds {
  readonly result: Round;
  readonly slots: readonly number[];
  /** The frame of a recursive loop. */
  readonly frame?: Frame;
}

function compileRound({ loopvar, body }: For, test: Node | undefined, isRecursive: boolean, names: Names): Round {
  const target = isRecursive ? plainTarget(loopvar) : loopvar;
  const assign = compileTarget(target, names);
  const condition = test ? compileExpression(test, names) : undefined;
  const loopSlot = names.declare('loop');
  return { assign, condition, loopSlot, body: compileBody(body, names) };
}

type Rounds = (run: Run, source: Value, depth: number) => void;

function runRounds({ result, slots, frame }: CompiledRounds, otherwise: Execute): Rounds {
  const { assign, condition, loopSlot, body } = result;
  const clear = (run: Run) => {
    for (const slot of slots) run.slots[slot] = undefined;
  };
  const accept = (run: Run, items: readonly Value[]): readonly Value[] => {
    if (!condition) return items;
    return items.filter((item) => {
      run.step();
      clear(run);
      assign(run, item);
      return isTrue(run, condition(run));
    });
  };
  const rounds: Rounds = (run, source, depth) => {
    // A copy, because the body may change the list that it walks over.
    const items = accept(run, iterate(run, source).slice());
    run.step(items.length);
    if (items.length === 0) return otherwise(run);
    const deeper = frame && ((inner: Value) => outputOfCall(run, frame, () => rounds(run, inner, depth + 1)));
    const loop = new Loop(items, depth, deeper);
    for (const [index, item] of items.entries()) {
      clear(run);
      loop.index = index;
      run.slots[loopSlot] = loop;
      assign(run, item);
      body(run);
      run.step();
    }
    clear(run);
  };
  return rounds;
}

function compileSet(node: Extract<Node, { type: 'Set' }>, names: Names): Execute {
  const { assignee, filters } = filteredTarget(node);
  const captured = () =>
    filters.reduce<Evaluate>(
      (operand, filter) => compileFilter(operand, filter, names),
      capture(compileBody(node.body, names)),
    );
  const value = node.value ? compileExpression(node.value, names) : captured();
  if (assignee.type !== 'MemberExpression') {
    const assign = compileTarget(assignee, names);
    return (run) => assign(run, value(run));
  }
  const { property } = assignee;
  if (assignee.computed || property.type !== 'Identifier')
    throw new TemplateSyntaxError('only names can be assigned to');
  const object = compileExpression(assignee.object, names);
  const key = property.value;
  return (run) => {
    const space = object(run);
    if (!(space instanceof PyNamespace)) throw fault('only attributes of a namespace can be set');
    space.members.set(key, value(run));
  };
}

const MAX_FILTERS = 48;

/** `{% set x | upper %}…{% endset %}`: the parser takes the filters for a part of the name. */
function filteredTarget(node: Extract<Node, { type: 'Set' }>): { assignee: Node; filters: readonly Node[] } {
  let { assignee } = node;
  const filters: Node[] = [];
  while (assignee.type === 'FilterExpression' && !node.value) {
    filters.unshift(assignee.filter);
    if (filters.length > MAX_FILTERS) throw new TemplateSyntaxError('too many filters');
    assignee = assignee.operand;
  }
  return { assignee, filters };
}

type CallStatement = Extract<Node, { type: 'CallStatement' }>;

function isWith({ call }: CallStatement): boolean {
  return call.callee.type === 'Identifier' && call.callee.value === WITH;
}

/** `{% with a=1 %}`, as the tokens spell it. The values are those of outside, whatever their order. */
function compileWith({ call, body }: CallStatement, names: Names): Execute {
  const values = call.args.map((arg) => {
    if (arg.type !== 'KeywordArgumentExpression') throw new TemplateSyntaxError("'with' sets names: a=1, b=2");
    return { target: arg.key, value: compileExpression(arg.value, names) };
  });
  const { result, slots } = names.inBlock(() => ({
    targets: values.map(({ target }) => compileTarget(target, names)),
    body: compileBody(body, names),
  }));
  return (run) => {
    const given = values.map(({ value }) => value(run));
    for (const slot of slots) run.slots[slot] = undefined;
    for (const [index, target] of result.targets.entries()) target(run, given[index] as Value);
    result.body(run);
    for (const slot of slots) run.slots[slot] = undefined;
  };
}

/** The output of a block as a value. */
function capture(body: Execute): Evaluate {
  return (run) => {
    const outer = run.out;
    run.out = '';
    body(run);
    const text = run.out;
    run.out = outer;
    return text;
  };
}

function compileFilterBlock(node: Extract<Node, { type: 'FilterStatement' }>, names: Names): Execute {
  const filtered = compileFilter(capture(compileBody(node.body, names)), node.filter, names);
  return (run) => run.emit(toText(run, filtered(run)));
}
