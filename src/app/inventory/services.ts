import type { JournalServices } from '../journal/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { RuleServices } from '../rules/services.ts';
import type { InventoryCatalogue } from './catalogue.ts';

/** The services for operations on inventories. */
export interface InventoryServices extends RuleServices, JournalServices {
  readonly audit: JournalServices['audit'];
  readonly anonymousRefusals: JournalServices['anonymousRefusals'];
  readonly accounts: RuleServices['accounts'];
  readonly inventories: InventoryCatalogue;
}

export const { defineOperation, defineStreamOperation } = operationsOf<InventoryServices>();
