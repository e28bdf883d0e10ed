import { FILTERS } from '../../../jinja/filters.ts';
import { OPERATORS } from './operators.ts';

/** What the language of rules has by itself, which no plugin can take. */
export function ownWords(): { readonly filters: ReadonlySet<string>; readonly operators: ReadonlySet<string> } {
  return { filters: new Set(FILTERS.keys()), operators: new Set(OPERATORS) };
}
