import type { AccountScope } from '../../ports/index.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { KernelServices } from '../kernel/services.ts';
import type { HostnameRules } from './decisions/hostname-rules.ts';

/** The part of an account that its hosts need. */
export interface HostAccount {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly isObject: boolean;
  readonly objectType: string;
  readonly hostnameRules: HostnameRules;
}

interface HostAccounts {
  /** By name; those in scope only. */
  list(scope: AccountScope): Promise<readonly HostAccount[]>;
  /** The account that hosts may be written through: it exists and is enabled. */
  writable(name: string, scope: AccountScope): Promise<HostAccount>;
  /** The account of that name in the scope, else `not_found`. */
  inScope(name: string, scope: AccountScope): Promise<HostAccount>;
}

/** The services for operations on hosts. */
export interface HostServices extends KernelServices {
  readonly accounts: HostAccounts;
}

export const { defineOperation, defineStreamOperation } = operationsOf<HostServices>();
