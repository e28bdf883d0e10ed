import type {
  EvaluatedHost,
  HostEvaluator,
  HostRecord,
  InventoryHost,
  InventoryProvider,
  ProviderServices,
} from '../../ports/index.ts';
import { groupsOf, inLabelGroups, labelGroups, labelGroupsRule, pendingGroups } from './groups.ts';

const BATCH_SIZE = 250;
const GROUPS = 'rules/automation_groups';
/** Number of hosts that a log line names. */
const NAMED = 20;

/**
 * Provides stored hosts, rendered by the rules of one project, or of none (`null`), and the hosts of its pasted lists. Those
 * belong to no account, so users restricted to accounts see none of them.
 */
export function rulesProvider(services: ProviderServices, project: string | null): InventoryProvider {
  /** Reads hosts and rules together, so that hosts are in the groups that the document names. */
  async function evaluation(): Promise<Evaluation> {
    return evaluationBy(await services.evaluator(project));
  }

  async function evaluationBy(evaluator: HostEvaluator): Promise<Evaluation> {
    if ((await labelGroupsRule(services, project)) === undefined) return evaluator;
    return {
      rowNames: evaluator.rowNames,
      evaluateRow: (hostname) => evaluator.evaluateRow(hostname),
      evaluate: (host) => inLabelGroups(evaluator.evaluate(host), host),
    };
  }

  return {
    async *full(request) {
      const { scope, signal } = request;
      const evaluator = await evaluation();
      const left: string[] = [];
      const stored = services.hosts.scan({ scope, kind: 'hosts', state: 'active' }, BATCH_SIZE, request);
      const hasRows = evaluator.rowNames.length > 0 && scope === null;
      for await (const evaluated of hasRows ? withRows(stored, evaluator) : evaluatedHosts(stored, evaluator)) {
        signal.throwIfAborted();
        for (const { hostname, undecided } of evaluated) if (undecided === true) left.push(hostname);
        yield evaluated.filter(isIncluded);
      }
      if (left.length > 0) {
        services.logger.warn(
          'hosts are left out, because a filter rule broke off or a rule met a limit on them; see the errors of rules',
          {
            count: left.length,
            hosts: left.slice(0, NAMED),
          },
        );
      }
    },
    async host(hostname, { scope }) {
      const evaluator = await evaluation();
      const row = scope === null ? evaluator.evaluateRow(hostname) : undefined;
      if (row !== undefined) return row.included ? row : false;
      const host = await services.hosts.get(hostname, scope);
      if (host === undefined || host.isObject) return false;
      const evaluated = evaluator.evaluate(host);
      return evaluated.included ? evaluated : false;
    },
    async groupRules() {
      const rule = await labelGroupsRule(services, project);
      if (rule === undefined) return undefined;
      return (host) => Object.fromEntries(labelGroups(host).map((group) => [group, rule]));
    },
    groups: (request) => groupsOf(services, project, request),
    async waiting() {
      const { waiting } = await services.evaluator(project);
      return [...waiting, ...(await pendingGroups(services, project))];
    },
    async revision() {
      const evaluator = await services.evaluator(project);
      if (evaluator.volatile) return undefined;
      const [hosts, groups] = await Promise.all(['hosts', GROUPS].map(services.revision));
      return `${evaluator.revision}.${hosts}${groups === 0 ? '' : `.${groups}`}`;
    },
    async parts({ scope }) {
      const groups = await services.revision(GROUPS);
      const evaluator = await services.evaluator(project);
      if (evaluator.volatile) return undefined;
      const by = await evaluationBy(evaluator);
      const rows = new Set(scope === null ? by.rowNames : []);
      return {
        revision: `${evaluator.revision}.${groups}`,
        async hosts(hostnames) {
          const stored = await services.hosts.getEach(
            hostnames.filter((hostname) => !rows.has(hostname)),
            scope,
          );
          const evaluated = stored.filter((host) => !host.isObject).map((host) => by.evaluate(host));
          for (const hostname of hostnames) {
            const row = rows.has(hostname) ? by.evaluateRow(hostname) : undefined;
            if (row !== undefined) evaluated.push(row);
          }
          return evaluated.filter(isIncluded);
        },
      };
    },
  };
}

async function* evaluatedHosts(
  hosts: AsyncIterable<readonly HostRecord[]>,
  evaluator: Evaluation,
): AsyncGenerator<readonly EvaluatedHost[]> {
  for await (const batch of hosts) yield batch.map((host) => evaluator.evaluate(host));
}

/** Names of enabled projects. */
export async function projectNames(services: ProviderServices): Promise<readonly string[]> {
  const projects = await services.rules.enabled('automation_projects');
  return projects.flatMap((project) => (typeof project.name === 'string' ? [project.name] : []));
}

function isIncluded(host: EvaluatedHost): host is EvaluatedHost & InventoryHost {
  return host.included;
}

type Evaluation = Pick<HostEvaluator, 'rowNames' | 'evaluate' | 'evaluateRow'>;

/**
 * Yields stored hosts by name, merged in order with the hosts that rules make of pasted lists. A host of a list replaces a stored
 * one of the same name: consumers that read the whole inventory have always received that one.
 */
async function* withRows(
  hosts: AsyncIterable<readonly HostRecord[]>,
  evaluator: Evaluation,
): AsyncGenerator<readonly EvaluatedHost[]> {
  const names = evaluator.rowNames;
  const own = new Set(names);
  let next = 0;
  for await (const batch of hosts) {
    const evaluated: EvaluatedHost[] = [];
    for (const host of batch) {
      for (; next < names.length && isBefore(names[next]!, host.hostname); next++) add(names[next]!, evaluated);
      if (!own.has(host.hostname)) evaluated.push(evaluator.evaluate(host));
    }
    yield evaluated;
  }
  while (next < names.length) {
    const rest: EvaluatedHost[] = [];
    for (const end = Math.min(next + BATCH_SIZE, names.length); next < end; next++) add(names[next]!, rest);
    yield rest;
  }

  function add(name: string, to: EvaluatedHost[]): void {
    const host = evaluator.evaluateRow(name);
    if (host !== undefined) to.push(host);
  }
}

/** Both come in byte order; a row of the host's own name goes first, in its place. */
function isBefore(name: string, hostname: string): boolean {
  return name === hostname || Buffer.compare(Buffer.from(name), Buffer.from(hostname)) < 0;
}
