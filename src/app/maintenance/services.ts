import type { AccountServices } from '../accounts/services.ts';
import type { ExtensionServices } from '../extensions/services.ts';
import type { InventoryServices } from '../inventory/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { UserServices } from '../users/services.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { DamageWatch } from './damage-watch.ts';
import type { UpkeepParts } from './upkeep-parts.ts';
import type { UpkeepWatch } from './upkeep-watch.ts';
import type { WriteWatch } from './write-watch.ts';

/** Files of this machine that the service lives on, as absolute paths. */
export interface MachineFiles {
  /** Keys, and the database if it is a file. */
  readonly secrets: readonly string[];
  /** The database if it is a file, with its side files. */
  readonly database: readonly string[];
  /** The folder of files that the service keeps. */
  readonly dataFolder: string;
  /** The folder of backups. */
  readonly backupFolder: string;
  /** Possible places of a configuration file. */
  readonly configuration: readonly string[];
  /** Files and folders of plugins that come from this machine. */
  readonly plugins: readonly string[];
  readonly playbookFolder: string;
}

/** The services for doctor, checks, backups and rotations. */
export interface MaintenanceServices
  extends AccountServices,
    InventoryServices,
    UserServices,
    Pick<ExtensionServices, 'callOperation'> {
  readonly accounts: AccountServices['accounts'];
  readonly machineFiles: MachineFiles;
  /** Throws where the files of TLS_CERT, TLS_KEY and TLS_CLIENT_CA cannot work. */
  readCertificate(): Promise<unknown>;
  /** The features in addition to the core, in the order of the list. */
  readonly features: readonly UpkeepParts[] & UserServices['features'];
  readonly clockWatch: ClockWatch;
  readonly damageWatch: DamageWatch;
  /** Names of cron groups whose webhooks have one signing secret. */
  groupsWithOneSecret(): Promise<readonly (readonly string[])[]>;
  readonly upkeepWatch: UpkeepWatch;
  readonly writeWatch: WriteWatch;
  /** Minutes between two starts of the job Backup; `null` if it waits for requests, `undefined` if no enabled group has it. */
  backupInterval(): Promise<number | null | undefined>;
}

export const { defineOperation, defineStreamOperation } = operationsOf<MaintenanceServices>();
