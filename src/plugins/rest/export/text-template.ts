import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { compileValue, textOfValue } from './value-template.ts';

/** Renders to the empty text if the template is a name without a value. */
export type TextTemplate = (values: RequestValues) => string;

export function compileText(place: string, source: string): TextTemplate {
  const render = compileValue(place, source);
  return (values) => textOfValue(render(values));
}
