import { describe } from 'vitest';
import { describeFillsSection } from './fills-section.suite.ts';
import { describeInventorize } from './inventorize.suite.ts';
import { describeKeys } from './keys.suite.ts';
import { describePartsAndTypes } from './parts-and-types.suite.ts';
import { describeRelations } from './relations.suite.ts';
import { describeSeveralHosts } from './several-hosts.suite.ts';
import type { CreateStore } from './support.ts';
import { describeUndo } from './undo.suite.ts';

/** What the import does with parts, sections, edges and keys. Without a store it is one in memory. */
export function describeImports(name: string, create?: CreateStore): void {
  describe(`${name}: imports`, () => {
    describePartsAndTypes(create);
    describeFillsSection(create);
    describeInventorize(create);
    describeRelations(create);
    describeKeys(create);
    describeUndo(create);
    describeSeveralHosts(create);
  });
}
