import { AppError, type JsonValue } from '../../../ports/index.ts';
import { saidFault } from '../../kernel/template-fault.ts';
import { detailOf, worded } from '../../kernel/worded.ts';
import { compileTemplate, type TemplateOptions, TemplateSyntaxError } from '../../templating/template.ts';

/** What a hostname template can read of a record. */
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
  const template = compile(source, options, option);
  return (scope) => {
    const result = template.render(scope);
    if (!result.ok) throw new Error(result.error.message);
    return result.text;
  };
}

function compile(source: string, options: TemplateOptions, option: string): ReturnType<typeof compileTemplate> {
  try {
    return compileTemplate(source, options);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw new AppError(
      'invalid_input',
      worded`${{ option }} does not compile: ${{ reason: saidFault(error.message) }}`,
      {
        details: [detailOf(option, saidFault(error.message))],
        cause: error,
      },
    );
  }
}
