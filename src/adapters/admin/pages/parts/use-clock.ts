import { useSyncExternalStore } from 'react';

const EVERY_MS = 10_000;
const readers = new Set<() => void>();
let ticks = 0;
let timer: number | undefined;

/** Renders relative times again every ten seconds. One timer serves all of them. */
export function useClock(): void {
  useSyncExternalStore(subscribe, () => ticks);
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= window.setInterval(tick, EVERY_MS);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  ticks += 1;
  for (const reader of readers) reader();
}
