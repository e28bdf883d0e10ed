import { AppError, TemplateFault, type TextTemplates } from '../../../ports/index.ts';
import { saidFault } from '../../kernel/template-fault.ts';
import { detailOf, worded } from '../../kernel/worded.ts';
import { compileTemplate, TemplateSyntaxError } from '../../templating/template.ts';

/** The engine takes blanks off both ends, which count in a file. This stands there meanwhile; no text of people has it. */
const EDGE = '\u{F0001}';

/** Templates in options of targets, by the engine of rules. */
export const textTemplates: TextTemplates = {
  compile(option, source) {
    const template = compiled(option, `${EDGE}${source}${EDGE}`);
    return {
      names: template.names,
      render(values) {
        const result = template.render({ get: (name) => values.get(name), attributes: () => values.all() });
        if (!result.ok) throw new TemplateFault(`${option}: ${result.error.message}`);
        return result.text.slice(EDGE.length, -EDGE.length);
      },
    };
  },
};

function compiled(option: string, source: string): ReturnType<typeof compileTemplate> {
  try {
    return compileTemplate(source);
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
