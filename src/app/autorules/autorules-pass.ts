import { AUTORULES } from '../../kit/document/autorule-condition.ts';
import { isSameDocument, memberReference, memberText } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import { counted } from '../../kit/words/amounts.ts';
import {
  AppError,
  type LogDetail,
  type RuleDocument,
  type RuleType,
  type RuleVersion,
  type Storage,
} from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Progress } from '../kernel/operation.ts';
import { readEnvelope } from '../rules/engine/envelope.ts';
import { autoruleActor, isMadeByAutorule } from '../rules/made-by-autorule.ts';
import { maskedDocument } from '../rules/secrets/masked-documents.ts';
import type { RuleServices } from '../rules/services.ts';
import { importDocuments } from '../rules/transfer/import-documents.ts';
import { type Autorules, compileAutorules, type GeneratedRule } from './compiled-autorules.ts';

export interface AutorulesReport {
  readonly hosts: number;
  /** False when its time ran out before it had looked at all of them. */
  readonly isWhole: boolean;
  readonly created: number;
  readonly errors: number;
  /** Number of enabled rules among those that it made. */
  readonly enabled: number;
  /** The lowest and the highest position of them; absent when there are none. */
  readonly positions: { readonly lowest: number; readonly highest: number } | undefined;
  /** When the pass began; every rule that it made bears this time, by which they are found again. */
  readonly beganAt: Date;
  /** Times that a rule of the name was there before the pass. */
  readonly existing: number;
  /** Attributes of hosts that occur in made rules with all of their members, as text. */
  readonly wholes: readonly WholeAttribute[];
  /** The first rules that it made. */
  readonly made: readonly MadeRule[];
  /** The first things that went wrong. */
  readonly problems: readonly string[];
}

interface WholeAttribute {
  readonly autorule: string;
  readonly attribute: string;
  /** Names of the members of the first of them; none for a list. */
  readonly members: readonly string[];
  /** Rules that would be made with it. */
  readonly rules: number;
}

interface MadeRule {
  readonly ruleType: string;
  readonly name: string;
  readonly autorule: string;
  readonly hostname: string;
  readonly enabled: boolean;
  readonly sortField: number;
  /** Secrets masked. */
  readonly document: RuleDocument;
}

interface PassOptions {
  readonly signal: AbortSignal;
  readonly verbose: boolean;
  /** Looks what would be made; stores nothing and logs nothing. */
  readonly preview?: boolean;
  /** Only this one, by name or id; absent: all that are enabled. A named one runs only if it is enabled. */
  readonly autorule?: string | undefined;
  /** Previews: this autorule, which need not be stored, and no other. */
  readonly tried?: RuleDocument;
  /** Looks at no further hosts after this moment, in milliseconds since 1970. */
  readonly endsAt?: number;
  readonly progress: (progress: Progress) => void;
}

/** The component in the log. */
const AUTORULES_SOURCE = 'Autorules';
const BATCH_SIZE = 100;
const VERSIONS_A_BATCH = 500;
/** Errors that the log entry names; the count is always complete. */
const MAX_LOGGED_ERRORS = 100;
const MAX_SHOWN = 100;
/** Refused documents that are remembered: most often a body that makes one makes the same of many hosts. */
const MAX_REFUSED = 1_000;

/**
 * Makes rules for every active host and object and stores those whose names do not exist yet. Only creates, so that it can
 * run again at any time. What fails is named in the log and skipped.
 */
export async function runAutorulesPass(services: RuleServices, options: PassOptions): Promise<AutorulesReport> {
  const pass = new AutorulesPass(services, options);
  let hosts = 0;
  let isWhole = true;
  try {
    const autorules = await pass.compile();
    const program = await services.evaluators.unopened(null);
    for await (const batch of services.storage.hosts.scan({ scope: null, kind: 'all', state: 'active' }, BATCH_SIZE)) {
      options.signal.throwIfAborted();
      if (options.endsAt !== undefined && Date.now() > options.endsAt) {
        isWhole = false;
        break;
      }
      const generated = batch.flatMap((host) => [...autorules.generate(host, program.attributes(host))]);
      if (options.verbose) {
        for (const host of batch) for (const name of autorules.passedOver(host)) pass.passedOver(name, host.hostname);
      }
      await pass.store(generated);
      hosts += batch.length;
      options.progress({
        done: hosts,
        unit: 'hosts',
        note: `${counted(pass.created, 'rule')} ${options.preview === true ? 'to make' : 'made'}`,
      });
    }
  } finally {
    if (options.preview !== true) await pass.writeLog(hosts);
  }
  return { hosts, isWhole, ...pass.report() };
}

class AutorulesPass {
  readonly #services: RuleServices;
  readonly #verbose: boolean;
  readonly #isPreview: boolean;
  readonly #beganAt: Date;
  readonly #made: MadeRule[] = [];
  readonly #known = new Map<string, Set<string>>();
  /** Those that this pass made, by type and name. */
  readonly #ownNames = new Set<string>();
  /** The last that could not be stored, by type and name: another host may make one of the name that can. */
  readonly #refused = new Map<string, RuleDocument>();
  readonly #details: LogDetail[] = [];
  #enabled = 0;
  #positions: AutorulesReport['positions'];
  created = 0;
  errors = 0;
  existing = 0;
  readonly #only: string | undefined;
  readonly #tried: RuleDocument | undefined;
  readonly #wholes = new Map<string, WholeAttribute>();

  constructor(services: RuleServices, { verbose, preview = false, autorule, tried }: PassOptions) {
    this.#services = services;
    this.#only = autorule;
    this.#tried = tried;
    this.#verbose = verbose && !preview;
    this.#isPreview = preview;
    this.#beganAt = services.clock.now();
  }

  report(): Omit<AutorulesReport, 'hosts' | 'isWhole'> {
    return {
      created: this.created,
      existing: this.existing,
      wholes: [...this.#wholes.values()],
      errors: this.errors,
      enabled: this.#enabled,
      positions: this.#positions,
      beganAt: this.#beganAt,
      made: this.#made,
      problems: this.#details.map(({ message }) => message),
    };
  }

  async compile(): Promise<Autorules> {
    const { evaluators } = this.#services;
    const documents = this.#tried === undefined ? await this.#stored() : [this.#tried];
    const autorules = compileAutorules(documents, await evaluators.unopenedDeps());
    for (const { autorule, error } of autorules.broken) this.#fail({ autorule, hostname: '' }, error);
    return autorules;
  }

  async #stored(): Promise<readonly RuleDocument[]> {
    const documents = (await this.#services.storage.rules.list(AUTORULES)).map((record) => record.document.value);
    const only = this.#only;
    if (only === undefined) return documents;
    const named = documents.filter((one) => memberReference(one, '_id') === only || memberText(one, 'name') === only);
    if (named.length > 0) return named;
    throw new AppError('not_found', worded`there is no autorule ${{ name: only }}`);
  }

  /** Stores what is new of these. */
  async store(generated: readonly GeneratedRule[]): Promise<void> {
    for (const rule of generated) {
      if (!rule.ok) {
        this.#fail(rule, rule.error);
        continue;
      }
      const type = this.#services.plugins.ruleType(rule.ruleType);
      if (type === undefined) {
        this.#fail(rule, `there is no rule type ${rule.ruleType}`);
        continue;
      }
      const names = await this.#namesOf(type.id);
      const name = memberText(rule.document, type.keyedBy);
      if (names.has(name)) {
        if (!this.#ownNames.has(`${type.id} ${name}`)) this.existing++;
        this.#log('exists already', rule, `${type.id} ${name}`);
        continue;
      }
      const key = `${type.id} ${name}`;
      if (isSameDocument(this.#refused.get(key), rule.document)) {
        this.#log('failed', rule, `${key} is refused, as for a host before`);
        continue;
      }
      if (await this.#storeOne(type, rule)) {
        names.add(name);
        this.#ownNames.add(key);
        continue;
      }
      if (this.#refused.size >= MAX_REFUSED) this.#refused.clear();
      this.#refused.set(key, rule.document);
    }
  }

  /** The autorule is not for objects of this kind. */
  passedOver(autorule: string, hostname: string): void {
    this.#log('not for this object', { autorule, hostname });
  }

  /** Returns whether there is a rule of the name now. */
  async #storeOne(ruleType: RuleType, rule: GeneratedRule & { readonly ok: true }): Promise<boolean> {
    const { document } = rule;
    const type = ruleType.id;
    try {
      const part = { type, documents: [document] };
      const actor = { kind: 'rule', name: labelOf(rule) } as const;
      const { counts, details } = await importDocuments(this.#services, AUTORULES_CALLER, [part], {
        override: false,
        actor,
        at: this.#beganAt,
        dryRun: this.#isPreview,
      });
      const [problem] = details;
      const name = memberText(document, 'name');
      if (problem !== undefined) {
        this.#fail(rule, `${problem.path} ${problem.message}`);
        return false;
      }
      if (counts.get(type)?.imported === 1) this.#countMade(rule, ruleType, name);
      else {
        this.existing++;
        this.#log('exists already', rule, `${type} ${name}`);
      }
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      this.#fail(rule, error.message);
      return false;
    }
  }

  async #namesOf(type: string): Promise<Set<string>> {
    let names = this.#known.get(type);
    if (names === undefined) {
      names = new Set((await this.#services.storage.rules.list(type)).map((record) => record.name));
      this.#known.set(type, names);
    }
    return names;
  }

  async writeLog(hosts: number): Promise<void> {
    const { storage, clock, newId } = this.#services;
    const made = `${counted(this.created, 'rule')} made for ${counted(hosts, 'host')}`;
    const summary = `${this.#only === undefined ? 'Autorules' : `Autorule ${this.#only}`}: ${made}, ${counted(this.errors, 'error')}`;
    await storage.logs.append({
      id: newId(),
      at: clock.now(),
      message: summary,
      source: AUTORULES_SOURCE,
      details: [{ level: 'info', message: summary }, ...this.#details],
      hasError: this.errors > 0,
    });
  }

  #countMade(rule: GeneratedRule & { readonly ok: true }, type: RuleType, name: string): void {
    const { autorule, hostname, document } = rule;
    const { enabled, sortField } = readEnvelope(document, type);
    this.created++;
    if (enabled) this.#enabled++;
    const { lowest, highest } = this.#positions ?? { lowest: sortField, highest: sortField };
    this.#positions = { lowest: Math.min(lowest, sortField), highest: Math.max(highest, sortField) };
    if (this.#made.length < MAX_SHOWN) {
      const masked = maskedDocument(type, document);
      this.#made.push({ ruleType: type.id, name, autorule, hostname, enabled, sortField, document: masked });
    }
    for (const { attribute, members } of rule.wholes) {
      const key = JSON.stringify([autorule, attribute]);
      const rules = (this.#wholes.get(key)?.rules ?? 0) + 1;
      this.#wholes.set(key, { autorule, attribute, members: this.#wholes.get(key)?.members ?? members, rules });
    }
    this.#log('made', rule, `${type.id} ${name}`);
  }

  #fail(rule: AutoruleAndHost, reason: string): void {
    this.errors++;
    if (this.errors <= MAX_LOGGED_ERRORS) {
      this.#details.push({ level: 'error', message: `${labelOf(rule)}: ${reason}` });
    }
    this.#log('failed', rule, reason);
  }

  /** One line for each autorule and host, in the log of the server: what asks for them wants to see the good ones too. */
  #log(outcome: string, { autorule, hostname }: AutoruleAndHost, detail?: string): void {
    if (!this.#verbose) return;
    const fields = { autorule, hostname, outcome, ...(detail === undefined ? {} : { detail }) };
    if (outcome === 'failed') this.#services.logger.warn('autorule', fields);
    else this.#services.logger.info('autorule', fields);
  }
}

type AutoruleAndHost = Pick<GeneratedRule, 'autorule' | 'hostname'>;

function labelOf({ autorule, hostname }: AutoruleAndHost): string {
  return autoruleActor(autorule, hostname);
}

/** Generated rules are stored by a caller without roles, so that no autorule can grant anything. */
const AUTORULES_CALLER: Caller = {
  name: 'autorules',
  roles: [],
  readOnly: false,
  globalAdmin: false,
  scope: null,
  scopeNames: null,
  templates: null,
  templateNames: null,
  entrance: 'cron',
  address: '',
  requestId: '',
  path: '',
};

/** Yields rules made by autorules and unchanged since, the newest first. */
export async function* untouchedByAutorules({ rules }: Pick<Storage, 'rules'>): AsyncGenerator<readonly RuleVersion[]> {
  for await (const batch of rules.lastVersions({ change: 'created' }, VERSIONS_A_BATCH)) {
    const made = batch.filter(isMadeByAutorule);
    if (made.length > 0) yield made;
  }
}
