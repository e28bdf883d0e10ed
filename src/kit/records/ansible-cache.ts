import type { JsonValue } from '../../ports/index.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { isJsonObject } from '../json/json-object.ts';

const MEMBER = '__payload__';
const PREFIX = 's1_';

/** The name of the host whose file of ansible-core's cache of facts this is; since 2.19 its name begins with `s1_`. */
export function isCacheName(host: string): boolean {
  return host.startsWith(PREFIX);
}

/** The host of a file of ansible-core's cache of facts, which keeps them as text in JSON since 2.19. `undefined` for other documents. */
export function cachedFacts(
  document: JsonValue,
  host: string,
): { readonly facts: JsonValue | undefined; readonly host: string } | undefined {
  if (!isJsonObject(document) || Object.keys(document).length !== 1 || typeof document[MEMBER] !== 'string') {
    return undefined;
  }
  return { facts: parsed(document[MEMBER]), host: isCacheName(host) ? host.slice(PREFIX.length) : host };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseExact(text, { inexact: true }) as JsonValue;
  } catch {
    return undefined;
  }
}
