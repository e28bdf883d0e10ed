import { AppError, type LogDetail } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Progress } from '../kernel/operation.ts';
import { memberText } from './document/members.ts';
import { AUTORULES, type Autorules, compileAutorules, type GeneratedRule } from './engine/autorules.ts';
import type { RuleServices } from './services.ts';
import { importDocuments } from './transfer/import-documents.ts';

export interface AutorulesReport {
  readonly hosts: number;
  readonly created: number;
  readonly errors: number;
}

/** The component in the log. */
const AUTORULES_SOURCE = 'Autorules';
const BATCH_SIZE = 250;
/** Errors that the log entry names; the count is always complete. */
const MAX_LOGGED_ERRORS = 100;

/**
 * Makes rules for every active host and object and stores those whose names do not exist yet. Only creates, so that it can
 * run again at any time. What fails is named in the log and skipped.
 */
export async function runAutorulesPass(
  services: RuleServices,
  options: { readonly signal: AbortSignal; readonly verbose: boolean; readonly progress: (progress: Progress) => void },
): Promise<AutorulesReport> {
  const pass = new AutorulesPass(services, options.verbose);
  let hosts = 0;
  try {
    const autorules = await pass.compile();
    const program = await services.evaluators.unopened(null);
    for await (const batch of services.storage.hosts.scan({ scope: null, kind: 'all', state: 'active' }, BATCH_SIZE)) {
      options.signal.throwIfAborted();
      const generated = batch.flatMap((host) => [...autorules.generate(host, program.attributes(host))]);
      if (options.verbose) {
        for (const host of batch) for (const name of autorules.passedOver(host)) pass.passedOver(name, host.hostname);
      }
      await pass.store(generated);
      hosts += batch.length;
      options.progress({ done: hosts, unit: 'hosts', note: `${pass.created} rules made` });
    }
  } finally {
    await pass.writeLog(hosts);
  }
  return { hosts, created: pass.created, errors: pass.errors };
}

class AutorulesPass {
  readonly #services: RuleServices;
  readonly #verbose: boolean;
  readonly #known = new Map<string, Set<string>>();
  readonly #details: LogDetail[] = [];
  created = 0;
  errors = 0;

  constructor(services: RuleServices, verbose: boolean) {
    this.#services = services;
    this.#verbose = verbose;
  }

  async compile(): Promise<Autorules> {
    const { storage, evaluators } = this.#services;
    const documents = (await storage.rules.list(AUTORULES)).map((record) => record.document.value);
    const autorules = compileAutorules(documents, await evaluators.unopenedDeps());
    for (const { autorule, error } of autorules.broken) this.#fail({ autorule, hostname: '' }, error);
    return autorules;
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
        this.#tell('exists already', rule, `${type.id} ${name}`);
        continue;
      }
      names.add(name);
      await this.#storeOne(type.id, rule);
    }
  }

  /** The autorule is not for objects of this kind. */
  passedOver(autorule: string, hostname: string): void {
    this.#tell('not for this object', { autorule, hostname });
  }

  async #storeOne(type: string, rule: GeneratedRule & { readonly ok: true }): Promise<void> {
    const { document } = rule;
    try {
      const part = { type, documents: [document] };
      const actor = { kind: 'rule', name: labelOf(rule) } as const;
      const { counts, details } = await importDocuments(this.#services, AUTORULES_CALLER, [part], {
        override: false,
        actor,
      });
      const [problem] = details;
      const made = `${type} ${memberText(document, 'name')}`;
      if (problem !== undefined) this.#fail(rule, `${problem.path} ${problem.message}`);
      else if (counts.get(type)?.imported === 1) this.#made(rule, made);
      else this.#tell('exists already', rule, made);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      this.#fail(rule, error.message);
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
    const summary = `Autorules: ${this.created} rules made for ${hosts} hosts, ${this.errors} errors`;
    await storage.logs.append({
      id: newId(),
      at: clock.now(),
      message: summary,
      source: AUTORULES_SOURCE,
      details: [{ level: 'info', message: summary }, ...this.#details],
      hasError: this.errors > 0,
    });
  }

  #made(rule: AutoruleAndHost, made: string): void {
    this.created++;
    this.#tell('made', rule, made);
  }

  #fail(rule: AutoruleAndHost, reason: string): void {
    this.errors++;
    if (this.errors <= MAX_LOGGED_ERRORS) {
      this.#details.push({ level: 'error', message: `${labelOf(rule)}: ${reason}` });
    }
    this.#tell('failed', rule, reason);
  }

  /** One line for each autorule and host, in the log of the server: what asks for them wants to see the good ones too. */
  #tell(outcome: string, { autorule, hostname }: AutoruleAndHost, detail?: string): void {
    if (!this.#verbose) return;
    const fields = { autorule, hostname, outcome, ...(detail === undefined ? {} : { detail }) };
    if (outcome === 'failed') this.#services.logger.warn('autorule', fields);
    else this.#services.logger.info('autorule', fields);
  }
}

type AutoruleAndHost = Pick<GeneratedRule, 'autorule' | 'hostname'>;

function labelOf({ autorule, hostname }: AutoruleAndHost): string {
  return hostname === '' ? `autorule ${autorule}` : `autorule ${autorule}, host ${hostname}`;
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
