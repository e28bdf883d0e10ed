import { memberReference, memberText } from '../../kit/document/members.ts';
import {
  AppError,
  documentPlace,
  type HostRecord,
  type Http,
  type Logger,
  type ProviderServices,
  type RuleDocument,
  type RuleRecord,
  type SecretBox,
  type Storage,
  type WaitingRule,
} from '../../ports/index.ts';
import { inScope } from '../hosts/decisions/scope.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';
import { compareEnvelopes, readEnvelope } from '../rules/engine/envelope.ts';
import { withoutSecretMacros } from '../rules/engine/secret-macros.ts';
import type { EvaluatorCache } from '../rules/evaluators.ts';
import type { RuleAccounts } from '../rules/services.ts';
import { actsOf, isUnconfirmedAccount } from '../rules/trust/pending.ts';
import { mayShowAccounts, shownAccounts } from '../rules/trust/shown-accounts.ts';

interface DocumentsOfType {
  /** The records that the documents are read from, by the documents that providers see. */
  readonly records: ReadonlyMap<RuleDocument, KnownRecord>;
  readonly all: readonly RuleDocument[];
  readonly enabled: readonly RuleDocument[];
}

interface KnownRecord {
  readonly record: RuleRecord;
  /** Accounts whose fields the document shows and that are not confirmed, although the document is. */
  readonly shown: readonly string[];
}

/** Returns the document as served. If it is not confirmed, it shows no secret of an account: texts that would are empty. */
function servedDocument({ confirmedBy, document }: RuleRecord): RuleDocument {
  return confirmedBy === null ? withoutSecretMacros(document.value) : document.value;
}

/** Returns the services of inventory providers, backed by the storage and the compiled rules. */
export function providerServices(deps: {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  readonly evaluators: EvaluatorCache;
  readonly accounts: Pick<RuleAccounts, 'list'>;
  readonly secrets: () => SecretBox;
  readonly http: Http;
  readonly logger: Logger;
}): ProviderServices {
  const { storage, plugins, evaluators, accounts, secrets, http, logger } = deps;
  /** Confirmed documents of every state that was read, so that a state that is still being rendered knows its own. */
  const confirmed = new WeakSet<RuleDocument>();
  const caches = new Map<string, RevisionCache<DocumentsOfType>>();

  function documentsOf(type: string): Promise<DocumentsOfType> {
    let cache = caches.get(type);
    if (cache === undefined) {
      cache = new RevisionCache(storage, [`rules/${type}`, 'rules/accounts'], async () => {
        const stored = await storage.rules.list(type);
        const unconfirmed = await unconfirmedAccounts(stored);
        const served = new Map(stored.map((record) => [record, servedDocument(record)]));
        const documents = (list: readonly RuleRecord[]) =>
          list.map((record) => served.get(record) ?? record.document.value);
        const records = new Map<RuleDocument, KnownRecord>();
        for (const [record, document] of served) {
          const shown = record.confirmedBy === null ? [] : shownAccounts(record, unconfirmed);
          records.set(document, { record, shown });
          if (record.confirmedBy !== null && shown.length === 0) confirmed.add(document);
        }
        return { records, all: documents(stored), enabled: documents(inEvaluationOrder(stored)) };
      });
      caches.set(type, cache);
    }
    return cache.get();
  }

  async function unconfirmedAccounts(records: readonly RuleRecord[]): Promise<ReadonlySet<string>> {
    if (!records.some(mayShowAccounts)) return new Set();
    return new Set((await accounts.list(null)).filter(isUnconfirmedAccount).map(({ name }) => name));
  }

  return {
    hosts: {
      get: (hostname, scope) => storage.hosts.get(hostname, scope),
      async getEach(hostnames, scope) {
        const found = await storage.hosts.findEach(hostnames);
        return found.filter(
          (host): host is HostRecord => host !== undefined && host.archive === null && inScope(host, scope),
        );
      },
      scan(filter, batchSize, request) {
        const from = request?.mayReadReplica === true ? (storage.replica ?? storage.hosts) : storage.hosts;
        return from.scan(filter, batchSize);
      },
    },
    rules: {
      all: async (type) => (await documentsOf(type)).all,
      enabled: async (type) => (await documentsOf(type)).enabled,
      isConfirmed: (document) => confirmed.has(document),
      async waiting(type, documents) {
        const known = plugins.ruleType(type);
        if (known === undefined) return [];
        const { records, enabled } = await documentsOf(type);
        return (documents ?? enabled).flatMap((document): WaitingRule[] => {
          const found = records.get(document);
          if (found === undefined || actsOf(known, found.record).length === 0) return [];
          const { record, shown } = found;
          if (record.confirmedBy === null) return [{ type, name: record.name }];
          return shown.map((name) => ({ type: 'accounts', name }));
        });
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
    http,
    logger,
  };
}

/** Enabled documents of a type that is keyed by name, in the order of evaluation. */
function inEvaluationOrder(records: readonly RuleRecord[]): readonly RuleRecord[] {
  return records
    .map((record) => ({
      record,
      envelope: readEnvelope(record.document.value, { conditional: false, keyedBy: 'name' }),
    }))
    .filter(({ envelope }) => envelope.enabled)
    .sort((a, b) => compareEnvelopes(a.envelope, b.envelope))
    .map(({ record }) => record);
}
