/** Path of the committed list, from the root. */
export const LIST: string;
/** The texts of the sources, sorted, each once. */
export function texts(): readonly string[];
