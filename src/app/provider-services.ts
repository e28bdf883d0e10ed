import type { Logger, ProviderServices, RuleDocument, Storage } from '../ports/index.ts';
import type { EvaluatorCache } from './evaluators.ts';
import { RevisionCache } from './revision-cache.ts';
import { inEvaluationOrder } from './rule-documents.ts';

/** What inventory providers get to work with, over the storage and the compiled rules. */
export function providerServices(deps: {
  readonly storage: Storage;
  readonly evaluators: EvaluatorCache;
  readonly logger: Logger;
}): ProviderServices {
  const { storage, evaluators, logger } = deps;
  const enabled = new Map<string, RevisionCache<readonly RuleDocument[]>>();
  return {
    hosts: {
      get: (hostname, scope) => storage.hosts.get(hostname, scope),
      scan: (filter, batchSize) => storage.hosts.scan(filter, batchSize),
    },
    rules: {
      enabled(type) {
        let cache = enabled.get(type);
        if (cache === undefined) {
          cache = new RevisionCache(storage, [`rules/${type}`], async () =>
            inEvaluationOrder(await storage.rules.list(type)).map((record) => record.document.value),
          );
          enabled.set(type, cache);
        }
        return cache.get();
      },
    },
    evaluator: (project) => evaluators.forProject(project),
    revision: async (name) => (await storage.revisions()).get(name) ?? 0,
    render: (template, variables) => evaluators.render(template, variables),
    logger,
  };
}
