import { InvalidArgumentError } from 'commander';

/** Collects the values of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `Must be a whole number, ${least} or more.`
          : `Must be from ${least} to ${most}.`,
      );
    }
    return number;
  };
}

/** `key=value`, split at the first equals sign. */
function keyAndValue(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Must look like key=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Result of `collectPairs`. */
export type Pairs = readonly (readonly [key: string, value: string])[];

/** Collects `key=value` options. */
export function collectPairs(text: string, previous: Pairs | undefined): Pairs {
  return [...(previous ?? []), keyAndValue(text)];
}
