import type { JsonValue } from '../../../../ports/index.ts';
import { setOwn } from './own-property.ts';

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Keeps the labels that an account gives. Patterns are exact names or prefixes with a trailing `*`; a leading `!` takes
 * names away again. Only exclusions: everything else passes. No pattern: `undefined`, for everything.
 */
export function ownedLabels(patterns: readonly string[]): ((labels: Fields) => Fields) | undefined {
  if (patterns.length === 0) return undefined;
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => matcher(pattern.slice(1)));
  const included = patterns.filter((pattern) => !pattern.startsWith('!')).map(matcher);
  const owns = (key: string): boolean =>
    (included.length === 0 || included.some((matches) => matches(key))) && !excluded.some((matches) => matches(key));
  return (labels) => {
    const owned: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(labels)) if (owns(key)) setOwn(owned, key, value);
    return owned;
  };
}

function matcher(pattern: string): (key: string) => boolean {
  if (!pattern.endsWith('*')) return (key) => key === pattern;
  const prefix = pattern.slice(0, -1);
  return (key) => key.startsWith(prefix);
}
