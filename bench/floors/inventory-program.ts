import { writeSync } from 'node:fs';
import { inventoryByHand } from '../support/inventory-by-hand.ts';

/** `muster inventory automation --list` by hand: opens the database, applies the rules, prints. */
inventoryByHand(process.argv[2] ?? '', (text) => {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(1, bytes, written);
});
