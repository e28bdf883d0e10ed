import { compileTemplate, type Template, type TemplateOptions, TemplateSyntaxError } from '../../jinja/template.ts';
import { AppError } from '../../ports/index.ts';
import { saidFault } from '../template-fault.ts';
import { detailOf, worded } from '../worded.ts';

/** Compiles the template of an option. Throws `AppError('invalid_input')`, which names the option, if it does not compile. */
export function compileOption(option: string, source: string, options: TemplateOptions = {}): Template {
  try {
    return compileTemplate(source, options);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    const reason = saidFault(error.message);
    throw new AppError('invalid_input', worded`${{ option }} does not compile: ${{ reason }}`, {
      details: [detailOf(option, reason)],
      cause: error,
    });
  }
}
