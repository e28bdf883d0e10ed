/**
 * Labels of these names, all empty texts. Records that begin as copies of it have one shape, where members that are added
 * one by one give each record a table of its own: making, checking and writing them then takes twice as long.
 * The parser makes a member of any name, `__proto__` too, which a plain assignment to a copy then sets.
 */
export function blankLabels(names: readonly string[]): Readonly<Record<string, string>> {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:""`).join()}}`) as Record<string, string>;
}
