const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const ZERO = /^-?0(?:\.0+)?(?:[eE]|$)/;

/** Whether it is a number as JSON writes them. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Whether a number keeps its written form: large integers would lose digits, and the smallest numbers become zero. */
export function isExact(text: string): boolean {
  const number = Number(text);
  if (number === 0) return ZERO.test(text);
  return Number.isFinite(number) && (!INTEGER.test(text) || BigInt(text) === BigInt(number));
}
