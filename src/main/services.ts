import 'reflect-metadata';
import { type DependencyContainer, type InjectionToken, instanceCachingFactory, container as root } from 'tsyringe';
import type { Services } from '../adapters/listener/services.ts';
import type { SharedLogLevel } from '../adapters/logging/shared-log-level.ts';
import { argon2PasswordHasher } from '../adapters/passwords/argon2-password-hasher.ts';
import { processIdentity } from '../adapters/process-identity.ts';
import { aesGcmSecretBox } from '../adapters/secrets/aes-gcm-secret-box.ts';
import { AccountDirectory } from '../app/accounts/account-directory.ts';
import { viewedAccounts } from '../app/accounts/account-macros.ts';
import { InventoryCatalogue } from '../app/inventory/catalogue.ts';
import { providerServices } from '../app/inventory/provider-services.ts';
import { renderMode } from '../app/inventory/render-mode.ts';
import { AnonymousRefusals } from '../app/journal/anonymous-refusals.ts';
import { AuditTrail } from '../app/journal/audit/audit-trail.ts';
import { AuditForwarding } from '../app/journal/audit/forwarding.ts';
import { type Caller, hostScopeOf, localOperator } from '../app/kernel/caller.ts';
import type { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import type { SecretReferences } from '../app/kernel/secret-references.ts';
import type { CallTimings } from '../app/kernel/timings.ts';
import { needsSecondFactor } from '../app/logins/second-factor/required.ts';
import { ClockWatch } from '../app/maintenance/clock-watch.ts';
import { DamageWatch } from '../app/maintenance/damage-watch.ts';
import { UpkeepWatch } from '../app/maintenance/upkeep-watch.ts';
import { WriteWatch } from '../app/maintenance/write-watch.ts';
import { EvaluatorCache } from '../app/rules/evaluators.ts';
import { CronEngine } from '../app/runs/cron/cron-engine.ts';
import { CronGroupDirectory } from '../app/runs/cron/group-directory.ts';
import { jobInterval } from '../app/runs/cron/job-interval.ts';
import { RunFigures } from '../app/runs/figures/run-figures.ts';
import { hasFilesHere } from '../app/runs/offers/files-here.ts';
import { RefusalLimit } from '../app/users/refusal-limit.ts';
import { Sessions } from '../app/users/sessions.ts';
import { noteWrongSecret } from '../app/users/tries.ts';
import { UserDirectory } from '../app/users/user-directory.ts';
import { userDocuments } from '../app/users/user-documents.ts';
import type { AuditSink, Clock, Http, Logger, Storage } from '../ports/index.ts';
import { FEATURES } from './features.ts';
import type { keptInventories } from './kept-inventories.ts';
import { accountFiles, accountPrograms, instanceKeys, keyRotation, machineFiles } from './machine.ts';
import { lazyPlaybookCatalogue, playbookFolder, playbookRunner } from './playbooks.ts';
import type { ComposedInput } from './settings.ts';
import { WITHOUT_FEATURES } from './without-features.ts';

/** The common inputs from which all services are made. */
export interface ServiceParts {
  readonly input: ComposedInput;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly logLevel: SharedLogLevel;
  readonly clock: Clock;
  readonly http: Http;
  readonly plugins: PluginRegistry;
  readonly secretReferences: SecretReferences;
  readonly timings: Readonly<Record<'store' | 'tasks', CallTimings>>;
  readonly callOperation: Services['callOperation'];
  readonly kept: ReturnType<typeof keptInventories> | undefined;
  newId(): string;
}

/** How members of the services are made, each at its first use. */
type Makers<Name extends keyof Services> = { readonly [Each in Name]: () => Services[Each] };
/** The makers of one room, as they are: it says what their parameters are. */
function makersOf<Room extends Partial<Makers<keyof Services>>>(makers: Room): Room {
  return makers;
}

/** The services as they are used; not to be called before all are declared. */
type All = () => Services;

export interface ComposedServices {
  readonly services: Services;
  /** The services made so far. */
  readonly made: Readonly<Partial<Services>>;
}

/** Each room says how its services are made; each feature does so in a container of its own. */
export function composeServices(parts: ServiceParts): ComposedServices {
  const { input, storage, logger, logLevel, clock, http, plugins, secretReferences, timings, callOperation, newId } =
    parts;
  const all: All = () => services;
  const given = {
    ...WITHOUT_FEATURES,
    features: FEATURES,
    config: input.config,
    configOrigins: input.origins,
    ...{ storage, logger, logLevel, clock, http, plugins, secretReferences, timings, callOperation, newId },
  };
  const makers: Makers<Exclude<keyof Services, keyof typeof given>> = {
    ...ofMachine(parts, all),
    ...ofAccounts(parts, all),
    ...ofJournal(parts, all),
    ...ofUsers(parts, all),
    ...ofInventories(parts, all),
    ...ofRuns(parts, all),
    ...ofMaintenance(parts, all),
  };
  // The members that are made are added now.
  const services = { ...given } as unknown as Services;
  const made: Partial<Record<string, unknown>> = {};
  const core = root.createChildContainer();
  addServices(services, makers, core, made);
  for (const feature of FEATURES)
    addServices(services, feature.services?.(all) ?? {}, core.createChildContainer(), made);
  return { services, made };
}

/** Adds members that a container makes at their first use, once. */
function addServices(
  services: Services,
  makers: Readonly<Record<string, () => unknown>>,
  container: DependencyContainer,
  made: Partial<Record<string, unknown>>,
): void {
  for (const [name, make] of Object.entries(makers)) {
    const token: InjectionToken<unknown> = Symbol(name);
    const useFactory = instanceCachingFactory(() => {
      made[name] = make();
      return made[name];
    });
    container.register(token, { useFactory });
    Object.defineProperty(services, name, { get: () => container.resolve(token), enumerable: true });
  }
}

function ofMachine({ input, storage, logger, clock }: ServiceParts, all: All) {
  const { config, workingDirectory } = input;
  /** Asked when the file of the instance key is not there. */
  async function mayHaveNoKey(): Promise<boolean> {
    const { holdsSecrets } = await import('../app/maintenance/sealed-secrets.ts');
    return !(await holdsSecrets(storage, all().secrets));
  }
  async function* witnesses(): AsyncGenerator<string> {
    const { sealedTexts } = await import('../app/maintenance/sealed-secrets.ts');
    yield* sealedTexts(storage, all().secrets);
  }
  return makersOf({
    secrets: () => aesGcmSecretBox({ keys: instanceKeys(input, mayHaveNoKey), witnesses }),
    keyRotation: () => keyRotation(input, mayHaveNoKey),
    process: processIdentity,
    files: () => accountFiles(input, all().process),
    programs: () => accountPrograms(input),
    machineFiles: () => machineFiles(input),
    hasOtherNodes: () => input.stores.hasOtherNodes(config.DATABASE_URL, workingDirectory),
    passwords: () => input.passwords ?? argon2PasswordHasher(),
    playbooks: () => lazyPlaybookCatalogue(playbookFolder(input)),
    playbookRunner: () => input.playbookRunner ?? playbookRunner(input),
    readCertificate: () => async () =>
      (await import('../adapters/listener/listener.ts')).readTls(config, workingDirectory),
    syslog: () => async (line) => (await import('../adapters/audit-sinks/syslog.ts')).sendLine(line),
    openScratch: () => async () => (await import('../adapters/scratch/sqlite-scratch.ts')).sqliteScratch(),
    // The writer of this process belongs to its own storage.
    openStorage: () => async (url) =>
      (await input.stores.open(url, { config, workingDirectory }, logger, clock)).storage,
    audit: () => {
      const { newId } = all();
      const secretsOfNewKey = () => aesGcmSecretBox({ keys: instanceKeys(input, mayHaveNoKey) });
      return new AuditTrail({
        store: storage.audit,
        secrets: () => all().secrets,
        secretsOfNewKey,
        clock,
        logger,
        newId,
      });
    },
  });
}

function ofAccounts({ storage }: ServiceParts, all: All) {
  return makersOf({
    accounts: () => new AccountDirectory({ storage, secrets: all().secrets, references: all().secretReferences }),
    hostDocuments: () => async () => (await import('../app/hosts/documents/host-documents.ts')).hostDocuments(all()),
    accountRemoval: () => ({
      async remove(name, caller) {
        const { removeAccount } = await import('../app/accounts/remove-account.ts');
        await removeAccount(all(), caller, { name, forget: false });
      },
    }),
  });
}

function ofJournal({ input, storage, logger, clock, newId }: ServiceParts, all: All) {
  return makersOf({
    anonymousRefusals: () => new AnonymousRefusals({ storage, audit: all().audit, clock, logger, newId }),
    auditForwarding: () =>
      new AuditForwarding({
        store: storage.audit,
        chain: all().audit.chain,
        access: storage.access,
        sinks: () => auditSinks(input),
        clock,
        logger,
      }),
  });
}

function ofUsers({ input, storage, logger, clock, newId }: ServiceParts, all: All) {
  const { config } = input;
  return makersOf({
    refusals: () => {
      const noteWrong = (user: string) => noteWrongSecret({ storage, clock }, user);
      return new RefusalLimit({ limit: config.RATE_LIMIT_401_PER_MINUTE, logger, noteWrong });
    },
    users: () =>
      new UserDirectory({
        storage,
        clock,
        accounts: all().accounts,
        passwords: all().passwords,
        refusals: all().refusals,
        isConfirmed: (user) => all().signIns.isConfirmed(user),
        rememberSeconds: config.CREDENTIAL_CACHE_SECONDS,
        needsSecondFactor: (user) => needsSecondFactor(user, config.REQUIRE_SECOND_FACTOR),
        allowsPasswordAlone: config.ALLOW_API_PASSWORD_ALONE,
      }),
    sessions: () =>
      new Sessions({
        store: storage.sessions,
        access: storage.access,
        users: all().users,
        isStillConfirmed: async (session, user, request) =>
          (await all().signIns.isStillConfirmed(session, user)) && all().proxyLogins.isOf(session, request),
        secrets: () => all().secrets,
        clock,
        idleHours: config.SESSION_HOURS,
        days: config.SESSION_DAYS,
      }),
    userDocuments: () =>
      userDocuments({
        minPasswordLength: config.PASSWORD_MIN_LENGTH,
        audit: all().audit,
        sessions: () => all().sessions,
        clock,
        logger,
        newId,
      }),
  });
}

function ofInventories({ input, storage, logger, clock, http, plugins, kept }: ServiceParts, all: All) {
  const { config } = input;
  return makersOf({
    evaluators: () =>
      new EvaluatorCache({
        storage,
        plugins,
        viewAccounts: (view, onSecret, shown) =>
          viewedAccounts({ accounts: all().accounts, logger, onSecret }, view, shown),
        secretSeconds: config.SECRET_CACHE_SECONDS,
        clock,
        logger,
        served: { names: config.INVENTORY_VARIABLE_NAMES, ansibleLabels: config.INVENTORY_ANSIBLE_LABELS },
        textBooleans: config.INVENTORY_TEXT_BOOLEANS,
        lifeCycle: config.CMDB_MODE,
        mergedAttributes: config.INVENTORY_MERGE_ATTRIBUTES,
      }),
    inventories: () => {
      const { evaluators, accounts } = all();
      return new InventoryCatalogue({
        plugins,
        services: providerServices({
          ...{ storage, plugins, evaluators, accounts, http, logger },
          secrets: () => all().secrets,
        }),
        timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
        ...(kept === undefined ? {} : { kept }),
        logger,
      });
    },
    inventoryGroups: () => ({
      memberships: (provider, host, { caller, signal }) =>
        all().inventories.memberships(
          { provider, request: { scope: hostScopeOf(caller), signal }, render: renderMode(all(), caller) },
          host,
        ),
    }),
  });
}

function ofRuns({ input, storage, logger, clock, plugins, newId, callOperation }: ServiceParts, all: All) {
  const since = clock.now();
  return makersOf({
    cronGroups: () => new CronGroupDirectory({ storage, accounts: all().accounts, plugins }),
    figures: () =>
      new RunFigures({ storage, plugins, accounts: all().accounts, groups: all().cronGroups, clock, logger, since }),
    cron: () =>
      new CronEngine({
        ...{ storage, clock, logger, newId, plugins },
        accounts: all().accounts,
        groups: all().cronGroups,
        process: all().process,
        timeZone: input.config.TIMEZONE,
        takes: input.config.TAKES,
        hasFiles: (account) => hasFilesHere(all(), account),
        actor: { kind: 'system', name: CRON_CALLER },
        callOperation: (name, given, options) =>
          callOperation(name, given, cronCaller(newId, options.causedBy), {
            ...options,
            effects: ['read', 'write', 'destructive'],
          }),
      }),
    backupInterval: () => () => jobInterval(all(), 'Backup'),
  });
}

function ofMaintenance({ input, storage, logger, clock }: ServiceParts, all: All) {
  // A clock that the caller sets is its own measure of what elapses. It is watched from now on.
  const elapsed = input.clock === undefined ? () => performance.now() : () => clock.now().getTime();
  const clockWatch = new ClockWatch({ clock, logger, elapsed });
  return makersOf({
    clockWatch: () => clockWatch,
    upkeepWatch: () => new UpkeepWatch(all),
    writeWatch: () => new WriteWatch({ storage, clock, logger, database: all().machineFiles.database }),
    damageWatch: () => new DamageWatch(storage, logger),
  });
}

/** Name of the caller that runs the jobs of cron groups, in logs and histories. */
const CRON_CALLER = 'cron';

/** Jobs call operations with all rights. */
export function cronCaller(newId: () => string, causedBy: string | undefined): Caller {
  const caller = localOperator({ name: CRON_CALLER, path: 'cron', requestId: newId(), entrance: 'cron' });
  return causedBy === undefined ? caller : { ...caller, causedBy };
}

async function auditSinks({ config, workingDirectory }: ComposedInput): Promise<readonly AuditSink[]> {
  if (config.AUDIT_FORWARD.length === 0) return [];
  const { openSink } = await import('../adapters/audit-sinks/open-sink.ts');
  const options = { directory: workingDirectory, token: config.AUDIT_FORWARD_TOKEN };
  return config.AUDIT_FORWARD.map((address) => openSink(address, options));
}
