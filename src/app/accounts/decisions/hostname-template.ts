import { AppError } from '../../../ports/index.ts';
import type { HostnameTemplate } from '../../runs/import/decisions/prepare-record.ts';
import { compileTemplate, type TemplateOptions, TemplateSyntaxError } from '../../templating/template.ts';

/**
 * Compiles `rewrite_hostname`; `undefined` when the account has none. Throws `AppError('invalid_input')` for a template
 * that does not compile.
 */
export function compileHostnameTemplate(source: string, options: TemplateOptions = {}): HostnameTemplate | undefined {
  if (source.trim() === '') return undefined;
  const template = compile(source, options);
  return (scope) => {
    const result = template.render(scope);
    if (!result.ok) throw new Error(result.error.message);
    return result.text;
  };
}

function compile(source: string, options: TemplateOptions): ReturnType<typeof compileTemplate> {
  try {
    return compileTemplate(source, options);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw new AppError('invalid_input', `rewrite_hostname does not compile: ${error.message}`, {
      details: [{ path: 'rewrite_hostname', message: error.message }],
      cause: error,
    });
  }
}
