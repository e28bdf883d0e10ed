import { setImmediate as nextTurn } from 'node:timers/promises';
import { memberFlag, memberReference, memberText } from '../../kit/document/members.ts';
import { AppError, type RuleDocument, type RuleType } from '../../ports/index.ts';
import type { EarlierRules } from './earlier-rules.ts';
import { compileInSteps } from './engine/program.ts';
import type { PreviewProgram, ProgramAccount, ProgramInput } from './engine/program-input.ts';
import type { RuleFailure } from './engine/rule-failures.ts';
import { brokenError, type MissingRules, missingError, pendingError } from './missing-rules.ts';

export const PROJECTS = 'automation_projects';
export const HOST_TEMPLATES = 'cmdb_templates';
/** It stands for no project: its rules make the inventory `automation`. */
export const DEFAULT_PROJECT = 'Default';

interface GenerationInput extends Omit<ProgramInput, 'project'> {
  readonly projects: readonly RuleDocument[];
  /** Whether a rule reads fields of accounts. */
  readonly readsAccounts: boolean;
  readonly missing: readonly MissingRules[];
  /** The time from which secrets that rules show and that are kept elsewhere may have changed; absent if all are stored here. */
  readonly endsAt?: number;
}

/** Time after which other tasks get their turn. */
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
export class RuleGeneration {
  readonly #input: GenerationInput;
  readonly #programs = new Map<string, Promise<PreviewProgram>>();
  readonly #compiled: PreviewProgram[] = [];
  #orphans: readonly RuleFailure[] | undefined;
  #targets: readonly string[] | undefined;
  /** The same without secrets, once it was asked for. */
  preview: Promise<RuleGeneration> | undefined;

  constructor(input: GenerationInput) {
    this.#input = input;
  }

  get endsAt(): number | undefined {
    return this.#input.endsAt;
  }

  get revision(): string {
    return this.#input.revision;
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
    const pending = program.waiting.filter(({ type }) => targetOf.get(type) !== undefined);
    if (pending.length > 0) throw pendingError(pending);
  }

  /** Throws when a secret that rules show cannot be read from where it is kept. */
  requireSecrets(): void {
    requireReadable(this.#input.accounts);
  }

  /** Enabled rules of which it is not known which project they are for. */
  orphans(): readonly RuleFailure[] {
    this.#orphans ??= orphanedRules(this.#input.types, this.#input.rules, this.#input.projects);
    return this.#orphans;
  }

  /** Throws if there are enabled rules of unknown types: which hosts and consumers they are for is unknown too. */
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

  withDocuments(changed: ReadonlyMap<string, readonly RuleDocument[]>): RuleGeneration {
    return this.over(this.#input.accounts, changed);
  }

  /** The same in programs of the caller's own, which count. */
  counting(): RuleGeneration {
    return new RuleGeneration({ ...this.#input, counts: true });
  }

  /** The same with other documents of some types, which are all of theirs. */
  asOf({ documents, unconfirmed }: Pick<EarlierRules, 'documents' | 'unconfirmed'>): RuleGeneration {
    return new RuleGeneration({
      ...this.#input,
      rules: new Map([...this.#input.rules].map(([type, present]) => [type, documents.get(type) ?? present])),
      templates: documents.get(HOST_TEMPLATES) ?? this.#input.templates,
      projects: documents.get(PROJECTS) ?? this.#input.projects,
      unconfirmed: new Set([...(this.#input.unconfirmed ?? []), ...unconfirmed]),
    });
  }

  /** The same rules over another view of the accounts, with some documents in the place of theirs. */
  over(
    accounts: readonly ProgramAccount[],
    changed: ReadonlyMap<string, readonly RuleDocument[]> = new Map(),
  ): RuleGeneration {
    const types = new Map([...this.#input.types].map((type) => [type.id, type]));
    const laidOver = (type: string, documents: readonly RuleDocument[]): readonly RuleDocument[] => {
      const later = changed.get(type);
      return later === undefined ? documents : replaced(documents, later, keyOf(types.get(type), type));
    };
    return new RuleGeneration({
      ...this.#input,
      accounts,
      rules: new Map([...this.#input.rules].map(([type, documents]) => [type, laidOver(type, documents)])),
      templates: laidOver(HOST_TEMPLATES, this.#input.templates),
      projects: laidOver(PROJECTS, this.#input.projects),
    });
  }

  #project(name: string | null): ProgramInput['project'] {
    if (name === null) return null;
    // Rules may name a disabled project by its id, too: `failing-hosts` and others look at it before it is enabled.
    const named = this.#input.projects.filter((candidate) => memberText(candidate, 'name') === name);
    const document = named.find((candidate) => memberFlag(candidate, 'enabled')) ?? named[0];
    return { id: document === undefined ? '' : (memberReference(document, '_id') ?? ''), name };
  }
}

/** Throws when a secret that rules show cannot be read from where it is kept: nothing goes out with an empty one in its place. */
export function requireReadable(accounts: readonly ProgramAccount[]): void {
  const reason = accounts.find(({ unreadable }) => unreadable !== undefined)?.unreadable;
  if (reason !== undefined) throw new AppError('unavailable', `rules show a secret that cannot be read: ${reason}`);
}

/** The member by which a later document takes the place of one with another id; types that may repeat names have none. */
function keyOf(type: RuleType | undefined, id: string): string | undefined {
  if (type === undefined) return id === HOST_TEMPLATES ? 'hostname' : 'name';
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

const ID = /^[0-9a-f]{24}$/i;

/** Whether rules of the type are those of a project: groups have one too, though no rule of theirs runs over hosts. */
export function namesProject({ schema, kept }: RuleType): boolean {
  const members = schema.properties;
  return kept === undefined && typeof members === 'object' && members !== null && Object.hasOwn(members, 'project');
}

/**
 * Returns the failures of enabled rules that name their project by an id that does not exist. Their inventory is unknown, and it
 * may be the one without a project: exports of existing installations give every such rule the id of their project `Default`. So
 * nothing is served without them. A project given by name simply does not exist yet, and no other inventory can be meant.
 */
function orphanedRules(
  types: Iterable<RuleType>,
  rules: ReadonlyMap<string, readonly RuleDocument[]>,
  projects: readonly RuleDocument[],
): readonly RuleFailure[] {
  const known = new Set(projects.map((project) => memberReference(project, '_id')));
  const orphans: RuleFailure[] = [];
  for (const type of types) {
    const stage = type.evaluation?.stage;
    // A rule about playbooks that counts nowhere starts none.
    if (stage === 'attributes' || stage === 'playbooks') continue;
    for (const document of rules.get(type.id) ?? []) {
      const project = memberReference(document, 'project');
      if (project === undefined || !ID.test(project) || known.has(project) || !memberFlag(document, 'enabled'))
        continue;
      orphans.push({
        type: type.id,
        id: memberReference(document, '_id') ?? '',
        name: memberText(document, type.keyedBy),
        errors: 1,
        lastError: orphanText(project),
        lastHostname: '',
      });
    }
  }
  return orphans;
}

function orphanText(project: string): string {
  return `its project ${project} does not exist, so it is not known which inventory it is for; import the project (type automation_projects), or give the rule another one ("Default" for the inventory automation)`;
}
