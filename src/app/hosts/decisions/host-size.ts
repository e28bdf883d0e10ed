import type { HostRecord } from '../../../ports/index.ts';

/** The UTF-8 bytes of a JSON text. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Whether a host that has `present` bytes, of which `before` give way to `after`, would grow beyond the limit. */
export function growsBeyond(limit: number, present: number, before: number, after: number): boolean {
  return after > before && present - before + after > limit;
}

/** The characters of labels and inventories. */
export function charactersOf(records: readonly HostRecord[]): number {
  return records.reduce((sum, { labels, inventory }) => sum + labels.text.length + inventory.text.length, 0);
}
