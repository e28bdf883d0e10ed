import { describe } from 'vitest';
import type { Storage } from '../ports/index.ts';
import { describeArchiveContract } from './host-archive.contract.ts';
import { describeContributionContract } from './host-contributions.contract.ts';
import { describeDocumentContract } from './host-documents.contract.ts';
import { describeInventoryContract } from './host-inventory.contract.ts';
import { describeLabelContract } from './host-labels.contract.ts';
import { describeReadingContract } from './host-reading.contract.ts';
import { describeRenameContract } from './host-renames.contract.ts';
import { describeSearchContract } from './host-search.contract.ts';
import { describeSizeContract } from './host-size.contract.ts';
import { describeUndoContract } from './host-undo.contract.ts';

/** `HostStore`, in parts by what a call is about. */
export function describeHostStoreContract(fresh: () => Storage): void {
  describe('HostStore', () => {
    describeLabelContract(fresh);
    describeContributionContract(fresh);
    describeInventoryContract(fresh);
    describeArchiveContract(fresh);
    describeReadingContract(fresh);
    describeSearchContract(fresh);
    describeRenameContract(fresh);
    describeDocumentContract(fresh);
    describeSizeContract(fresh);
    describeUndoContract(fresh);
  });
}
