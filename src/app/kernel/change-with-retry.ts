/** Someone always wins a round, so only a storm of changes of one thing gets that far. */
const MOST_ROUNDS = 20;

/**
 * Reads something and writes what becomes of it, again and again while others change it in between: `attempt` does both, and answers
 * `undefined` then. Answers `undefined` itself where that happened in every round.
 */
export async function changeWithRetry<Done>(attempt: () => Promise<Done | undefined>): Promise<Done | undefined> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  return undefined;
}
