import { PAGE_CHARACTERS } from '../../../ports/index.ts';

/** Yields the same items in batches, each of which ends once it holds this many characters. */
export function* sizedBatches<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most = PAGE_CHARACTERS,
): Generator<readonly Item[]> {
  let start = 0;
  let characters = 0;
  for (const [index, item] of items.entries()) {
    characters += sizeOf(item);
    if (characters < most) continue;
    yield items.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
  if (start < items.length) yield start === 0 ? items : items.slice(start);
}

/** How large a rule document is as JSON. */
export function sizeOfRule({ document }: { readonly document: { readonly text: string } }): number {
  return document.text.length;
}
