import { isTrue } from './compare.ts';
import { fault } from './fault.ts';
import type { Compiling } from './names.ts';
import type { ArithmeticOperator } from './number.ts';
import { COMPARISONS, concatText, operate } from './operators.ts';
import type { Evaluate } from './run.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';

const MOST_OPERATORS = 200;

type Binary = Extract<Node, { type: 'BinaryExpression' }>;

/** Operators between two operands. Chains of comparisons and sums are taken as a whole. */
export function compileBinary(node: Binary, compiling: Compiling): Evaluate {
  const { names, compile } = compiling;
  const operator = node.operator.value;
  if (operator === 'and' || operator === 'or') {
    const left = compile(node.left, names);
    const right = compile(node.right, names);
    const wanted = operator === 'or';
    return (run) => {
      const value = left(run);
      return isTrue(run, value) === wanted ? value : right(run);
    };
  }
  if (COMPARISONS.has(operator)) return compileComparison(node, compiling);
  if (operator === '~' || operator === '+' || operator === '-') return compileAdditive(node, compiling);
  return compileArithmetic(operator, compile(node.left, names), compile(node.right, names));
}

function compileArithmetic(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  const known = operator as ArithmeticOperator;
  if (!['+', '-', '*', '/', '//', '%', '**'].includes(operator))
    throw new TemplateSyntaxError(`unexpected '${operator}'`);
  return (run) => operate(run, known, left(run), right(run));
}

/** The parser nests `a < b < c` to the left; parentheses are calls, so that the left spine is the chain. */
function spine(node: Binary, belongs: (operator: string) => boolean): { first: Node; rest: [string, Node][] } {
  const rest: [string, Node][] = [];
  let current: Node = node;
  while (current.type === 'BinaryExpression' && belongs(current.operator.value)) {
    rest.unshift([current.operator.value, current.right]);
    current = current.left;
  }
  return { first: current, rest };
}

function compileComparison(node: Binary, { names, compile }: Compiling): Evaluate {
  const { first, rest } = spine(node, (operator) => COMPARISONS.has(operator));
  const start = compile(first, names);
  const steps = rest.map(([operator, operand]) => {
    const decide = COMPARISONS.get(operator);
    if (!decide) throw new TemplateSyntaxError(`unexpected '${operator}'`);
    return { decide, operand: compile(operand, names) };
  });
  const [only] = steps;
  if (only && steps.length === 1) return (run) => only.decide(run, start(run), only.operand(run));
  return (run) => {
    let left = start(run);
    for (const { decide, operand } of steps) {
      const right = operand(run);
      if (!decide(run, left, right)) return false;
      left = right;
    }
    return true;
  };
}

/** In Jinja `~` binds tighter than `+` and `-`; the parser has them on one level. */
function compileAdditive(node: Binary, { names, compile }: Compiling): Evaluate {
  const { first, rest } = spine(node, (operator) => operator === '~' || operator === '+' || operator === '-');
  let joined = [compile(first, names)];
  let result: Evaluate | undefined;
  let pending = '+';
  const finish = () => {
    const part = concatenation(joined);
    result = result ? compileArithmetic(pending, result, part) : part;
  };
  if (rest.length > MOST_OPERATORS) throw new TemplateSyntaxError('an expression is too long');
  for (const [operator, operand] of rest) {
    const compiled = compile(operand, names);
    if (operator === '~') joined.push(compiled);
    else {
      finish();
      pending = operator;
      joined = [compiled];
    }
  }
  finish();
  if (!result) throw fault('an empty expression');
  return result;
}

function concatenation(parts: readonly Evaluate[]): Evaluate {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (run) =>
    concatText(
      run,
      parts.map((part) => part(run)),
    );
}
