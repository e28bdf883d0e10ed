import type {
  Clock,
  FileAccess,
  KeyRotation,
  Logger,
  LoggerLevelSwitch,
  PasswordHasher,
  PlaybookCatalogue,
  PlaybookRunner,
  ProgramAccess,
  SecretBox,
  Storage,
} from '../../ports/index.ts';
import type { NewAuditEntry } from './audit-entry.ts';
import type { Config, ConfigOrigins } from './config/schema.ts';
import type { PluginRegistry } from './plugin-host/registry.ts';
import type { SecretReferences } from './secret-references.ts';
import type { CallTimings } from './timings.ts';

/**
 * The services for operations of every room; each room adds its own in its `services.ts`. Made lazily by the composition root:
 * reading a member may create it.
 */
export interface KernelServices {
  readonly config: Config;
  readonly configOrigins: ConfigOrigins;
  readonly storage: Storage;
  readonly audit: {
    keep(entry: NewAuditEntry): void;
    /** Resolves when the entry is in the storage, or could not be kept for now; never rejects. */
    kept(entry: NewAuditEntry): Promise<void>;
  };
  /** Refusals of callers without valid credentials: there may be any number of them. */
  readonly anonymousRefusals: { audit(entry: NewAuditEntry): void };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logLevel: LoggerLevelSwitch;
  readonly files: FileAccess;
  readonly programs: ProgramAccess;
  readonly secrets: SecretBox;
  readonly secretReferences: SecretReferences;
  readonly keyRotation: KeyRotation;
  readonly passwords: PasswordHasher;
  readonly plugins: PluginRegistry;
  readonly playbooks: PlaybookCatalogue;
  readonly playbookRunner: PlaybookRunner;
  /** How long calls of the store and passes of the scheduler took in this process. */
  readonly timings: { readonly store: CallTimings; readonly tasks: CallTimings };
  /** Another storage than the configured one, by its address. The caller starts and stops it. */
  openStorage(url: string): Promise<Storage>;
  /** 24 hex digits, new each time. */
  newId(): string;
}
