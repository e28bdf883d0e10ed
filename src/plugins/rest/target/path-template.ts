import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isList } from '../../../kit/records/record-path.ts';
import type { JsonValue } from '../../../ports/index.ts';
import { compileText } from './text-template.ts';

/**
 * Compiles the path of a request. What the account says of itself stands in it as it is; data is encoded, and one that would
 * lead elsewhere (`..`, or nothing at all) is refused.
 */
export function compilePath(place: string, source: string, values: RequestValues): (data: RequestValues) => string {
  const render = compileText(place, source);
  const isOpen = hasEmptyPart(source.replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, 'x'));
  return (data) => {
    const path = render({ ...values, ...encodedMembers(data) });
    const leadsUp = path.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
    if (leadsUp || (!isOpen && hasEmptyPart(path))) {
      throw new Error(`${place}: a value is missing, or cannot stand in a path: ${path}`);
    }
    return path;
  };
}

function hasEmptyPart(path: string): boolean {
  const [address = ''] = path.split(/[?#]/);
  return address.slice(1).includes('//') || (address !== '' && address.endsWith('/'));
}

function encoded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return encodeURIComponent(value);
  if (isList(value)) return value.map(encoded);
  return isJsonObject(value) ? encodedMembers(value as RequestValues) : value;
}

function encodedMembers(data: RequestValues): RequestValues {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, encoded(value ?? null)]));
}
