import { KeptInventories } from '../app/inventory/kept/kept-inventories.ts';
import type { Logger, Spool, Storage } from '../ports/index.ts';

/** In each thread that renders inventories. */
const MAX_MEMORY = 96 * 1024 * 1024;
/** Limit for one inventory. */
const MAX_DISK = 2 * 1024 * 1024 * 1024;

/** The inventories that this thread keeps for the next request. */
export function keptInventories({ feed }: Storage, logger: Logger): KeptInventories {
  let openSpool: (() => Spool) | undefined;
  return new KeptInventories({
    async openSpool() {
      const { fileSpools } = await import('../adapters/scratch/file-spool.ts');
      openSpool ??= fileSpools({ maxMemory: MAX_MEMORY, maxDisk: MAX_DISK });
      return openSpool();
    },
    feed,
    logger,
  });
}
