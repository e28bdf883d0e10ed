import type { Logger, ProviderServices, RuleDocument, RuleRecord, Storage } from '../../ports/index.ts';
import type { PluginRegistry } from '../plugin-host/registry.ts';
import { RevisionCache } from '../revision-cache.ts';
import type { EvaluatorCache } from '../rules/evaluators.ts';
import { inEvaluationOrder } from '../rules/rule-documents.ts';
import { isWaiting } from '../trust/waiting.ts';

interface DocumentsOfType {
  readonly records: readonly RuleRecord[];
  readonly all: readonly RuleDocument[];
  readonly enabled: readonly RuleDocument[];
}

/** What inventory providers get to work with, over the storage and the compiled rules. */
export function providerServices(deps: {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  readonly evaluators: EvaluatorCache;
  readonly logger: Logger;
}): ProviderServices {
  const { storage, plugins, evaluators, logger } = deps;
  const confirmed = new WeakSet<RuleDocument>();
  const caches = new Map<string, RevisionCache<DocumentsOfType>>();

  function documentsOf(type: string): Promise<DocumentsOfType> {
    let cache = caches.get(type);
    if (cache === undefined) {
      cache = new RevisionCache(storage, [`rules/${type}`], async () => {
        const records = await storage.rules.list(type);
        const documents = (list: readonly RuleRecord[]) => list.map((record) => record.document.value);
        for (const { confirmedBy, document } of records) if (confirmedBy !== null) confirmed.add(document.value);
        return { records, all: documents(records), enabled: documents(inEvaluationOrder(records)) };
      });
      caches.set(type, cache);
    }
    return cache.get();
  }

  return {
    hosts: {
      get: (hostname, scope) => storage.hosts.get(hostname, scope),
      scan: (filter, batchSize) => storage.hosts.scan(filter, batchSize),
    },
    rules: {
      all: async (type) => (await documentsOf(type)).all,
      enabled: async (type) => (await documentsOf(type)).enabled,
      isConfirmed: (document) => confirmed.has(document),
      async waiting(type) {
        const known = plugins.ruleType(type);
        if (known === undefined) return [];
        const { records, enabled } = await documentsOf(type);
        return records
          .filter((record) => enabled.includes(record.document.value) && isWaiting(known, record))
          .map(({ name }) => ({ type, name }));
      },
    },
    evaluator: (project) => evaluators.forProject(project),
    revision: async (name) => (await storage.revisions()).get(name) ?? 0,
    render: (template, variables) => evaluators.render(template, variables),
    logger,
  };
}
