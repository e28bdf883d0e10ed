import { setTimeout } from 'node:timers/promises';
import { counted } from '../../kit/words/amounts.ts';
import type { CommandContext } from './context.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Between the wish to stop and the stop: `begin` has whoever sends requests look for another node, and for so long these are
 * still answered. Another signal ends it. Somebody who presses Ctrl-C waits for no proxy.
 */
export async function drain(context: CommandContext, seconds: number, begin: () => void): Promise<void> {
  const { terminal } = context;
  const isByHand = terminal.stdin.isTTY === true && (terminal.signal.reason as Error | undefined)?.message === 'SIGINT';
  if (seconds === 0 || isByHand) return;
  begin();
  const hurry = new AbortController();
  const onSignal = (): void => hurry.abort();
  for (const signal of SIGNALS) process.once(signal, onSignal);
  context.note(
    `Draining for ${counted(seconds, 'second')}: not ready any more, and still answering. Another signal ends that.`,
  );
  try {
    await setTimeout(seconds * 1_000, undefined, { signal: hurry.signal });
  } catch {
    // Asked for.
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
