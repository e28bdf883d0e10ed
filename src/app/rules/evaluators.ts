import { compileTemplate } from '../../jinja/template.ts';
import { memberList } from '../../kit/document/members.ts';
import type { ServedNames } from '../../kit/names/served-variables.ts';
import {
  AppError,
  type Clock,
  type JsonValue,
  type Logger,
  type Revisions,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
  type Storage,
} from '../../ports/index.ts';
import { HELD, type PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';
import type { EarlierRules } from './earlier-rules.ts';
import { type CompilerDeps, filtersOf } from './engine/compiler.ts';
import type { HostProgram, MacroView, PreviewProgram, ProgramAccount } from './engine/program-input.ts';
import type { RuleFailure } from './engine/rule-failures.ts';
import { macroFields } from './engine/secret-macros.ts';
import { type MissingRules, missingRules } from './missing-rules.ts';
import { HOST_TEMPLATES, namesProject, PROJECTS, RuleGeneration, requireReadable } from './rule-generation.ts';
import { RuleHits } from './rule-hits.ts';
import { actingRecords } from './trust/held-versions.ts';
import { accountedTypeIds, forgetMarks } from './unknown-types.ts';

export interface EvaluatorCacheDeps {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  /** All accounts as rules see them. `onSecret` is called with the name of an account whose secret goes into an inventory. */
  viewAccounts(
    view: MacroView,
    onSecret: (account: string) => void,
    /** The fields that rules show, as `<account>:<field>`. */
    shown: ReadonlySet<string>,
  ): Promise<readonly ProgramAccount[]>;
  /** For how long a secret counts that is kept elsewhere. */
  readonly secretSeconds?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** See `ProgramInput`. */
  readonly served?: ServedNames;
  /** See `ProgramInput`. */
  readonly textBooleans?: boolean;
  /** See `ProgramInput`. */
  readonly lifeCycle?: boolean;
  /** See `ProgramInput`. */
  readonly mergedAttributes?: readonly string[];
}

const PASSWORDS = 'cmk_passwords';
/** Settings of an existing installation, as its export brings them. */
const SETTINGS = 'system_config';
/** Texts without it show no account's field, so that no secret has to be opened for them. */
const MACRO = 'ACCOUNT:';
const NOTHING_SHOWN: ReadonlySet<string> = new Set();
/** Time after which a secret that could not be read is requested again. */
const RETRY_MILLISECONDS = 5000;

/**
 * Compiled rules by project, made at the first use and kept until rules, templates, projects or accounts change. Nothing
 * is read from the storage while hosts are evaluated.
 */
export class EvaluatorCache {
  readonly #deps: EvaluatorCacheDeps;
  #generation: RevisionCache<RuleGeneration> | undefined;
  #missing: RevisionCache<readonly MissingRules[]> | undefined;
  #accounted: ReadonlySet<string> | undefined;
  readonly #opened = new Set<string>();
  readonly hits: RuleHits;

  constructor(deps: EvaluatorCacheDeps) {
    this.#deps = deps;
    this.hits = new RuleHits(deps, this);
  }

  /**
   * The rules of a project by name, or of no project (`null`), with the secrets that they show: only for inventories, exports
   * and runs of playbooks. A project that is missing or disabled has no rules of its own. With the rules of a type of targets
   * only for exports to it.
   * Throws `unavailable` when not all enabled rules can be evaluated as written: no run goes out with fewer of them.
   */
  async forProject(project: string | null, target?: string): Promise<HostProgram> {
    const current = await this.#current();
    await current.requireAll(project, target);
    current.requireSecrets();
    return current.program(project, target);
  }

  /**
   * Compiles the rules without a project in advance, unless they show fields of accounts: secrets are opened on request only.
   * Returns false if they do. Throws `unavailable` as `forProject` does.
   */
  async prepare(): Promise<boolean> {
    for (const { id } of this.#ruleTypes()) {
      const records = await this.#deps.storage.rules.list(id);
      if (records.some(showsAccounts)) return false;
    }
    await this.forProject(null);
    return true;
  }

  /** Accounts whose secrets went into rules of inventories since this process began, sorted. */
  openedAccounts(): readonly string[] {
    return [...this.#opened].sort();
  }

  /** Why no run uses the rules of a project; `undefined` when runs do. */
  async obstacle(project: string | null, target?: string): Promise<string | undefined> {
    try {
      await (await this.#preview()).requireAll(project, target);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  }

  /** Enabled rules that nothing can evaluate because their plugin is not loaded. Compiles nothing. */
  missing(): Promise<readonly MissingRules[]> {
    const { storage, plugins } = this.#deps;
    this.#missing ??= new RevisionCache(
      storage,
      (revisions) => this.#unknownNames(revisions),
      () => missingRules(storage, plugins),
    );
    return this.#missing.get();
  }

  /** Enabled rules of all projects that do not compile, so that runs fail. */
  async broken(): Promise<readonly RuleFailure[]> {
    const preview = await this.#preview();
    const programs = await Promise.all(
      [null, ...preview.projects()].flatMap((project) =>
        [undefined, ...preview.targets()].map((target) => preview.program(project, target)),
      ),
    );
    const broken = [...preview.orphans(), ...programs.flatMap((program) => program.broken)];
    return [...new Map(broken.map((failure) => [`${failure.type} ${failure.id}`, failure])).values()];
  }

  /** Names of the enabled projects, sorted. */
  async projects(): Promise<readonly string[]> {
    return (await this.#current()).projects();
  }

  /** The same rules without any secret of an account, for everything that is shown to people. */
  async preview(project: string | null, target?: string): Promise<PreviewProgram> {
    return (await this.#preview()).program(project, target);
  }

  /** As `preview`, in a program of the caller's own, so that its failures are those of the caller's hosts. */
  async uncounted(project: string | null, target?: string): Promise<PreviewProgram> {
    return (await this.#preview()).withDocuments(new Map()).program(project, target);
  }

  /** As `preview`, of all projects and in programs of the caller's own, which count what rules hit. */
  async counting(): Promise<Pick<RuleGeneration, 'revision' | 'program'>> {
    return (await this.#preview()).counting();
  }

  /** The same rules with macros of secrets left as they are written, for texts that become rules themselves. */
  async unopened(project: string | null): Promise<HostProgram> {
    const current = await this.#current();
    await current.requireAll(project);
    return current.readsAccounts
      ? current.over(await this.#accounts('kept')).program(project)
      : current.program(project);
  }

  /** Returns the errors of rules since they were compiled, in the programs that this process made. */
  async failures(): Promise<readonly RuleFailure[]> {
    return (await this.#current()).failures();
  }

  /**
   * The rules as they would be with these documents stored over the present ones, without any secret. Stores nothing, caches
   * nothing.
   */
  async withDocuments(
    changed: ReadonlyMap<string, readonly RuleDocument[]>,
    project: string | null,
    target?: string,
  ): Promise<PreviewProgram> {
    return (await this.#with(changed)).program(project, target);
  }

  /** As `withDocuments`, and counts what rules hit. */
  async countingWith(
    ...[changed, project, target]: Parameters<EvaluatorCache['withDocuments']>
  ): Promise<PreviewProgram> {
    return (await this.#with(changed)).counting().program(project, target);
  }

  async #with(changed: ReadonlyMap<string, readonly RuleDocument[]>): Promise<RuleGeneration> {
    const later = (await this.#current()).over(await this.#accounts('hidden'), changed);
    later.requireKnown();
    return later;
  }

  /** The rules as they were at an earlier time, without any secret. Caches nothing. */
  async asOf(earlier: EarlierRules, project: string | null): Promise<PreviewProgram> {
    const then = (await this.#current()).over(await this.#accounts('hidden')).asOf(earlier);
    then.requireKnown();
    return then.program(project);
  }

  /** Renders one text of an inventory, empty when it fails. */
  async render(template: string, variables: Readonly<Record<string, JsonValue>>): Promise<string> {
    const shown = template.includes(MACRO) ? macroFields(template) : NOTHING_SHOWN;
    const { macro, now, language } = await this.#compilerDeps(shown === NOTHING_SHOWN ? 'hidden' : 'opened', shown);
    const compiled = compileTemplate(template, { macros: macro, now, filters: filtersOf(language) });
    const attributes = new Map<string, JsonValue>(Object.entries(variables));
    return compiled.render({ get: (name) => attributes.get(name), attributes: () => attributes }).text;
  }

  /** Returns the dependencies for compiling texts that become rules: macros of secrets stay in them as written. */
  unopenedDeps(): Promise<CompilerDeps> {
    return this.#compilerDeps('kept');
  }

  async #compilerDeps(view: MacroView, shown: ReadonlySet<string> = NOTHING_SHOWN): Promise<CompilerDeps> {
    const viewed = await this.#accounts(view, shown);
    requireReadable(viewed);
    const accounts = new Map(viewed.map((account) => [account.name, account]));
    return {
      macro: (account, field) => accounts.get(account)?.field(field)?.text,
      now: () => this.#deps.clock.now(),
      passwordIds: await this.#passwordIds(),
      language: this.#deps.plugins,
    };
  }

  async #current(): Promise<RuleGeneration> {
    this.#generation ??= this.#generations();
    const cache = this.#generation;
    const generation = await cache.get();
    if (generation.endsAt === undefined || this.#deps.clock.now().getTime() < generation.endsAt) return generation;
    // Several that find it over share the next one.
    if (this.#generation === cache) this.#generation = this.#generations();
    return this.#generation.get();
  }

  #ruleTypes(): readonly RuleType[] {
    return this.#deps.plugins.ruleTypes().filter((type) => type.evaluation !== undefined);
  }

  /** Types whose rules run over no host and belong to a project all the same. */
  #otherTypes(): readonly RuleType[] {
    return this.#deps.plugins.ruleTypes().filter((type) => type.evaluation === undefined && namesProject(type));
  }

  #generations(): RevisionCache<RuleGeneration> {
    const ids = [...this.#ruleTypes(), ...this.#otherTypes()].map((type) => type.id);
    const known = [...ids, PROJECTS, HOST_TEMPLATES, PASSWORDS, SETTINGS, HELD, 'accounts'].map(
      (type) => `rules/${type}`,
    );
    const names = (revisions: Revisions): readonly string[] => [...known, ...this.#unknownNames(revisions)];
    return new RevisionCache(this.#deps.storage, names, () => this.#read(names));
  }

  /** While no rule reads accounts there is no secret in the programs anyway, and people are shown the very same ones. */
  async #preview(): Promise<RuleGeneration> {
    const current = await this.#current();
    if (!current.readsAccounts) return current;
    current.preview ??= this.#accounts('hidden').then((accounts) => current.over(accounts));
    return current.preview;
  }

  /** Revisions of documents that no loaded plugin acts on and that would be missed, sorted. */
  #unknownNames(revisions: Revisions): readonly string[] {
    // Plugins are loaded before the first question, and it is asked with every request.
    this.#accounted ??= new Set(accountedTypeIds(this.#deps.plugins).map((type) => `rules/${type}`));
    const known = this.#accounted;
    return [...revisions.keys()].filter((name) => name.startsWith('rules/') && !known.has(name)).sort();
  }

  async #read(namesOf: (revisions: Revisions) => readonly string[]): Promise<RuleGeneration> {
    const { storage, plugins, clock } = this.#deps;
    await forgetMarks(storage, plugins, clock);
    const revisions = await storage.revisions();
    const names = namesOf(revisions);
    const missing = await missingRules(storage, plugins);
    const types = this.#ruleTypes();
    const rules = new Map<string, readonly RuleDocument[]>();
    const unconfirmed = new Set<RuleDocument>();
    const reading: RuleRecord[] = [];
    for (const type of types) {
      const records = await actingRecords(storage.rules, type);
      reading.push(...records.filter(showsAccounts));
      rules.set(type.id, documentsOf(records, unconfirmed));
    }
    const others = this.#otherTypes();
    for (const type of others) {
      const records = await actingRecords(storage.rules, type);
      rules.set(
        type.id,
        records.map(({ document }) => document.value),
      );
    }
    const readsAccounts = reading.length > 0;
    const shown = new Set(reading.flatMap(({ document }) => [...macroFields(document.value)]));
    const accounts = await this.#accounts(readsAccounts ? 'opened' : 'hidden', shown);
    const { window, endsAt } = this.#secretsOf(accounts);
    return new RuleGeneration({
      revision: [...names.map((name) => revisions.get(name) ?? 0), this.#settings(), ...window].join('.'),
      ...(endsAt === undefined ? {} : { endsAt }),
      types: [...types, ...others],
      rules,
      missing,
      templates: documentsOf(await storage.rules.list(HOST_TEMPLATES), unconfirmed),
      readsAccounts,
      accounts,
      now: () => clock.now(),
      passwordIds: await this.#passwordIds(),
      projects: documentsOf(await storage.rules.list(PROJECTS), unconfirmed),
      ...(this.#deps.served === undefined ? {} : { served: this.#deps.served }),
      ...(this.#deps.textBooleans === undefined ? {} : { textBooleans: this.#deps.textBooleans }),
      ...(this.#deps.lifeCycle === undefined ? {} : { lifeCycle: this.#deps.lifeCycle }),
      mergedAttributes: [...(this.#deps.mergedAttributes ?? []), ...(await this.#mergedByImport())],
      unconfirmed,
      language: plugins,
    });
  }

  /**
   * Returns how long secrets kept elsewhere are valid. They may change without any change here, so such an inventory gets another
   * tag for each period of that length, the same in every process, and its tag reveals nothing about the secret.
   */
  #secretsOf(accounts: readonly ProgramAccount[]): { readonly window: readonly number[]; readonly endsAt?: number } {
    if (!accounts.some(({ changesElsewhere }) => changesElsewhere === true)) return { window: [] };
    const now = this.#deps.clock.now().getTime();
    const length = Math.max(this.#deps.secretSeconds ?? 0, 1) * 1000;
    const window = Math.floor(now / length);
    const isUnreadable = accounts.some(({ unreadable }) => unreadable !== undefined);
    return { window: [window], endsAt: isUnreadable ? now + RETRY_MILLISECONDS : (window + 1) * length };
  }

  /** Returns the configuration that affects inventories: if it changes, the same rules and hosts give another inventory. */
  #settings(): string {
    const { textBooleans, lifeCycle, mergedAttributes } = this.#deps;
    return JSON.stringify([textBooleans, lifeCycle, mergedAttributes]);
  }

  /** Returns the attributes that an existing installation merges, from its imported settings. */
  async #mergedByImport(): Promise<readonly string[]> {
    const records = await this.#deps.storage.rules.list(SETTINGS);
    return records.flatMap(({ document }) =>
      memberList(document.value, 'merge_attributes').filter((name): name is string => typeof name === 'string'),
    );
  }

  async #passwordIds(): Promise<ReadonlyMap<string, string>> {
    const records = await this.#deps.storage.rules.list(PASSWORDS);
    return new Map(records.map(({ name, id }) => [name, id]));
  }

  #accounts(view: MacroView, shown: ReadonlySet<string> = NOTHING_SHOWN): Promise<readonly ProgramAccount[]> {
    return this.#deps.viewAccounts(view, (account) => this.#opened.add(account), shown);
  }
}

function showsAccounts({ document }: RuleRecord): boolean {
  return document.text.includes(MACRO);
}

/** Returns the documents of records and adds those that are not confirmed to `unconfirmed`. */
function documentsOf(records: readonly RuleRecord[], unconfirmed: Set<RuleDocument>): readonly RuleDocument[] {
  for (const { confirmedBy, document } of records) if (confirmedBy === null) unconfirmed.add(document.value);
  return records.map((record) => record.document.value);
}
