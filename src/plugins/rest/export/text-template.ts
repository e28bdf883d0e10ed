import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { compileValue, textOfValue } from './value-template.ts';

/** Empty where it is a name that stands for nothing. */
export type TextTemplate = (values: RequestValues) => string;

export function compileText(place: string, source: string): TextTemplate {
  const render = compileValue(place, source);
  return (values) => textOfValue(render(values));
}
