import type { JsonObject } from '../../../../../ports/index.ts';
import { type Path, valueAt } from '../../forms/document.ts';

/**
 * Returns the rule with only the template at this place: it hits every host, and of a list of outcomes it has the one with the
 * template. So its changes are the template's result. A template in a condition is tried with the rule unchanged.
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
