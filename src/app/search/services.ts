import type { AccountServices } from '../accounts/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';

/** What searches work with. */
export interface SearchServices extends AccountServices, InventoryServices {
  readonly accounts: AccountServices['accounts'];
}

export const { defineOperation, defineStreamOperation } = operationsOf<SearchServices>();
