import { compileExpression, compileNamedCall } from './expression.ts';
import { activationsOf } from './frame.ts';
import { Macro, type MacroDefinition, type MacroParameter } from './macro.ts';
import type { Names } from './names.ts';
import type { Run } from './run.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { toText } from './text.ts';
import type { Value } from './value.ts';

type Execute = (run: Run) => void;
type CompileBody = (nodes: readonly Node[], names: Names) => Execute;

/** `{% macro name(a, b=1) %}`. The name is known in its own body, so that a macro may call itself. */
export function compileMacro(node: Extract<Node, { type: 'Macro' }>, names: Names, compileBody: CompileBody): Execute {
  if (node.name.type !== 'Identifier') throw new TemplateSyntaxError('expected the name of a macro');
  const { value: name } = node.name;
  const slot = names.declare(name);
  const make = compileDefinition(name, node.args, node.body, names, compileBody);
  return (run) => {
    run.slots[slot] = make(run);
  };
}

/** Compiles `{% call(a) name(…) %}`: the content becomes a macro that the called one finds as `caller`. */
export function compileCallBlock(
  node: Extract<Node, { type: 'CallStatement' }>,
  names: Names,
  compileBody: CompileBody,
): Execute {
  const make = compileDefinition('caller', node.callerArgs ?? [], node.body, names, compileBody);
  const call = compileNamedCall(node.call, names, new Map([['caller', make]]));
  return (run) => run.emit(toText(run, call(run)));
}

function compileDefinition(
  name: string,
  parameters: readonly Node[],
  body: readonly Node[],
  names: Names,
  compileBody: CompileBody,
): (run: Run) => Value {
  const enclosing = names.frames;
  const { result, frame } = names.inFrame(() => {
    // Those that are not used cost nothing but their slots.
    const callerSlot = names.declare('caller');
    const keywordsSlot = names.declare('kwargs');
    const restSlot = names.declare('varargs');
    const compiled = compileParameters(parameters, names);
    const given = new Set(compiled.map((parameter) => parameter.name));
    const execute = compileBody(body, names);
    const used = (special: string, slot: number) => (names.isRead(special) && !given.has(special) ? slot : undefined);
    return {
      parameters: compiled,
      callerSlot: used('caller', callerSlot),
      keywordsSlot: used('kwargs', keywordsSlot),
      restSlot: used('varargs', restSlot),
      execute,
    };
  });
  const { execute, ...slots } = result;
  const definition: MacroDefinition = { name, frame, statements: body.length, body: execute, ...slots };
  return (run) => new Macro(definition, activationsOf(run, enclosing));
}

/** A default may use the parameters before it. */
function compileParameters(nodes: readonly Node[], names: Names): readonly MacroParameter[] {
  const seen = new Set<string>();
  return nodes.map((node) => {
    const key = node.type === 'KeywordArgumentExpression' ? node.key : node;
    if (key.type !== 'Identifier') throw new TemplateSyntaxError('expected the name of a parameter');
    const name = key.value;
    if (seen.has(name)) throw new TemplateSyntaxError(`the parameter '${name}' occurs twice`);
    seen.add(name);
    const fallback = node.type === 'KeywordArgumentExpression' ? compileExpression(node.value, names) : undefined;
    return { name, slot: names.declare(name), fallback };
  });
}
