import type { HostRecord } from '../../../ports/index.ts';

/** The UTF-8 bytes of a JSON text. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The characters of labels and inventories. */
export function charactersOf(records: readonly HostRecord[]): number {
  return records.reduce((sum, { labels, inventory }) => sum + labels.text.length + inventory.text.length, 0);
}
