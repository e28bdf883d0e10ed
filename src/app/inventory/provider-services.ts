import {
  AppError,
  documentPlace,
  type Logger,
  type ProviderServices,
  type RuleDocument,
  type RuleRecord,
  type SecretBox,
  type Storage,
} from '../../ports/index.ts';
import { memberReference, memberText } from '../../ports/rule-members.ts';
import { withoutSecretMacros } from '../domain/rules/secret-macros.ts';
import type { PluginRegistry } from '../plugin-host/registry.ts';
import { RevisionCache } from '../revision-cache.ts';
import type { EvaluatorCache } from '../rules/evaluators.ts';
import { inEvaluationOrder } from '../rules/rule-documents.ts';
import { isWaiting } from '../trust/waiting.ts';

interface DocumentsOfType {
  /** The records of the enabled ones. */
  readonly inUse: readonly RuleRecord[];
  readonly all: readonly RuleDocument[];
  readonly enabled: readonly RuleDocument[];
}

/** A document that nobody vouches for shows no secret of an account: texts that would are empty. */
function servedDocument({ confirmedBy, document }: RuleRecord): RuleDocument {
  return confirmedBy === null ? withoutSecretMacros(document.value) : document.value;
}

/** What inventory providers get to work with, over the storage and the compiled rules. */
export function providerServices(deps: {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  readonly evaluators: EvaluatorCache;
  readonly secrets: () => SecretBox;
  readonly logger: Logger;
}): ProviderServices {
  const { storage, plugins, evaluators, secrets, logger } = deps;
  const confirmed = new WeakSet<RuleDocument>();
  const caches = new Map<string, RevisionCache<DocumentsOfType>>();

  function documentsOf(type: string): Promise<DocumentsOfType> {
    let cache = caches.get(type);
    if (cache === undefined) {
      cache = new RevisionCache(storage, [`rules/${type}`], async () => {
        const records = await storage.rules.list(type);
        const served = new Map(records.map((record) => [record, servedDocument(record)]));
        const documents = (list: readonly RuleRecord[]) =>
          list.map((record) => served.get(record) ?? record.document.value);
        for (const { confirmedBy, document } of records) if (confirmedBy !== null) confirmed.add(document.value);
        const enabled = inEvaluationOrder(records);
        return { inUse: enabled, all: documents(records), enabled: documents(enabled) };
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
        const { inUse } = await documentsOf(type);
        return inUse.filter((record) => isWaiting(known, record)).map(({ name }) => ({ type, name }));
      },
    },
    evaluator: (project) => evaluators.forProject(project),
    revision: async (name) => (await storage.revisions()).get(name) ?? 0,
    render: (template, variables) => evaluators.render(template, variables),
    async secret(type, document, member) {
      const sealed = memberText(document, member);
      if (sealed === '') return '';
      try {
        return await secrets().open(sealed, documentPlace(type, memberReference(document, '_id') ?? '', member));
      } catch (cause) {
        if (!(cause instanceof AppError)) throw cause;
        throw new AppError('failed', `${type} ${memberText(document, 'name')}: ${member}: ${cause.message}`, { cause });
      }
    },
    logger,
  };
}
