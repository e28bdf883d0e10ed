import type { EvaluatedHost, InventoryHost, InventoryProvider, ProviderServices } from '../../ports/index.ts';

const BATCH_SIZE = 250;
/** So many hosts a line of the log names. */
const NAMED = 20;

/** Stored hosts, rendered by the rules of one project, or of none (`null`). */
export function rulesProvider(services: ProviderServices, project: string | null): InventoryProvider {
  return {
    async *full({ scope, signal }) {
      const evaluator = await services.evaluator(project);
      const left: string[] = [];
      for await (const batch of services.hosts.scan({ scope, kind: 'hosts', state: 'active' }, BATCH_SIZE)) {
        signal.throwIfAborted();
        const evaluated = batch.map((host) => evaluator.evaluate(host));
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
      const host = await services.hosts.get(hostname, scope);
      if (host === undefined || host.isObject) return false;
      const evaluated = (await services.evaluator(project)).evaluate(host);
      return evaluated.included ? evaluated : false;
    },
    async waiting() {
      return (await services.evaluator(project)).waiting;
    },
    async revision() {
      const evaluator = await services.evaluator(project);
      return evaluator.volatile ? undefined : `${evaluator.revision}.${await services.revision('hosts')}`;
    },
  };
}

/** Names of enabled projects. */
export async function projectNames(services: ProviderServices): Promise<readonly string[]> {
  const projects = await services.rules.enabled('automation_projects');
  return projects.flatMap((project) => (typeof project.name === 'string' ? [project.name] : []));
}

function isIncluded(host: EvaluatedHost): host is EvaluatedHost & InventoryHost {
  return host.included;
}
