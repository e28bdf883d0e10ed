import { setImmediate as turn } from 'node:timers/promises';

/** Counts the turns of this thread's event loop: work that holds it lets none go by, however slow the machine is. */
export function countTurns(): { soFar(): number; stop(): Promise<void> } {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await turn();
  })();
  return {
    soFar: () => turns,
    async stop() {
      isOver = true;
      await counting;
    },
  };
}
