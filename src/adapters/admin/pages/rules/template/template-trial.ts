import type { JsonObject, JsonValue } from '../../../../../ports/index.ts';
import { type Path, valueAt } from '../../forms/document.ts';

/**
 * The rule with nothing but the template at this place: it hits every host, and of a list of outcomes it has the one that the template
 * is in. So what it changes is what the template gives.
 */
export function templateTrial(document: JsonObject, path: Path): JsonObject {
  const [list, index] = path;
  const row = typeof list === 'string' && typeof index === 'number' ? valueAt(document, [list, index]) : undefined;
  const alone: Record<string, JsonValue> = typeof list === 'string' && row !== undefined ? { [list]: [row] } : {};
  const conditions = isInCondition(path) ? document.conditions : [];
  return {
    ...document,
    enabled: true,
    ...(isInCondition(path) ? {} : { condition_typ: 'anyway' }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(isInCondition(path) ? {} : alone),
  };
}

function isInCondition([list]: Path): boolean {
  return list === 'conditions';
}
