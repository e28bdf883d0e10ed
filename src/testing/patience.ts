/** A test may wait: the first request loads what sends it, and machines that test many things at once are slow. */
export const PATIENT = { timeout: 60_000 };
