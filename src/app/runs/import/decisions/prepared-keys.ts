import type { SourceRecord } from '../../../../ports/index.ts';
import { inspectKey, keyText } from '../../../hosts/decisions/host-keys.ts';

/** What a record is known by. */
export interface PreparedKeys {
  /** `serial=J4711`, each once, in byte order. */
  readonly texts: readonly string[];
  /** What is wrong with those that cannot be kept. */
  readonly refusals: readonly string[];
}

/** More are no keys of one thing. */
const MOST_KEYS = 1_000;

/** Brings the keys of a record into the form in which they are the same everywhere. */
export function preparedKeys(
  keys: NonNullable<SourceRecord['keys']>,
  {
    worthless,
    isNull,
  }: { readonly worthless?: readonly string[] | undefined; readonly isNull?: (value: string) => boolean } = {},
): PreparedKeys {
  const texts = new Set<string>();
  const refusals: string[] = [];
  for (const [name, values] of Object.entries(keys)) {
    for (const value of values) {
      if (isNull?.(value) === true) continue;
      const key = inspectKey(name, value, worthless);
      if (!key.ok) refusals.push(key.message);
      else if (key.value !== undefined) texts.add(keyText(key.value));
    }
  }
  if (texts.size <= MOST_KEYS) return { texts: [...texts].sort(), refusals };
  return { texts: [], refusals: [...refusals, `${texts.size} keys are more than ${MOST_KEYS}, and none is kept`] };
}
