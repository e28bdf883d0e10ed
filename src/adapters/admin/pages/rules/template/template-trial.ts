import type { JsonObject } from '../../../../../ports/index.ts';
import { type Path, valueAt } from '../../forms/document.ts';

/**
 * The rule with nothing but the template at this place: it hits every host, and of a list of outcomes it has the one that the template
 * is in. So what it changes is what the template gives. A template in a condition is tried with the rule as it is.
 */
export function templateTrial(document: JsonObject, path: Path): JsonObject {
  const [list, index] = path;
  if (list === 'conditions') return { ...document, enabled: true };
  const row = typeof list === 'string' && typeof index === 'number' ? valueAt(document, [list, index]) : undefined;
  return {
    ...document,
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    ...(typeof list === 'string' && row !== undefined && { [list]: [row] }),
  };
}
