import { memberText, scalarText } from '../../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import { RuleCompileError, type RuleCompiler, type RuleHost } from '../../../ports/rule-type.ts';
import { readNameMode } from './modes.ts';

/** What happens to the attribute's name on a host. */
export type Names =
  | { readonly kind: 'keep' }
  /** An empty name keeps the old one. `literal`: the document says the name, and no template. */
  | { readonly kind: 'rename'; readonly literal: boolean; name(host: RuleHost): string }
  /** All attributes that begin with the old name. */
  | { readonly kind: 'prefix'; readonly to: string }
  /** The old attribute stays. */
  | { readonly kind: 'list'; names(host: RuleHost, old: JsonValue): readonly string[] };

export function compileNames(outcome: JsonObject, compiler: RuleCompiler): Names {
  const mode = readNameMode(memberText(outcome, 'overwrite_name'));
  const text = memberText(outcome, 'new_attribute_name');
  switch (mode) {
    case '':
      return { kind: 'keep' };
    case 'string':
      return { kind: 'rename', literal: true, name: () => text };
    case 'jinja': {
      const template = compiler.template(text);
      const { constant } = template;
      return {
        kind: 'rename',
        literal: constant !== undefined,
        name: (host) => constant ?? template.render(host) ?? '',
      };
    }
    case 'prefix':
      return { kind: 'prefix', to: text };
    case 'convert_list':
      return { kind: 'list', names: compileList(text, compiler) };
    case undefined:
      throw new RuleCompileError('overwrite_name must be empty, string, jinja, convert_list or prefix');
  }
}

function compileList(text: string, compiler: RuleCompiler): (host: RuleHost, old: JsonValue) => readonly string[] {
  const template = compiler.template(text);
  return (host, old) => {
    const rendered = template.render(host, new Map([['result', old]]));
    if (rendered === undefined || rendered === '') return [];
    const list = compiler.list(rendered);
    if (list === undefined) {
      host.report('new_attribute_name did not give a list');
      return [];
    }
    return list
      .flatMap((item) => (item === null ? [] : (scalarText(item)?.trim() ?? [])))
      .filter((name) => name !== '');
  };
}
