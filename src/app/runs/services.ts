import type { Http, NotificationServices, ProcessIdentity, Scratch } from '../../ports/index.ts';
import type { AccountServices } from '../accounts/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { CronEngine } from './cron/cron-engine.ts';
import type { CronGroupDirectory } from './cron/group-directory.ts';
import type { RunFigures } from './figures/run-figures.ts';
import type { RunParts } from './run-parts.ts';

/** The services for imports, exports, cron groups and playbooks. */
export interface RunServices extends AccountServices, InventoryServices {
  readonly accounts: AccountServices['accounts'];
  readonly features: readonly RunParts[];
  readonly cronGroups: CronGroupDirectory;
  readonly cron: CronEngine;
  readonly figures: RunFigures;
  /** The identity of this process: holders are named after it, and what dead processes hold is released at once. */
  readonly process: ProcessIdentity;
  /** HTTP access of sources and targets to other systems. */
  readonly http: Http;
  /** The way to places that collect lines of logs. */
  readonly syslog: NotificationServices['syslog'];
  /** Opens a store for data that one run compares and that should not be kept in memory. The caller closes it. */
  openScratch(): Promise<Scratch>;
}

export const { defineOperation, defineStreamOperation } = operationsOf<RunServices>();
