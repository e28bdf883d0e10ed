import type { AccountServices } from '../accounts/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { UserServices } from '../users/services.ts';

/** Services of searches: also users, because a saved search is sent with the rights of its owner. */
export interface SearchServices extends AccountServices, InventoryServices, UserServices {
  readonly accounts: AccountServices['accounts'];
  readonly audit: AccountServices['audit'];
  readonly anonymousRefusals: AccountServices['anonymousRefusals'];
}

export const { defineOperation, defineStreamOperation } = operationsOf<SearchServices>();
