/** More versions than retention keeps of any document. */
export const ALL_VERSIONS = 100_000;
