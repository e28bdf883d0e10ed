import type {
  Clock,
  FileAccess,
  KeyRotation,
  Logger,
  PasswordHasher,
  PlaybookCatalogue,
  PlaybookRunner,
  SecretBox,
  Storage,
} from '../../ports/index.ts';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { InventoryCatalogue } from '../inventory/catalogue.ts';
import type { AnonymousRefusals } from '../journal/anonymous-refusals.ts';
import type { AuditTrail } from '../journal/audit/audit-trail.ts';
import type { AuditForwarding } from '../journal/audit/forwarding.ts';
import type { MachineFiles } from '../maintenance/file-modes.ts';
import type { EvaluatorCache } from '../rules/evaluators.ts';
import type { CronEngine } from '../runs/cron/cron-engine.ts';
import type { CronGroupDirectory } from '../runs/cron/group-directory.ts';
import type { RefusalLimit } from '../users/refusal-limit.ts';
import type { Sessions } from '../users/sessions.ts';
import type { UserDirectory } from '../users/user-directory.ts';
import type { Config, ConfigOrigins } from './config/schema.ts';
import type { PluginRegistry } from './plugin-host/registry.ts';

/** What operations work with. Made lazily by the composition root: reading a member may create it. */
export interface Services {
  readonly config: Config;
  readonly configOrigins: ConfigOrigins;
  readonly storage: Storage;
  readonly audit: AuditTrail;
  readonly auditForwarding: AuditForwarding;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: FileAccess;
  readonly machineFiles: MachineFiles;
  readonly secrets: SecretBox;
  readonly keyRotation: KeyRotation;
  readonly passwords: PasswordHasher;
  readonly plugins: PluginRegistry;
  readonly accounts: AccountDirectory;
  readonly users: UserDirectory;
  readonly sessions: Sessions;
  readonly refusals: RefusalLimit;
  readonly anonymousRefusals: AnonymousRefusals;
  readonly evaluators: EvaluatorCache;
  readonly inventories: InventoryCatalogue;
  readonly cronGroups: CronGroupDirectory;
  readonly cron: CronEngine;
  readonly playbooks: PlaybookCatalogue;
  readonly playbookRunner: PlaybookRunner;
  /** Another storage than the configured one, by its address. Whoever asks starts and stops it. */
  openStorage(url: string): Promise<Storage>;
  /** 24 hex digits, new each time. */
  newId(): string;
}
