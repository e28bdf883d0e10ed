import type * as z from 'zod';
import type { InventoryProviderFactory, InventoryProviderFamilyFactory } from './inventory-provider.ts';
import type { JobName, JobType } from './job.ts';
import type { Logger } from './logger.ts';
import type { NotificationChannelType } from './notification-channel.ts';
import type { ObjectTargetType } from './object-target.ts';
import type { PluginAction } from './plugin-action.ts';
import type { PluginPage } from './plugin-page.ts';
import type { RecordProcessorType } from './record-processor.ts';
import type { ConditionOperator, TemplateFilter } from './rule-language.ts';
import type { RuleType } from './rule-type.ts';
import type { SecretSourceType } from './secret-source.ts';
import type { SignInMethodType } from './sign-in-method.ts';
import type { SourceType } from './source.ts';
import type { StoreDriver } from './storage/store-driver.ts';
import type { TargetType } from './target.ts';

/**
 * The version of this interface. 2 came with targets that have objects and with rules of targets; plugins of version 1 that use
 * neither are loaded too.
 */
export const PLUGIN_API_VERSION = 2;

/** Registers what a plugin provides. Names are unique over all plugins; a second one of a kind is an error. */
export interface PluginHost {
  readonly logger: Logger;
  ruleType(type: RuleType): void;
  source<Options>(type: SourceType<Options>): void;
  /** A processor between a source and the store, used by accounts that name it. */
  recordProcessor<Options>(type: RecordProcessorType<Options>): void;
  /** One that writes all hosts at once, or one with objects, which gets plans. */
  target<Options>(type: TargetType<Options> | ObjectTargetType<Options>): void;
  job(type: JobType): void;
  /** Lets groups of an installation that moves here keep their jobs. Ignoring case, no two plugins may provide the same name. */
  jobName(name: JobName): void;
  templateFilter(filter: TemplateFilter): void;
  conditionOperator(operator: ConditionOperator): void;
  secretSource(type: SecretSourceType): void;
  /** A type of accounts that notifications are sent through. */
  notificationChannel<Options>(type: NotificationChannelType<Options>): void;
  /** An account type through which people known to another system log in. */
  signInMethod<Options>(type: SignInMethodType<Options>): void;
  /** Something that can be asked of the plugin: an endpoint, a command, a tool, a call of its pages. */
  action<Input>(action: PluginAction<Input>): void;
  /** A page of the admin interface. */
  page(page: PluginPage): void;
  /** A store: what DATABASE_URL may begin with. */
  store(driver: StoreDriver): void;
  inventoryProvider(name: string, factory: InventoryProviderFactory): void;
  inventoryProviderFamily(name: string, factory: InventoryProviderFamilyFactory): void;
}

export interface Plugin<Options = unknown> {
  /** Lower-case words joined by dashes. */
  readonly id: string;
  /** The version of this interface that it is written for: `2`. */
  readonly apiVersion: 1 | typeof PLUGIN_API_VERSION;
  readonly description?: string;
  /** Version of the plugin itself, for operators. */
  readonly version?: string;
  /** Strict schema of the plugin's own settings (`PLUGIN_OPTIONS.<id>`); a plugin without settings leaves it out. */
  readonly options?: z.ZodType<Options>;
  /**
   * Registers everything the plugin provides. Registrations after it has returned, or after its promise is settled, are refused.
   */
  register(host: PluginHost, options: Options): void | Promise<void>;
  /** After everything is registered. Ends early when the signal aborts. */
  start?(signal: AbortSignal): Promise<void>;
  /** Safe after a failed start, and more than once. */
  stop?(): Promise<void>;
}

/** Declares a plugin. Importing the module must do nothing else. */
export function definePlugin<Options = undefined>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin;
}
