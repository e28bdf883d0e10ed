/** Texts of the generated files, by their path from the root. */
export function lists(): Readonly<Record<string, string>>;
