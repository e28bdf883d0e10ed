/** A test may wait: the first request loads what sends it, and machines that test many things at once are slow. */
export const LONG_TIMEOUT = { timeout: 60_000 };
