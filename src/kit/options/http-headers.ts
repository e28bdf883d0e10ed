import { AppError } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** `'X-Key': "value"`, as Python writes it. */
const PAIR = /\s*(['"])((?:\\.|(?!\1).)*)\1\s*:\s*(['"])((?:\\.|(?!\3).)*)\3\s*(?:,|$)/gy;

/**
 * Headers of an option: a line `Name: value` each, pairs separated by `|` in one line, or an object in the words of JSON or Python.
 * Messages name no value.
 */
export function headersOf(option: string, text: string): Readonly<Record<string, string>> {
  const written = text.trim();
  const pairs = written.startsWith('{') ? objectPairs(option, written) : linePairs(option, written);
  for (const [name] of pairs) if (!NAME.test(name)) throw refused(option, 'has a name that no header can have');
  return Object.fromEntries(pairs);
}

type Pairs = readonly (readonly [name: string, value: string])[];

function linePairs(option: string, text: string): Pairs {
  // A value may contain the sign, where each header has a line.
  const parts = text.includes('\n') ? text.split('\n') : text.split('|');
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => {
      const colon = part.indexOf(':');
      if (colon < 1) throw refused(option, `must have "Name: value" in each line, and has none in number ${index + 1}`);
      return [part.slice(0, colon).trim(), part.slice(colon + 1).trim()] as const;
    });
}

function objectPairs(option: string, text: string): Pairs {
  const found = jsonPairs(text) ?? pythonPairs(text);
  if (found === undefined) throw refused(option, 'begins with { and is not an object of texts');
  return found;
}

function jsonPairs(text: string): Pairs | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value as never)) return undefined;
    const pairs = Object.entries(value as object);
    return pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string') ? pairs : undefined;
  } catch {
    return undefined;
  }
}

function pythonPairs(text: string): Pairs | undefined {
  if (!text.endsWith('}')) return undefined;
  const inner = text.slice(1, -1).trimEnd();
  let read = 0;
  const pairs: [string, string][] = [];
  for (const [whole, , name = '', , value = ''] of inner.matchAll(PAIR)) {
    read += whole.length;
    pairs.push([unescaped(name), unescaped(value)]);
  }
  return read === inner.length ? pairs : undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(['"\\])/g, '$1');
}

function refused(option: string, message: string): AppError {
  return new AppError('invalid_input', `${option} ${message}`);
}
