import { isTrue } from './compare.ts';
import { compileExpression, compileFilter, type Evaluate } from './expression.ts';
import { fault } from './fault.ts';
import { Loop } from './loop.ts';
import type { Names } from './names.ts';
import type { Run } from './run.ts';
import { iterate } from './sequence.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { toText } from './text.ts';
import { INTERNAL } from './tokens.ts';
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
    case 'CallStatement':
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
    const slot = names.declare(checkTargetName(node.value));
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

function targetParts(node: Node): readonly Node[] | undefined {
  if (node.type === 'TupleLiteral') return node.value;
  const isTuple =
    node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.value === `${INTERNAL}tuple`;
  return isTuple ? node.args : undefined;
}

const FIXED_NAMES: ReadonlySet<string> = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'not', 'in', 'if']);

function checkTargetName(name: string): string {
  if (FIXED_NAMES.has(name)) throw new TemplateSyntaxError(`'${name}' cannot be assigned to`);
  return name;
}

function compileFor(node: Extract<Node, { type: 'For' }>, names: Names): Execute {
  const select = node.iterable.type === 'SelectExpression' ? node.iterable : undefined;
  const source = compileExpression(select ? select.lhs : node.iterable, names);
  const block = names.inBlock(() => {
    const assign = compileTarget(node.loopvar, names);
    const condition = select ? compileExpression(select.test, names) : undefined;
    const loopSlot = names.declare('loop');
    return { assign, condition, loopSlot, body: compileBody(node.body, names) };
  });
  const { assign, condition, loopSlot, body } = block.result;
  const { slots } = block;
  const otherwise = names.inBranch(() => compileBody(node.defaultBlock, names));
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
  return (run) => {
    // A copy, because the body may change the list that it walks over.
    const items = accept(run, iterate(run, source(run)).slice());
    run.step(items.length);
    if (items.length === 0) return otherwise(run);
    const loop = new Loop(items);
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
}

function compileSet(node: Extract<Node, { type: 'Set' }>, names: Names): Execute {
  const value = node.value ? compileExpression(node.value, names) : capture(compileBody(node.body, names));
  const { assignee } = node;
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
