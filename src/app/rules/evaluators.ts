import { setImmediate as nextTurn } from 'node:timers/promises';
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
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';
import { compileTemplate } from '../templating/template.ts';
import { memberFlag, memberReference, memberText } from './document/members.ts';
import type { CompilerDeps } from './engine/compiler.ts';
import type { ServedNames } from './engine/names/served-variables.ts';
import { compileInSteps } from './engine/program.ts';
import type { HostProgram, MacroView, PreviewProgram, ProgramAccount, ProgramInput } from './engine/program-input.ts';
import type { RuleFailure } from './engine/rule-failures.ts';
import { brokenError, type MissingRules, missingError, missingRules, waitingError } from './missing-rules.ts';
import { orphanedRules } from './orphaned-rules.ts';
import { engineTypeIds, forgetMarks } from './unknown-types.ts';

export interface EvaluatorCacheDeps {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  /** All accounts as rules see them. `onSecret` is called with the name of an account whose secret goes into an inventory. */
  viewAccounts(view: MacroView, onSecret: (account: string) => void): Promise<readonly ProgramAccount[]>;
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

const PROJECTS = 'automation_projects';
const TEMPLATES = 'cmdb_templates';
const PASSWORDS = 'cmk_passwords';
/** It stands for no project: its rules make the inventory `automation`. */
const DEFAULT_PROJECT = 'Default';
/** Texts without it show no account's field, so that no secret has to be opened for them. */
const MACRO = 'ACCOUNT:';

/**
 * Compiled rules by project, made at the first use and kept until rules, templates, projects or accounts change. Nothing
 * is read from the storage while hosts are evaluated.
 */
export class EvaluatorCache {
  readonly #deps: EvaluatorCacheDeps;
  #generation: RevisionCache<Generation> | undefined;
  #missing: RevisionCache<readonly MissingRules[]> | undefined;
  readonly #opened = new Set<string>();

  constructor(deps: EvaluatorCacheDeps) {
    this.#deps = deps;
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
    return current.program(project, target);
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

  /** The same rules with macros of secrets left as they are written, for texts that become rules themselves. */
  async unopened(project: string | null): Promise<HostProgram> {
    const current = await this.#current();
    await current.requireAll(project);
    return current.readsAccounts
      ? current.over(await this.#accounts('kept')).program(project)
      : current.program(project);
  }

  /** What went wrong in rules since they were compiled, in the programs that this process made. */
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
    const later = (await this.#current()).over(await this.#accounts('hidden'), changed);
    later.requireKnown();
    return later.program(project, target);
  }

  /** Renders one text of an inventory, empty when it fails. */
  async render(template: string, variables: Readonly<Record<string, JsonValue>>): Promise<string> {
    const { macro, now } = await this.#compilerDeps(template.includes(MACRO) ? 'opened' : 'hidden');
    const compiled = compileTemplate(template, { macros: macro, now });
    const attributes = new Map<string, JsonValue>(Object.entries(variables));
    return compiled.render({ get: (name) => attributes.get(name), attributes: () => attributes }).text;
  }

  /** What texts that become rules are compiled with: macros of secrets stay in them as they are written. */
  unopenedDeps(): Promise<CompilerDeps> {
    return this.#compilerDeps('kept');
  }

  async #compilerDeps(view: MacroView): Promise<CompilerDeps> {
    const accounts = new Map((await this.#accounts(view)).map((account) => [account.name, account]));
    return {
      macro: (account, field) => accounts.get(account)?.field(field)?.text,
      now: () => this.#deps.clock.now(),
      passwordIds: await this.#passwordIds(),
    };
  }

  #current(): Promise<Generation> {
    const types = this.#deps.plugins.ruleTypes().filter((type) => type.evaluation !== undefined);
    const known = [...types.map((type) => type.id), PROJECTS, TEMPLATES, PASSWORDS, 'accounts'].map(
      (type) => `rules/${type}`,
    );
    const names = (revisions: Revisions): readonly string[] => [...known, ...this.#unknownNames(revisions)];
    this.#generation ??= new RevisionCache(this.#deps.storage, names, () => this.#read(names));
    return this.#generation.get();
  }

  /** While no rule reads accounts there is no secret in the programs anyway, and people are shown the very same ones. */
  async #preview(): Promise<Generation> {
    const current = await this.#current();
    if (!current.readsAccounts) return current;
    current.preview ??= this.#accounts('hidden').then((accounts) => current.over(accounts));
    return current.preview;
  }

  /** Revisions of documents that no loaded plugin acts on, sorted. */
  #unknownNames(revisions: Revisions): readonly string[] {
    const known = new Set(engineTypeIds(this.#deps.plugins).map((type) => `rules/${type}`));
    return [...revisions.keys()].filter((name) => name.startsWith('rules/') && !known.has(name)).sort();
  }

  async #read(namesOf: (revisions: Revisions) => readonly string[]): Promise<Generation> {
    const { storage, plugins, clock } = this.#deps;
    await forgetMarks(storage, plugins, clock);
    const revisions = await storage.revisions();
    const names = namesOf(revisions);
    const missing = await missingRules(storage, plugins);
    const types = plugins.ruleTypes().filter((type) => type.evaluation !== undefined);
    const rules = new Map<string, readonly RuleDocument[]>();
    const unconfirmed = new Set<RuleDocument>();
    let readsAccounts = false;
    for (const type of types) {
      const records = await storage.rules.list(type.id);
      readsAccounts ||= records.some((record) => record.document.text.includes(MACRO));
      rules.set(type.id, documentsOf(records, unconfirmed));
    }
    return new Generation({
      revision: [...names.map((name) => revisions.get(name) ?? 0), this.#settings()].join('.'),
      types,
      rules,
      missing,
      templates: documentsOf(await storage.rules.list(TEMPLATES), unconfirmed),
      readsAccounts,
      accounts: await this.#accounts(readsAccounts ? 'opened' : 'hidden'),
      now: () => clock.now(),
      passwordIds: await this.#passwordIds(),
      projects: documentsOf(await storage.rules.list(PROJECTS), unconfirmed),
      ...(this.#deps.served === undefined ? {} : { served: this.#deps.served }),
      ...(this.#deps.textBooleans === undefined ? {} : { textBooleans: this.#deps.textBooleans }),
      ...(this.#deps.lifeCycle === undefined ? {} : { lifeCycle: this.#deps.lifeCycle }),
      mergedAttributes: this.#deps.mergedAttributes ?? [],
      unconfirmed,
    });
  }

  /** What the configuration says of inventories: with another one, the same rules and hosts give another inventory. */
  #settings(): string {
    const { textBooleans, lifeCycle, mergedAttributes } = this.#deps;
    return JSON.stringify([textBooleans, lifeCycle, mergedAttributes]);
  }

  async #passwordIds(): Promise<ReadonlyMap<string, string>> {
    const records = await this.#deps.storage.rules.list(PASSWORDS);
    return new Map(records.map(({ name, id }) => [name, id]));
  }

  #accounts(view: MacroView): Promise<readonly ProgramAccount[]> {
    return this.#deps.viewAccounts(view, (account) => this.#opened.add(account));
  }
}

/** Notes those that nobody vouches for. */
function documentsOf(records: readonly RuleRecord[], unconfirmed: Set<RuleDocument>): readonly RuleDocument[] {
  for (const { confirmedBy, document } of records) if (confirmedBy === null) unconfirmed.add(document.value);
  return records.map((record) => record.document.value);
}

interface GenerationInput extends Omit<ProgramInput, 'project'> {
  readonly projects: readonly RuleDocument[];
  /** Whether a rule reads fields of accounts. */
  readonly readsAccounts: boolean;
  readonly missing: readonly MissingRules[];
}

/** After so long others have their turn. */
const TURN_MILLISECONDS = 8;

/** Compiles a program in turns with everybody else on this thread: ten thousand rules take a second. */
async function compileInTurns(input: ProgramInput): Promise<PreviewProgram> {
  const steps = compileInSteps(input);
  let end = performance.now() + TURN_MILLISECONDS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MILLISECONDS;
  }
}

/** All programs that were compiled from one state of the rules. */
class Generation {
  readonly #input: GenerationInput;
  readonly #programs = new Map<string, Promise<PreviewProgram>>();
  readonly #compiled: PreviewProgram[] = [];
  #orphans: readonly RuleFailure[] | undefined;
  #targets: readonly string[] | undefined;
  /** The same without secrets, once it was asked for. */
  preview: Promise<Generation> | undefined;

  constructor(input: GenerationInput) {
    this.#input = input;
  }

  get readsAccounts(): boolean {
    return this.#input.readsAccounts;
  }

  program(name: string | null, forTarget?: string): Promise<PreviewProgram> {
    // Without rules of its own a target shares the program of the project.
    const target = this.targets().find((known) => known === forTarget);
    const key = JSON.stringify([name, target]);
    let program = this.#programs.get(key);
    if (program === undefined) {
      const own = target === undefined ? {} : { target };
      program = compileInTurns({ ...this.#input, ...own, project: this.#project(name) }).then((made) => {
        this.#compiled.push(made);
        return made;
      });
      this.#programs.set(key, program);
    }
    return program;
  }

  /** Types of targets that have rule types of their own. */
  targets(): readonly string[] {
    this.#targets ??= [...new Set([...this.#input.types].flatMap(({ evaluation }) => evaluation?.target ?? []))];
    return this.#targets;
  }

  /** Throws when not all enabled rules that count for the project and the target can be evaluated as written. */
  async requireAll(project: string | null, target?: string): Promise<void> {
    this.requireKnown();
    const program = await this.program(project, target);
    const targetOf = new Map([...this.#input.types].map(({ id, evaluation }) => [id, evaluation?.target]));
    const orphans = this.orphans().filter(({ type }) => (targetOf.get(type) ?? target) === target);
    const broken = [...orphans, ...program.broken];
    if (broken.length > 0) throw brokenError(broken);
    const waiting = program.waiting.filter(({ type }) => targetOf.get(type) !== undefined);
    if (waiting.length > 0) throw waitingError(waiting);
  }

  /** Enabled rules of which it is not known which project they are for. */
  orphans(): readonly RuleFailure[] {
    this.#orphans ??= orphanedRules(this.#input.types, this.#input.rules, this.#input.projects);
    return this.#orphans;
  }

  /** Throws when there are enabled rules of types that nobody knows: whom they are for is not known either. */
  requireKnown(): void {
    const { missing } = this.#input;
    if (missing.length > 0) throw missingError(missing);
  }

  projects(): readonly string[] {
    return this.#input.projects
      .filter((project) => memberFlag(project, 'enabled'))
      .map((project) => memberText(project, 'name'))
      .filter((name) => name !== DEFAULT_PROJECT)
      .sort();
  }

  failures(): readonly RuleFailure[] {
    return this.#compiled.flatMap((program) => program.errors());
  }

  withDocuments(changed: ReadonlyMap<string, readonly RuleDocument[]>): Generation {
    return this.over(this.#input.accounts, changed);
  }

  /** The same rules over another view of the accounts, with some documents in the place of theirs. */
  over(
    accounts: readonly ProgramAccount[],
    changed: ReadonlyMap<string, readonly RuleDocument[]> = new Map(),
  ): Generation {
    const types = new Map([...this.#input.types].map((type) => [type.id, type]));
    const laidOver = (type: string, documents: readonly RuleDocument[]): readonly RuleDocument[] => {
      const later = changed.get(type);
      return later === undefined ? documents : replaced(documents, later, keyOf(types.get(type), type));
    };
    return new Generation({
      ...this.#input,
      accounts,
      rules: new Map([...this.#input.rules].map(([type, documents]) => [type, laidOver(type, documents)])),
      templates: laidOver(TEMPLATES, this.#input.templates),
      projects: laidOver(PROJECTS, this.#input.projects),
    });
  }

  #project(name: string | null): ProgramInput['project'] {
    if (name === null) return null;
    const document = this.#input.projects.find(
      (candidate) => memberText(candidate, 'name') === name && memberFlag(candidate, 'enabled'),
    );
    return { id: document === undefined ? '' : (memberReference(document, '_id') ?? ''), name };
  }
}

/** The member by which a later document takes the place of one with another id; types that may repeat names have none. */
function keyOf(type: RuleType | undefined, id: string): string | undefined {
  if (type === undefined) return id === TEMPLATES ? 'hostname' : 'name';
  return type.uniqueNames ? type.keyedBy : undefined;
}

/** Documents with later ones in the place of those of the same id or key. */
function replaced(
  documents: readonly RuleDocument[],
  later: readonly RuleDocument[],
  key: string | undefined,
): readonly RuleDocument[] {
  const ids = new Set(later.map((document) => memberReference(document, '_id')));
  const names = new Set(key === undefined ? [] : later.map((document) => memberText(document, key)));
  const kept = documents.filter(
    (document) =>
      !ids.has(memberReference(document, '_id')) && (key === undefined || !names.has(memberText(document, key))),
  );
  return [...kept, ...later];
}
