/** Numbers of zones are compared modulo this. */
const NUMBERS = 2 ** 32;

/** The number of a changed zone: the day and two digits, or one more than the last where that is higher. */
export function nextSerial(last: number | undefined, now: Date): number {
  const day = now.getUTCFullYear() * 10_000 + (now.getUTCMonth() + 1) * 100 + now.getUTCDate();
  const first = day * 100 + 1;
  return last === undefined || last < first ? first : (last + 1) % NUMBERS || 1;
}
