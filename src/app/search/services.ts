import type { AccountServices } from '../accounts/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { UserServices } from '../users/services.ts';

/** Services that find hosts. */
export interface FindServices extends AccountServices, InventoryServices {
  readonly accounts: AccountServices['accounts'];
}

/** Services of searches: also users, because a saved search is sent with the rights of its owner. */
export interface SearchServices extends FindServices, UserServices {
  readonly accounts: AccountServices['accounts'];
  readonly audit: AccountServices['audit'];
  readonly anonymousRefusals: AccountServices['anonymousRefusals'];
}

export const { defineOperation, defineStreamOperation } = operationsOf<SearchServices>();
