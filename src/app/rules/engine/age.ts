import { RuleCompileError } from '../../../ports/rule-type.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
  ['w', 7 * DAY],
]);
const AGE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([mhdw]?)$/;

/** Milliseconds of `30m`, `12h`, `2d` or `1w`; a number alone counts days. Throws `RuleCompileError` for everything else. */
export function readAge(text: string): number {
  const [, amount, unit = ''] = AGE.exec(text.trim().toLowerCase()) ?? [];
  if (amount === undefined) {
    throw new RuleCompileError(
      `${JSON.stringify(text)} is not an age; write a number of days, or a number with m, h, d or w behind it, like 30m, 12h, 2d or 1w`,
    );
  }
  return Number(amount) * (UNITS.get(unit) ?? DAY);
}
