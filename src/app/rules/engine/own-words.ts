import { FILTERS } from '../../../jinja/filters.ts';
import { OPERATORS } from './operators.ts';

/** Returns the built-in words of the rule language, which plugins cannot take. */
export function ownWords(): { readonly filters: ReadonlySet<string>; readonly operators: ReadonlySet<string> } {
  return { filters: new Set(FILTERS.keys()), operators: new Set(OPERATORS) };
}
