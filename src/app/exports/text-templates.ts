import { compileOption } from '../../kit/options/option-template.ts';
import { TemplateFault, type TextTemplates } from '../../ports/index.ts';

/**
 * The engine strips blanks at both ends, which count in a file. This character protects them meanwhile; text written by people
 * does not contain it.
 */
const EDGE = '\u{F0001}';

/** Templates in options of targets, by the engine of rules. */
export const textTemplates: TextTemplates = {
  compile(option, source) {
    const template = compileOption(option, `${EDGE}${source}${EDGE}`);
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
