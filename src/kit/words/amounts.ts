/** `1 host`, `3 hosts`, `1,024 hosts`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

/** A whole number: `1,024`. By hand, because the first `toLocaleString` of a process takes some 20 ms. */
export function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns the sum of counts by name. */
export function sumOf<Name extends string>(counts: Readonly<Record<Name, number>>): number {
  return Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
