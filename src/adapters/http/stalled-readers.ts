/**
 * The pieces of an answer, for a reader who has to take them: when nothing is taken for so long, `giveUp` is called, which
 * ends the connection and so the answer. Whoever makes it holds memory and a place that others wait for. What is not yet
 * made does not count: that is a matter of who makes it.
 */
export async function* forReader<T>(
  pieces: AsyncIterable<T>,
  patienceSeconds: number,
  giveUp: () => void,
): AsyncGenerator<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      timer = setTimeout(giveUp, patienceSeconds * 1_000);
      yield piece;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
  }
}
