/**
 * Callbacks that wait for each signal. Node.js warns of a leak when a signal has more than ten listeners, and runs have many
 * requests.
 */
const CALLBACKS = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back once when the signal aborts, through one listener a signal. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = CALLBACKS.get(signal);
  const callbacks = known ?? new Set<() => void>();
  if (known === undefined) {
    CALLBACKS.set(signal, callbacks);
    const notify = (): void => {
      for (const one of [...callbacks]) one();
      callbacks.clear();
    };
    signal.addEventListener('abort', notify, { once: true });
  }
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
