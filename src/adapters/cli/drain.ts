import { setTimeout } from 'node:timers/promises';
import { counted } from '../../kit/words/amounts.ts';
import type { CommandContext } from './context.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Waits between the request to stop and the stop: `begin` makes senders look for another node, and requests are still answered
 * for that time. Another signal ends it. Pressing Ctrl-C skips the wait, as no proxy is involved.
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
