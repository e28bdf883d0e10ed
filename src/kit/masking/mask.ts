/** Stands in the place of a secret wherever one would be shown. */
export const MASK = '********';
