import { secretOptionsOf } from '../../../kit/options/secret-options.ts';
import {
  AppError,
  type ConditionOperator,
  type InventoryProviderFactory,
  type InventoryProviderFamilyFactory,
  isObjectTarget,
  type JobName,
  type JobType,
  type Logger,
  type NotificationChannelType,
  type ObjectTargetType,
  type PluginAction,
  type PluginHost,
  type PluginPage,
  type RecordProcessorType,
  type RuleLanguage,
  type RuleType,
  type SecretSourceType,
  type SignInMethodType,
  type SourceType,
  type StoreDriver,
  type TargetType,
  type TemplateFilter,
} from '../../../ports/index.ts';
import { requireOwnTarget, requireStage } from './rule-stages.ts';
import { requireKinds } from './target-kinds.ts';

/**
 * Documents under this ident are marks: the name of each is the ident of a type that was unknown when documents of it came.
 * The mark is written in one unit with the first of them, and taken away for good once a plugin knows the type. So stored
 * documents of an unknown type without a mark are those of a plugin that was there once.
 */
export const MARKS = 'kept_rule_types';

/** Documents of this type are marks of rules of another installation that no pass has evaluated here yet. */
export const BASELINES = 'playbook_baselines';

/** Documents of this type say which rules and accounts a folder was applied to, and how it left them. */
export const APPLIED = 'applied_documents';

/** Documents of this type are versions that act while a change of theirs waits for an administrator. */
export const HELD = 'held_versions';

/** The one document of this type is the link by which the first user is made. */
export const FIRST_USER_LINK = 'first_user_link';

/** Documents of this type quiet a problem on the overview until they end. */
export const SNOOZES = 'snoozes';

/** Types of documents that the program keeps for itself: never listed, exported or imported as rules. */
export const OWN_TYPES: ReadonlySet<string> = new Set([MARKS, BASELINES, APPLIED, HELD, FIRST_USER_LINK, SNOOZES]);

/** One plugin as `muster plugins` shows it. */
export interface PluginStatus {
  readonly id: string;
  readonly origin: string;
  /** As the plugin states it; empty when it states none. */
  readonly version: string;
  readonly description: string;
  readonly state: 'running' | 'failed';
  /** Why it failed; empty while it runs. */
  readonly message: string;
  /** Its registrations, such as `source csv`. */
  readonly provides: readonly string[];
}

interface Registered<T> {
  readonly pluginId: string;
  readonly item: T;
}

/** Names that stand for something else in commands and paths. */
const RESERVED_PROVIDERS = new Set(['ansible', 'default']);

const KEPT_TYPES = 'kept rule types';

/** The registrations of plugins, by kind and name. An instance, so that each application has its own. */
export class PluginRegistry implements RuleLanguage {
  readonly #ownStores: ReadonlySet<string>;
  readonly #ruleTypes = new Map<string, Registered<RuleType>>();
  /** Types that have no engine yet: a type of the same name that has one takes their place, whichever comes first. */
  readonly #keptTypes = new Map<string, Registered<RuleType>>();
  readonly #ruleAliases = new Map<string, string>();
  readonly #sources = new Map<string, Registered<SourceType>>();
  readonly #sourceAliases = new Map<string, string>();
  readonly #targets = new Map<string, Registered<TargetType | ObjectTargetType>>();
  readonly #targetAliases = new Map<string, string>();
  readonly #jobs = new Map<string, Registered<JobType>>();
  /** By the name in lower case. */
  readonly #jobNames = new Map<string, Registered<JobName>>();
  readonly #filters = new Map<string, Registered<TemplateFilter>>();
  readonly #operators = new Map<string, Registered<ConditionOperator>>();
  readonly #channels = new Map<string, Registered<NotificationChannelType>>();
  readonly #signIns = new Map<string, Registered<SignInMethodType>>();
  readonly #secretSources = new Map<string, Registered<SecretSourceType>>();
  readonly #processors = new Map<string, Registered<RecordProcessorType>>();
  /** By `<plugin>/<action>`. */
  readonly #actions = new Map<string, Registered<PluginAction>>();
  /** By `<plugin>/<page>`. */
  readonly #pages = new Map<string, Registered<PluginPage>>();
  /** By what their addresses begin with. */
  readonly #stores = new Map<string, Registered<StoreDriver>>();
  readonly #providers = new Map<string, Registered<InventoryProviderFactory>>();
  readonly #families = new Map<string, Registered<InventoryProviderFamilyFactory>>();
  readonly #statuses = new Map<string, PluginStatus>();
  readonly #refused: PluginStatus[] = [];
  readonly #secretSettings = new Map<string, ReadonlySet<string>>();

  /** `ownStores`: what addresses of the program's own stores begin with. */
  constructor(ownStores: readonly string[] = []) {
    this.#ownStores = new Set(ownStores);
  }

  /** Idents of all rule types, sorted. */
  ruleTypeIds(): readonly string[] {
    const kept = [...this.#keptTypes.keys()].filter((id) => this.#engineType(id) === undefined);
    return [...this.#ruleTypes.keys(), ...kept].sort();
  }

  /** By ident or alias. */
  ruleType(ident: string): RuleType | undefined {
    return this.#engineType(ident) ?? this.#keptTypes.get(ident)?.item;
  }

  #engineType(ident: string): RuleType | undefined {
    return this.#ruleTypes.get(this.#ruleAliases.get(ident) ?? ident)?.item;
  }

  ruleTypes(): readonly RuleType[] {
    return this.ruleTypeIds().map((id) => this.ruleType(id) as RuleType);
  }

  sourceIds(): readonly string[] {
    return [...this.#sources.keys()].sort();
  }

  source(ident: string): Registered<SourceType> | undefined {
    return this.#sources.get(this.#sourceAliases.get(ident) ?? ident);
  }

  targetIds(): readonly string[] {
    return [...this.#targets.keys()].sort();
  }

  target(ident: string): Registered<TargetType | ObjectTargetType> | undefined {
    return this.#targets.get(this.#targetAliases.get(ident) ?? ident);
  }

  /** Whether the source or target of that type says that the option is a secret. */
  isSecretOption(accountType: string, option: string): boolean {
    const types = [
      this.source(accountType)?.item,
      this.target(accountType)?.item,
      this.notificationChannel(accountType)?.item,
      this.signInMethod(accountType)?.item,
    ];
    return types.some((type) => secretOptionsOf(type?.options).has(option));
  }

  /** By id. */
  jobs(): readonly JobType[] {
    return [...this.#jobs.values()].map(({ item }) => item).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The job that has a command as its id or as another spelling, both in any case. */
  namedJob(command: string): JobType | undefined {
    return this.#namedJob(command)?.item;
  }

  /** The job of such a name, else the one that recognises the command by a pattern. */
  job(command: string): JobType | undefined {
    return this.namedJob(command) ?? this.jobs().find((type) => type.isAlias?.(command.trim()));
  }

  /** As they were registered. */
  jobNames(): readonly JobName[] {
    return [...this.#jobNames.values()].map(({ item }) => item);
  }

  /** In any case. */
  jobName(name: string): JobName | undefined {
    return this.#jobNames.get(spelling(name))?.item;
  }

  #namedJob(name: string): Registered<JobType> | undefined {
    const wanted = spelling(name);
    return [...this.#jobs.values()].find(({ item: { id, aliases } }) =>
      [id, ...aliases].some((known) => known.toLowerCase() === wanted),
    );
  }

  templateFilter(id: string): TemplateFilter | undefined {
    return this.#filters.get(id)?.item;
  }

  /** By id. */
  templateFilters(): readonly Registered<TemplateFilter>[] {
    return sortedByKey(this.#filters);
  }

  conditionOperator(id: string): ConditionOperator | undefined {
    return this.#operators.get(id)?.item;
  }

  conditionOperatorIds(): readonly string[] {
    return [...this.#operators.keys()].sort();
  }

  notificationChannel(id: string): Registered<NotificationChannelType> | undefined {
    return this.#channels.get(id);
  }

  notificationChannelIds(): readonly string[] {
    return [...this.#channels.keys()].sort();
  }

  signInMethod(id: string): Registered<SignInMethodType> | undefined {
    return this.#signIns.get(id);
  }

  signInMethodIds(): readonly string[] {
    return [...this.#signIns.keys()].sort();
  }

  secretSource(id: string): Registered<SecretSourceType> | undefined {
    return this.#secretSources.get(id);
  }

  /** By id. */
  secretSources(): readonly SecretSourceType[] {
    return sortedByKey(this.#secretSources).map(({ item }) => item);
  }

  recordProcessor(id: string): Registered<RecordProcessorType> | undefined {
    return this.#processors.get(id);
  }

  recordProcessorIds(): readonly string[] {
    return [...this.#processors.keys()].sort();
  }

  /** By plugin and action, in their order. */
  actions(): readonly Registered<PluginAction>[] {
    return sortedByKey(this.#actions);
  }

  action(pluginId: string, id: string): PluginAction | undefined {
    return this.#actions.get(`${pluginId}/${id}`)?.item;
  }

  /** By plugin and page, in their order. */
  pages(): readonly Registered<PluginPage>[] {
    return sortedByKey(this.#pages);
  }

  page(pluginId: string, id: string): PluginPage | undefined {
    return this.#pages.get(`${pluginId}/${id}`)?.item;
  }

  stores(): readonly StoreDriver[] {
    return [...new Set([...this.#stores.values()].map(({ item }) => item))];
  }

  providers(): ReadonlyMap<string, Registered<InventoryProviderFactory>> {
    return this.#providers;
  }

  /** True for names that a registered provider has or that stand for something else; in any case. */
  isProviderName(name: string): boolean {
    // Installations of this kind keep the rules without a project in one of this very name.
    if (name === 'Default') return false;
    const wanted = name.toLowerCase();
    return (
      RESERVED_PROVIDERS.has(wanted) || [...this.#providers.keys()].some((known) => known.toLowerCase() === wanted)
    );
  }

  families(): ReadonlyMap<string, Registered<InventoryProviderFamilyFactory>> {
    return this.#families;
  }

  /** All plugins by id, broken ones too. */
  statuses(): readonly PluginStatus[] {
    const all = [...this.#statuses.values(), ...this.#refused];
    return all.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  /** Notes which settings of a plugin are secrets, in addition to those that have the name of one. */
  markSettings(pluginId: string, names: ReadonlySet<string>): void {
    if (names.size > 0) this.#secretSettings.set(pluginId, names);
  }

  secretSettings(pluginId: string): ReadonlySet<string> | undefined {
    return this.#secretSettings.get(pluginId);
  }

  has(pluginId: string): boolean {
    return this.#statuses.has(pluginId);
  }

  /** Records what happened to a plugin; what a failed one had registered is withdrawn. */
  settle(status: PluginStatus): void {
    this.#statuses.set(status.id, status);
    if (status.state === 'failed') this.#withdraw(status.id);
  }

  /** Records that a plugin which was registered failed later. */
  fail(pluginId: string, message: string): void {
    const status = this.#statuses.get(pluginId);
    if (status !== undefined) this.settle({ ...status, state: 'failed', message, provides: [] });
  }

  /** Records what never became a plugin, under the name that it was asked for by; that may be the id of one that runs. */
  refuse({ id, origin, message }: Pick<PluginStatus, 'id' | 'origin' | 'message'>): void {
    this.#refused.push({ id, origin, version: '', description: '', state: 'failed', message, provides: [] });
  }

  /** The door that one plugin registers through; everything is kept under its id. */
  door(pluginId: string, logger: Logger, provides: string[]): PluginHost {
    const put = <T>(kind: string, map: Map<string, Registered<T>>, name: string, item: T): void => {
      const other = map.get(name);
      if (other !== undefined) throw taken(kind, name, other);
      map.set(name, { pluginId, item });
      provides.push(`${kind} ${name}`);
    };
    const putOwn = <T extends { readonly id: string }>(
      kind: string,
      map: Map<string, Registered<T>>,
      item: T,
    ): void => {
      const key = `${pluginId}/${item.id}`;
      if (map.has(key)) throw new AppError('conflict', `${kind} ${item.id} is registered twice`);
      map.set(key, { pluginId, item });
      provides.push(`${kind} ${item.id}`);
    };
    // Names and aliases are one space: an alias is looked up first and would hide the type of that name.
    const putAliased = <T extends { readonly id: string; readonly aliases?: readonly string[] }>(
      kind: string,
      map: Map<string, Registered<T>>,
      aliases: Map<string, string>,
      item: T,
    ): void => {
      for (const name of [item.id, ...(item.aliases ?? [])]) {
        const other = map.get(aliases.get(name) ?? name);
        if (other !== undefined) throw taken(kind, name, other);
      }
      put(kind, map, item.id, item);
      for (const name of item.aliases ?? []) aliases.set(name, item.id);
    };
    const keepType = (type: RuleType): void => {
      const other = this.#keptTypes.get(type.id);
      if (other !== undefined) throw taken('kept rule type', type.id, other);
      this.#keptTypes.set(type.id, { pluginId, item: type });
      // They are many; their own list is that of the rule types.
      if (!provides.includes(KEPT_TYPES)) provides.push(KEPT_TYPES);
    };
    return {
      logger,
      ruleType: (type) => {
        requireStage(type);
        if (OWN_TYPES.has(type.id))
          throw new AppError('conflict', `rule type ${type.id} is a name of the program itself`);
        if (type.kept === undefined) putAliased('rule type', this.#ruleTypes, this.#ruleAliases, type);
        else keepType(type);
      },
      // Sources and targets are one space: an account names its type, and is imported and exported by it. One plugin may bring both.
      source: (type) => {
        for (const name of [type.id, ...(type.aliases ?? [])]) {
          this.#requireNoOtherUse(name);
          const target = this.target(name);
          if (target !== undefined && target.pluginId !== pluginId) throw taken('target', name, target);
        }
        putAliased('source', this.#sources, this.#sourceAliases, type as SourceType);
      },
      target: (type) => {
        for (const name of [type.id, ...(type.aliases ?? [])]) {
          this.#requireNoOtherUse(name);
          const source = this.source(name);
          if (source !== undefined && source.pluginId !== pluginId) throw taken('source', name, source);
        }
        const known = type as TargetType | ObjectTargetType;
        if (isObjectTarget(known) && known.kinds !== 'by_account') requireKinds(known.id, known.kinds, known.parts);
        putAliased('target', this.#targets, this.#targetAliases, known);
      },
      job: (type) => {
        // Commands are found in any case, so a second spelling would take the jobs of the first.
        for (const name of [type.id, ...type.aliases]) {
          const other = this.#namedJob(name);
          if (other !== undefined) throw taken('job', name, other);
        }
        put('job', this.#jobs, type.id, type);
      },
      jobName: (name) => {
        const key = spelling(name.name);
        const other = this.#jobNames.get(key);
        if (other !== undefined) throw taken('job name', name.name, other);
        this.#jobNames.set(key, { pluginId, item: name });
      },
      templateFilter: (filter) => put('template filter', this.#filters, filter.id, filter),
      conditionOperator: (operator) => put('condition operator', this.#operators, operator.id, operator),
      // An account names its type, so no source or target has the name.
      notificationChannel: (type) => {
        this.#requireNoSourceOrTarget(type.id);
        this.#requireNoOtherUse(type.id);
        put('notification channel', this.#channels, type.id, type as NotificationChannelType);
      },
      signInMethod: (type) => {
        this.#requireNoSourceOrTarget(type.id);
        this.#requireNoOtherUse(type.id);
        put('sign-in method', this.#signIns, type.id, type as SignInMethodType);
      },
      secretSource: (type) => put('secret source', this.#secretSources, type.id, type),
      recordProcessor: (type) => put('record processor', this.#processors, type.id, type as RecordProcessorType),
      // Their names are those of the plugin, which no other has.
      action: (action) => putOwn('action', this.#actions, action as PluginAction),
      page: (page) => putOwn('page', this.#pages, page),
      store: (driver) => {
        const own = driver.schemes.find((scheme) => this.#ownStores.has(scheme));
        if (own !== undefined) throw new AppError('conflict', `store ${own} is one of the program itself`);
        for (const scheme of driver.schemes) put('store', this.#stores, scheme, driver);
      },
      inventoryProvider: (name, factory) => {
        if (RESERVED_PROVIDERS.has(name)) throw new AppError('conflict', `inventory provider name ${name} is reserved`);
        put('inventory provider', this.#providers, name, factory);
      },
      inventoryProviderFamily: (name, factory) => put('inventory providers', this.#families, name, factory),
    };
  }

  /** Throws when what a plugin registered does not go together. */
  requireWhole(pluginId: string): void {
    for (const { pluginId: owner, item } of this.#ruleTypes.values()) {
      if (owner === pluginId) requireOwnTarget(item, (target) => this.#targets.get(target)?.pluginId === pluginId);
    }
  }

  #requireNoSourceOrTarget(name: string): void {
    const source = this.source(name);
    if (source !== undefined) throw taken('source', name, source);
    const target = this.target(name);
    if (target !== undefined) throw taken('target', name, target);
  }

  /** Types of accounts that hosts neither come from nor go to. */
  #requireNoOtherUse(name: string): void {
    const channel = this.notificationChannel(name);
    if (channel !== undefined) throw taken('notification channel', name, channel);
    const signIn = this.signInMethod(name);
    if (signIn !== undefined) throw taken('sign-in method', name, signIn);
  }

  #withdraw(pluginId: string): void {
    for (const map of [
      this.#ruleTypes,
      this.#keptTypes,
      this.#sources,
      this.#targets,
      this.#jobs,
      this.#jobNames,
      this.#filters,
      this.#operators,
      this.#channels,
      this.#signIns,
      this.#secretSources,
      this.#processors,
      this.#actions,
      this.#pages,
      this.#stores,
      this.#providers,
      this.#families,
    ]) {
      for (const [name, registered] of map) if (registered.pluginId === pluginId) map.delete(name);
    }
    for (const [aliases, map] of [
      [this.#ruleAliases, this.#ruleTypes],
      [this.#sourceAliases, this.#sources],
      [this.#targetAliases, this.#targets],
    ] as const) {
      for (const [name, id] of aliases) if (!map.has(id)) aliases.delete(name);
    }
  }
}

/** Commands are found in any case. */
function spelling(name: string): string {
  return name.trim().toLowerCase();
}

function sortedByKey<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function taken(kind: string, name: string, other: Registered<unknown>): AppError {
  return new AppError('conflict', `${kind} ${name} is already registered by plugin ${other.pluginId}`);
}
