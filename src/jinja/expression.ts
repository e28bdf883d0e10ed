import { compileBinary } from './binary-expression.ts';
import type { Callable } from './call.ts';
import { invoke } from './call.ts';
import { compileArguments, type MoreArguments } from './call-arguments.ts';
import { dictKey, isTrue } from './compare.ts';
import { Fault, fault } from './fault.ts';
import { ALL_TESTS, applyFilter, FILTERS } from './filters.ts';
import { FUNCTIONS } from './functions.ts';
import { CHANGING_METHODS, callMethod } from './methods.ts';
import { compileLateName, compileName } from './name-reference.ts';
import type { Compiling, Names } from './names.ts';
import { parseInteger } from './number.ts';
import { member, negative, positive, slice } from './operators.ts';
import type { Evaluate, Run } from './run.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { INTERNAL } from './tokens.ts';
import {
  type CallArguments,
  float,
  PyCallable,
  tuple,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

const MAX_DEPTH = 200;

/** Compiles an expression into a closure; everything that is known beforehand is looked up here, once. */
export function compileExpression(node: Node, names: Names): Evaluate {
  if (++names.depth > MAX_DEPTH) throw new TemplateSyntaxError('an expression is nested too deeply');
  const evaluate = compileNode(node, names);
  names.depth--;
  return evaluate;
}

function compiling(names: Names): Compiling {
  return { names, compile: compileExpression };
}

function compileNode(node: Node, names: Names): Evaluate {
  switch (node.type) {
    case 'StringLiteral':
    case 'IntegerLiteral': {
      const { value } = node;
      return () => value;
    }
    case 'FloatLiteral': {
      const value = float(node.value);
      return () => value;
    }
    case 'Identifier':
      return compileName(node.value, names);
    case 'ArrayLiteral':
      return compileList(node.value, names);
    case 'TupleLiteral': {
      const items = compileList(node.value, names);
      return (run) => tuple(items(run) as readonly Value[]);
    }
    case 'ObjectLiteral':
      return compileDict(node.value, names);
    case 'MemberExpression':
      return compileMember(node, names);
    case 'CallExpression':
      return compileCall(node, names);
    case 'FilterExpression':
      return compileFilter(compileExpression(node.operand, names), node.filter, names);
    case 'BinaryExpression':
      return compileBinary(node, compiling(names));
    case 'UnaryExpression':
      return compileUnary(node, names);
    case 'Ternary':
      return compileChoice(node.condition, node.trueExpr, node.falseExpr, names);
    case 'SelectExpression':
      return compileChoice(node.test, node.lhs, undefined, names);
    default:
      throw new TemplateSyntaxError(`${node.type} is not supported here`);
  }
}

function compileList(nodes: readonly Node[], names: Names): Evaluate {
  const items = nodes.map((node) => compileExpression(node, names));
  return (run) => {
    run.step(items.length);
    return items.map((item) => item(run));
  };
}

function compileDict(entries: ReadonlyMap<Node, Node>, names: Names): Evaluate {
  const pairs = [...entries].map(
    ([key, value]) => [compileExpression(key, names), compileExpression(value, names)] as const,
  );
  return (run) => {
    run.step(pairs.length);
    const dict = new Map<Value, Value>();
    for (const [key, value] of pairs) dict.set(dictKey(key(run)), value(run));
    return dict;
  };
}

function compileMember(node: Extract<Node, { type: 'MemberExpression' }>, names: Names): Evaluate {
  const known = staticAttribute(node, names);
  if (known !== undefined) return known;
  const object = compileOwner(node.object, names);
  const { property } = node;
  if (property.type === 'SliceExpression') {
    const bounds = [property.start, property.stop, property.step].map((bound) =>
      bound ? compileExpression(bound, names) : undefined,
    );
    return (run) =>
      slice(
        run,
        object(run),
        bounds.map((bound) => bound?.(run)),
      );
  }
  if (!node.computed && property.type === 'Identifier') {
    const key = property.value;
    return (run) => member(run, object(run), key);
  }
  const key = compileExpression(property, names);
  return (run) => member(run, object(run), key(run));
}

/** Compiles the object before a dot or bracket: a name without a variable may stand for several that the scope combines. */
function compileOwner(node: Node, names: Names): Evaluate {
  const owner = compileExpression(node, names);
  if (node.type !== 'Identifier' || names.isLocal(node.value)) return owner;
  const name = node.value;
  return (run) => {
    const value = owner(run);
    if (!(value instanceof Undefined)) return value;
    const nested = run.scope.nested?.(name);
    return nested === undefined ? value : (nested as Value);
  };
}

/** `attributes["app.kubernetes.io/name"]`: one look-up, and the name is known beforehand. */
function staticAttribute({ object, property, computed }: Extract<Node, { type: 'MemberExpression' }>, names: Names) {
  if (object.type !== 'Identifier' || object.value !== 'attributes' || names.changesValues) return undefined;
  if (names.isLocal('attributes')) return undefined;
  const isName = property.type === 'StringLiteral' || (property.type === 'Identifier' && !computed);
  if (!isName) return undefined;
  const name = property.value;
  names.read.add(name);
  return (run: Run): Value => {
    const value = run.scope.attributes().get(name);
    return value === undefined ? new Undefined(name, run.scope.lenient) : (value as Value);
  };
}

function compileCall(node: Extract<Node, { type: 'CallExpression' }>, names: Names): Evaluate {
  const { callee } = node;
  if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
    const object = compileOwner(callee.object, names);
    const method = callee.property.value;
    if (CHANGING_METHODS.has(method)) names.callsChange = true;
    const args = compileArguments(node.args, compiling(names));
    return (run) => callMethod(run, object(run), method, args(run));
  }
  if (callee.type !== 'Identifier') return compileValueCall(compileExpression(callee, names), node.args, names);
  if (callee.value.startsWith(INTERNAL)) return compileInternal(callee.value.slice(1), node.args, names);
  return compileNamedCall(node, names);
}

/** A macro of the template, or a function. */
export function compileNamedCall(
  { callee, args: nodes }: Extract<Node, { type: 'CallExpression' }>,
  names: Names,
  more?: MoreArguments,
): Evaluate {
  if (callee.type !== 'Identifier') throw new TemplateSyntaxError('expected the name of a function');
  const { value: name } = callee;
  const found = names.functionNamed(name);
  if (names.isLocal(name)) return compileValueCall(compileExpression(callee, names), nodes, names, more);
  if (!found) {
    if (names.frames.length === 0) throw new TemplateSyntaxError(`there is no function '${name}'`);
    names.lateFunctions.add(name);
    return compileValueCall(
      compileLateName(name, names, () => new Undefined(name)),
      nodes,
      names,
      more,
    );
  }
  if (!FUNCTIONS.has(name)) names.isImpure = true;
  const args = compileArguments(nodes, compiling(names), more);
  return (run) => invoke(run, found, null, args(run));
}

function compileValueCall(callee: Evaluate, nodes: readonly Node[], names: Names, more?: MoreArguments): Evaluate {
  const args = compileArguments(nodes, compiling(names), more);
  return (run) => {
    const value = callee(run);
    if (value instanceof Undefined) throw undefinedFault(value);
    if (!(value instanceof PyCallable)) throw fault(`a value of type ${typeName(value)} cannot be called`);
    return value.invoke(run, args(run));
  };
}

/** Parentheses, tuples, large integers and account fields, as the tokens spell them. */
function compileInternal(name: string, args: readonly Node[], names: Names): Evaluate {
  if (args.some((arg) => arg.type === 'KeywordArgumentExpression' || arg.type.endsWith('SpreadExpression'))) {
    throw new TemplateSyntaxError("unexpected '=' or '*' in parentheses");
  }
  const [first, second] = args;
  if (name === 'tuple') {
    const items = compileList(args, names);
    return (run) => tuple(items(run) as readonly Value[]);
  }
  if (name === 'integer' && first?.type === 'StringLiteral') {
    const value = parseInteger(first.value) ?? null;
    return () => value;
  }
  if (name === 'group' && first) return compileExpression(first, names);
  if (name === 'account' && first?.type === 'StringLiteral' && second?.type === 'StringLiteral') {
    return compileAccount(first.value, second.value, names);
  }
  throw new TemplateSyntaxError('unexpected parentheses');
}

function compileAccount(account: string, field: string, names: Names): Evaluate {
  const { macros } = names;
  names.isImpure = true;
  return (run) => {
    run.step();
    const value = macros?.(account, field);
    if (value === undefined) throw new Fault('undefined', `the account field '${account}:${field}' is undefined`);
    return value;
  };
}

export function compileFilter(operand: Evaluate, filter: Node, names: Names): Evaluate {
  const call = filter.type === 'CallExpression' ? filter : undefined;
  const target = call ? call.callee : filter;
  if (target.type !== 'Identifier') throw new TemplateSyntaxError("unexpected '.', '[' or '(' after a filter");
  const args = compileArguments(call?.args ?? [], compiling(names));
  if (target.value.startsWith(INTERNAL)) {
    const [verb = '', name = ''] = target.value.slice(1).split(':');
    return compileTest(operand, name, verb === 'isnot', args);
  }
  const found = FILTERS.get(target.value) ?? names.filterNamed(target.value);
  if (!found) throw new TemplateSyntaxError(`there is no filter '${target.value}'`);
  return (run) => applyFilter(run, found, operand(run), args(run));
}

function compileTest(operand: Evaluate, name: string, negated: boolean, args: (run: Run) => CallArguments): Evaluate {
  if (name === 'defined') return (run) => operand(run) instanceof Undefined === negated;
  if (name === 'undefined') return (run) => operand(run) instanceof Undefined !== negated;
  const test: Callable<Value> | undefined = ALL_TESTS.get(name);
  if (!test) throw new TemplateSyntaxError(`there is no test '${name}'`);
  return (run) => isTrue(run, invoke(run, test, operand(run), args(run))) !== negated;
}

function compileUnary(node: Extract<Node, { type: 'UnaryExpression' }>, names: Names): Evaluate {
  const argument = compileExpression(node.argument, names);
  switch (node.operator.value) {
    case 'not':
      return (run) => !isTrue(run, argument(run));
    case '-':
      return (run) => negative(argument(run));
    case '+':
      return (run) => positive(argument(run));
    default:
      throw new TemplateSyntaxError(`unexpected '${node.operator.value}'`);
  }
}

function compileChoice(test: Node, yes: Node, no: Node | undefined, names: Names): Evaluate {
  const condition = compileExpression(test, names);
  const accepted = compileExpression(yes, names);
  const rejected = no ? compileExpression(no, names) : undefined;
  return (run) => {
    if (isTrue(run, condition(run))) return accepted(run);
    return rejected ? rejected(run) : new Undefined("an 'if' without 'else'", true);
  };
}
