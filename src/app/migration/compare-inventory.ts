import { memberObjects, memberText } from '../../kit/document/members.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import { AppError, type JsonValue } from '../../ports/index.ts';
import { providerName } from '../inventory/provider-name.ts';
import { renderMode } from '../inventory/render-mode.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { RuleName } from '../rules/engine/explanation.ts';
import { projectOf } from '../rules/project-of.ts';
import { absenceCause, type Cause, causeOf, mayBeSecret, plainCause, type Setters } from './causes.ts';
import {
  type Differing,
  differencesBetween,
  hostsOfInventory,
  type InventoryDifference,
  type InventoryHosts,
} from './decisions/compared-inventories.ts';

/** Hosts whose explanations are made one after the other before others have their turn. */
const BATCH_SIZE = 50;
const ROW = 'a row of a pasted list';

interface ComparedExample {
  readonly hostname: string;
  readonly theirs?: JsonValue;
  readonly ours?: JsonValue;
}

/** Differences of one variable that have one cause. */
interface DifferenceGroup {
  readonly variable: string | null;
  readonly how: Differing;
  readonly cause: string;
  readonly rule: RuleName | null;
  readonly count: number;
  readonly examples: readonly ComparedExample[];
}

export interface Comparison {
  readonly provider: string;
  readonly hosts: { readonly theirs: number; readonly ours: number; readonly same: number };
  readonly differences: number;
  readonly groups: readonly DifferenceGroup[];
}

interface CompareOptions {
  readonly provider: string;
  /** The other inventory, as JSON. */
  readonly theirs: string;
  /** Hosts that a group names. */
  readonly examples: number;
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Both inventories side by side; why ours is as it is, is looked up once for each host that differs. */
export async function compareInventory(
  services: MaintenanceServices,
  caller: Caller,
  options: CompareOptions,
): Promise<Comparison> {
  const provider = providerName(options.provider);
  const theirs = hostsOfInventory(parsed(options.theirs));
  if (theirs === undefined) {
    throw new AppError(
      'invalid_input',
      'this is not an inventory: it must be JSON with _meta.hostvars, as --list prints it',
    );
  }
  const ours = await renderedHosts(services, caller, provider, options.signal);
  const byHost = differencesByHost(theirs, ours);
  const groups = new Groups(options.examples);
  let done = 0;
  const explain = await explainer(services, caller, provider);
  for (const batch of inBatches([...byHost], BATCH_SIZE)) {
    options.signal.throwIfAborted();
    const causes = await explain(batch.map(([hostname]) => hostname));
    for (const [hostname, differences] of batch) {
      for (const difference of differences) groups.add(difference, causes(hostname, difference));
    }
    done += batch.length;
    options.progress(done, byHost.size);
  }
  const differing = [...byHost.keys()].filter((hostname) => theirs.has(hostname)).length;
  return {
    provider,
    hosts: { theirs: theirs.size, ours: ours.size, same: theirs.size - differing },
    differences: groups.total,
    groups: groups.sorted(),
  };
}

function differencesByHost(theirs: InventoryHosts, ours: InventoryHosts): Map<string, InventoryDifference[]> {
  const byHost = new Map<string, InventoryDifference[]>();
  for (const difference of differencesBetween(theirs, ours)) {
    const known = byHost.get(difference.hostname);
    if (known === undefined) byHost.set(difference.hostname, [difference]);
    else known.push(difference);
  }
  return byHost;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_input', 'the other inventory is not JSON', { cause });
  }
}

async function renderedHosts(
  services: MaintenanceServices,
  caller: Caller,
  provider: string,
  signal: AbortSignal,
): Promise<InventoryHosts> {
  const answer = await services.inventories.answer({
    provider,
    request: { scope: hostScopeOf(caller), signal },
    render: renderMode(services, caller),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return hostsOfInventory(JSON.parse(text)) ?? new Map();
}

interface ExplainedDifference extends Cause {
  /** True when neither side is shown. */
  readonly hidden: boolean;
}

type Causes = (hostname: string, difference: InventoryDifference) => ExplainedDifference;

/** Explains hosts by name, a batch at a time: what a plugin makes without rules is not explained. */
async function explainer(
  services: MaintenanceServices,
  { scope }: Caller,
  provider: string,
): Promise<(hostnames: readonly string[]) => Promise<Causes>> {
  const isOfRules = provider === 'automation' || (await services.evaluators.projects()).includes(provider);
  if (!isOfRules) return async () => () => ({ text: `made by the provider ${provider}`, hidden: false });
  const program = await services.evaluators.preview(projectOf(provider));
  const accounts = new Map((await services.accounts.list(scope)).map(({ id, name }) => [id, name]));
  const setters = await settersOf(services);
  return async (hostnames) => {
    const found = await services.storage.hosts.findEach(hostnames);
    const hosts = new Map(hostnames.map((hostname, index) => [hostname, found[index]]));
    const explanations = new Map<string, ReturnType<typeof program.explain>>();
    const explained = (hostname: string) => {
      const known = explanations.get(hostname);
      if (known !== undefined) return known;
      const host = hosts.get(hostname);
      // A row of a pasted list replaces a stored host of its name. Administrators see all of them.
      const explanation = program.explainRow(hostname) ?? (host && program.explain(host));
      if (explanation !== undefined) explanations.set(hostname, explanation);
      return explanation;
    };
    return (hostname, difference) => {
      const host = hosts.get(hostname);
      if (difference.variable === undefined) {
        if (difference.how === 'missing') return { ...absenceCause(host, explained(hostname)), hidden: false };
        if (explained(hostname)?.row !== undefined) return { text: ROW, hidden: false };
        const account = host?.accountId == null ? undefined : accounts.get(host.accountId);
        return { text: account === undefined ? 'stored here only' : `host of account ${account}`, hidden: false };
      }
      const explanation = explained(hostname);
      if (explanation === undefined) return { text: ROW, hidden: true };
      const account = explanation.row === undefined ? (accounts.get(host?.accountId ?? '') ?? null) : null;
      const cause = plainCause(difference) ?? causeOf(difference, explanation, { account, setters });
      return { ...cause, hidden: mayBeSecret(difference, explanation) };
    };
  };
}

/** Which rules name a variable or attribute that they set. */
async function settersOf({ plugins, storage }: MaintenanceServices): Promise<Setters> {
  const setters = new Map<string, Set<string>>();
  for (const type of plugins.ruleTypes()) {
    if (type.evaluation === undefined) continue;
    for (const { id, document } of await storage.rules.list(type.id)) {
      for (const outcome of memberObjects(document.value, 'outcomes')) {
        const name = memberText(outcome, 'attribute_name') || memberText(outcome, 'new_attribute_name');
        if (name === '') continue;
        const rules = setters.get(name) ?? new Set();
        setters.set(name, rules.add(`${type.id} ${id}`));
      }
    }
  }
  return setters;
}

interface OpenGroup extends DifferenceGroup {
  count: number;
  readonly examples: ComparedExample[];
}

class Groups {
  readonly #examples: number;
  readonly #groups = new Map<string, OpenGroup>();
  total = 0;

  constructor(examples: number) {
    this.#examples = examples;
  }

  add(difference: InventoryDifference, cause: ExplainedDifference): void {
    const { hostname, variable = null, how, theirs, ours } = difference;
    const key = JSON.stringify([variable, how, cause.text, cause.rule?.type, cause.rule?.id]);
    const known = this.#groups.get(key);
    const group = known ?? { variable, how, cause: cause.text, rule: cause.rule ?? null, count: 0, examples: [] };
    if (known === undefined) this.#groups.set(key, group);
    this.total++;
    group.count++;
    if (group.examples.length >= this.#examples) return;
    group.examples.push({
      hostname,
      ...(theirs === undefined ? {} : { theirs: cause.hidden ? MASK : theirs }),
      ...(ours === undefined ? {} : { ours: cause.hidden ? MASK : ours }),
    });
  }

  /** Those with most differences first. */
  sorted(): readonly DifferenceGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}

function* inBatches<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
