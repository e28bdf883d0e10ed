import type { Http, NotificationServices, ProcessIdentity, Scratch } from '../../ports/index.ts';
import type { AccountServices } from '../accounts/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { CronEngine } from './cron/cron-engine.ts';
import type { CronGroupDirectory } from './cron/group-directory.ts';
import type { RunFigures } from './figures/run-figures.ts';
import type { RunParts } from './run-parts.ts';

/** What imports, exports, cron groups and playbooks work with. */
export interface RunServices extends AccountServices, InventoryServices {
  readonly accounts: AccountServices['accounts'];
  readonly features: readonly RunParts[];
  readonly cronGroups: CronGroupDirectory;
  readonly cron: CronEngine;
  readonly figures: RunFigures;
  /** Of this process: what it holds names it, and what dead ones hold is free at once. */
  readonly process: ProcessIdentity;
  /** What sources and targets reach other systems by. */
  readonly http: Http;
  /** The way to places that collect lines of logs. */
  readonly syslog: NotificationServices['syslog'];
  /** A place for what one run compares and memory shall not hold. Whoever opens it closes it. */
  openScratch(): Promise<Scratch>;
}

export const { defineOperation, defineStreamOperation } = operationsOf<RunServices>();
