import type { TemplateOptions } from '../../jinja/template.ts';
import type { JsonValue } from '../../ports/index.ts';
import { compileOption } from './option-template.ts';

/** The part of a record that a hostname template can read. */
export interface RecordScope {
  get(name: string): JsonValue | undefined;
  /** Everything by name, made when it is asked for. */
  attributes(): ReadonlyMap<string, JsonValue>;
}

/** Renders the account's `rewrite_hostname` for one record. Throws when the template fails. */
export type HostnameTemplate = (scope: RecordScope) => string;

/**
 * Compiles an option that makes a hostname, `rewrite_hostname` when nothing else is said; `undefined` when the account has none. Throws `AppError('invalid_input')` for a template
 * that does not compile.
 */
export function compileHostnameTemplate(
  source: string,
  options: TemplateOptions = {},
  option = 'rewrite_hostname',
): HostnameTemplate | undefined {
  if (source.trim() === '') return undefined;
  const template = compileOption(option, source, options);
  return (scope) => {
    const result = template.render(scope);
    if (!result.ok) throw new Error(result.error.message);
    return result.text;
  };
}
