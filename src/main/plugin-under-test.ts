import { createHash } from 'node:crypto';
import { sendLine } from '../adapters/audit-sinks/syslog.ts';
import { localFiles } from '../adapters/files/local-files.ts';
import { sourcePrograms } from '../adapters/playbooks/source-programs.ts';
import { processIdentity } from '../adapters/process-identity.ts';
import { machineSecrets } from '../adapters/secrets/machine-secrets.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { parseAccountOptions } from '../app/accounts/decisions/account-options.ts';
import { textTemplates } from '../app/exports/text-templates.ts';
import { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import { TextCompiler } from '../app/rules/engine/compiler.ts';
import {
  type ConditionOperator,
  type FileAccess,
  type Http,
  type InventoryProvider,
  isObjectTarget,
  type JobType,
  type JsonObject,
  type Logger,
  type NewPublishedFile,
  type NotificationChannel,
  type ObjectTarget,
  type ObjectTargetType,
  type Plugin,
  type PluginAction,
  type PluginPage,
  type ProviderServices,
  type PublishedFiles,
  type RecordProcessor,
  type RuleCompiler,
  type RuleType,
  type SecretSource,
  type SecretSourceServices,
  type SecretSourceType,
  type SignInMethod,
  type Source,
  type SourceAccount,
  type SourcePrograms,
  type SourceServices,
  type Target,
  type TargetFiles,
  type TargetServices,
  type TargetType,
  type TemplateFilter,
} from '../ports/index.ts';
import { lazyHttp } from './http.ts';

/** The contributions of a plugin, opened as the program does it: with options as texts, and with working services. */
export interface PluginUnderTest {
  /** A source of that type, for an account with these options. */
  source(type: string, options?: Readonly<Record<string, string>>, account?: Partial<SourceAccount>): Source;
  /** A target with objects of that type, for an account with these options. */
  objectTarget(
    type: string,
    options?: Readonly<Record<string, string>>,
    account?: Partial<SourceAccount>,
  ): ObjectTarget | Promise<ObjectTarget>;
  objectTargetType(type: string): ObjectTargetType;
  /** A target that writes a document, by the files of the account as a test may change them. */
  target(
    type: string,
    options?: Readonly<Record<string, string>>,
    account?: Partial<SourceAccount>,
    wrapped?: (files: TargetFiles) => TargetFiles,
  ): Target;
  ruleType(id: string): RuleType;
  job(id: string): JobType;
  templateFilter(id: string): TemplateFilter;
  conditionOperator(id: string): ConditionOperator;
  /** A channel of that type, for an account with these options. */
  notificationChannel(
    type: string,
    options?: Readonly<Record<string, string>>,
    account?: Partial<SourceAccount>,
  ): NotificationChannel;
  /** A sign-in method of that type, for an account with these options. */
  signInMethod(
    type: string,
    options?: Readonly<Record<string, string>>,
    account?: Partial<SourceAccount>,
  ): SignInMethod;
  /** A processor, for an account that names it with these options. */
  recordProcessor(id: string, options?: JsonObject): RecordProcessor;
  action(id: string): PluginAction;
  page(id: string): PluginPage;
  secretSourceType(id: string): SecretSourceType;
  /** A source of secrets, without files and variables of the machine. */
  secretSource(id: string): SecretSource;
  /** A provider, whose services lack stored data. */
  provider(name: string): InventoryProvider;
  /** Compiles texts of rules, with the filters of the plugin. */
  readonly compiler: RuleCompiler;
}

/** Registers a plugin as the program does, and opens what it brings. Its requests over HTTP are tried twice and without a pause. */
export function pluginUnderTest<Options>(plugin: Plugin<Options>, options?: Options): PluginUnderTest {
  const registry = new PluginRegistry();
  const settings = plugin.options === undefined ? options : plugin.options.parse(options ?? {});
  plugin.register(registry.door(plugin.id, SILENT, []), settings as Options);
  const targetType = (type: string): TargetType | ObjectTargetType => found(registry.target(type)?.item, type);
  const objectTargetType = (type: string): ObjectTargetType => {
    const known = targetType(type);
    if (!isObjectTarget(known)) throw new Error(`${type} is a target without objects`);
    return known;
  };
  return {
    source(type, given = {}, account) {
      const known = found(registry.source(type)?.item, type);
      return known.open(parseAccountOptions(known, given).source, accountOf(account), sourceServices());
    },
    objectTargetType,
    objectTarget(type, given = {}, account) {
      const known = objectTargetType(type);
      return known.open(known.options.parse(given), accountOf(account), targetServices());
    },
    target(type, given = {}, account, wrapped = (files) => files) {
      const known = targetType(type);
      if (isObjectTarget(known)) throw new Error(`${type} is a target with objects`);
      return known.open(known.options.parse(given), accountOf(account), {
        ...targetServices(),
        files: wrapped(targetServices().files),
      });
    },
    ruleType: (id) => found(registry.ruleType(id), id),
    job: (id) => found(registry.namedJob(id), id),
    templateFilter: (id) => found(registry.templateFilter(id), id),
    conditionOperator: (id) => found(registry.conditionOperator(id), id),
    notificationChannel(type, given = {}, account) {
      const known = found(registry.notificationChannel(type)?.item, type);
      const services = { logger: SILENT, http: httpWithFewRetries(), syslog: sendLine };
      return known.open(known.options.parse(given), accountOf(account), services);
    },
    signInMethod(type, given = {}, account) {
      const known = found(registry.signInMethod(type)?.item, type);
      const services = { logger: SILENT, http: httpWithFewRetries(), files: files().sources(EVERYWHERE) };
      return known.open(known.options.parse(given), accountOf(account), services);
    },
    recordProcessor(id, given = {}) {
      const known = found(registry.recordProcessor(id)?.item, id);
      return known.open(known.options.parse(given), { logger: SILENT, http: httpWithFewRetries() });
    },
    action: (id) => found(registry.action(plugin.id, id), id),
    page: (id) => found(registry.page(plugin.id, id), id),
    secretSourceType: (id) => found(registry.secretSource(id)?.item, id),
    secretSource: (id) => found(registry.secretSource(id)?.item, id).open(secretServices()),
    provider: (name) => found(registry.providers().get(name)?.item, name)(providerServices()),
    compiler: new TextCompiler({ macro: () => undefined, now: () => new Date(), language: registry }),
  };
}

function found<T>(item: T | undefined, name: string): T {
  if (item === undefined) throw new Error(`the plugin does not register ${name}`);
  return item;
}

function accountOf(account: Partial<SourceAccount> = {}): SourceAccount {
  return { name: 'test', address: '', username: '', password: '', ...account };
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const FEW_RETRIES = { attempts: 2, firstSeconds: 0 };

function sourceServices(): SourceServices {
  return { logger: SILENT, http: httpWithFewRetries(), files: files().sources(EVERYWHERE), programs: programs() };
}

function secretServices(): SecretSourceServices {
  const machine = machineSecrets({ folders: [], closed: [], variables: [], environment: {} });
  return { logger: SILENT, http: httpWithFewRetries(), machine };
}

function targetServices(): TargetServices {
  const access = files();
  return {
    logger: SILENT,
    http: httpWithFewRetries(),
    files: access.targets(EVERYWHERE),
    sourceFiles: access.sources(EVERYWHERE),
    published: publishedNowhere(),
    templates: textTemplates,
  };
}

/** Published files of a test, with no other reader. */
function publishedNowhere(): PublishedFiles {
  const files = new Map<string, NewPublishedFile & { readonly text: string }>();
  return {
    async list() {
      return [...files.values()].map(({ name, contentType, text }) => {
        const digest = createHash('sha256').update(text).digest('hex');
        return { name, contentType, digest, size: Buffer.byteLength(text), publishedAt: systemClock.now() };
      });
    },
    text: async (name) => files.get(name)?.text,
    async replace(all) {
      const texts = all.map((file) => ({ ...file, text: file.text ?? files.get(file.name)?.text ?? '' }));
      files.clear();
      for (const file of texts) files.set(file.name, file);
    },
  };
}

function httpWithFewRetries(): Http {
  const http = lazyHttp(systemClock);
  return { client: (settings) => http.client({ ...settings, retry: { ...settings.retry, ...FEW_RETRIES } }) };
}

function programs(): SourcePrograms {
  return sourcePrograms({ workingDirectory: process.cwd(), environment: process.env, passed: [] }).sources(EVERYWHERE);
}

/** As accounts of the operator reach them. */
const EVERYWHERE = { anywhere: true, advice: 'ask the operator' };

function files(): FileAccess {
  return localFiles({
    absoluteFolders: [],
    workingDirectory: process.cwd(),
    process: processIdentity(),
    sourceFolders: [],
    targetFolders: [],
    dataFolder: '/nonexistent/data',
    openInData: [],
    configurationFolders: [],
    programs: [],
    secretFiles: [],
  });
}

/** There is no store: whatever asks for one says so. */
function providerServices(): ProviderServices {
  const present: Partial<ProviderServices> = { logger: SILENT, http: httpWithFewRetries() };
  return new Proxy(present as ProviderServices, {
    get(target, name: string) {
      if (name in target) return target[name as keyof ProviderServices];
      throw new Error(`there is no store in this test, so services.${name} is not there`);
    },
  });
}
