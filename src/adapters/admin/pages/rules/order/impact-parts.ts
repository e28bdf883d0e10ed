import type { JsonObject } from '../../../../../ports/index.ts';

/** A rule as it would be stored. */
export interface PlacedRule {
  /** The id of its type. */
  readonly type: string;
  readonly document: JsonObject;
  /** The inventory that it has a part in; `undefined`: all of them. */
  readonly provider: string | undefined;
}

/** Request for one inventory. */
export interface ImpactPart {
  readonly provider: string;
  readonly rules: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Changed rules by the inventories that they have a part in, in the order in which they come. */
export function partsOf(changed: readonly PlacedRule[], inventories: readonly string[]): readonly ImpactPart[] {
  const parts = new Map<string, Record<string, JsonObject[]>>();
  for (const { type, document, provider } of changed) {
    for (const name of provider === undefined ? inventories : [provider]) {
      const rules = parts.get(name) ?? {};
      rules[type] = [...(rules[type] ?? []), document];
      parts.set(name, rules);
    }
  }
  return [...parts].map(([provider, rules]) => ({ provider, rules }));
}
