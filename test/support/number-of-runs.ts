/** Of a property test: as many runs as given with THOROUGH=1, as before a release, and a quarter of them every day. */
export const runs = (thorough: number): number => (process.env.THOROUGH ? thorough : Math.ceil(thorough / 4));
