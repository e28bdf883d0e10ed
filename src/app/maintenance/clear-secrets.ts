import { memberText } from '../../kit/document/members.ts';
import {
  type Actor,
  documentPlace,
  type JsonObject,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
  StoredJson,
} from '../../ports/index.ts';
import type { MaintenanceServices } from './services.ts';

type SealingServices = Pick<MaintenanceServices, 'storage' | 'plugins' | 'secrets' | 'passwords' | 'clock'>;

const ACTOR: Actor = { kind: 'system', name: 'encryption of secrets' };
const BATCH_SIZE = 500;

/**
 * Seals secrets that an older version stored in clear, in documents and in their past versions. Reads the documents of the few
 * types that ever did that, and only if there are any; their history only if one of them still holds a secret in clear. It costs
 * nothing if there is nothing to do, and is done again if it was interrupted.
 */
export async function sealClearSecrets(services: SealingServices): Promise<number> {
  const revisions = await services.storage.revisions();
  const types = services.plugins
    .ruleTypes()
    .filter((type) => type.holdsClearSecrets !== undefined && (revisions.get(`rules/${type.id}`) ?? 0) > 0);
  const found: { readonly type: RuleType; readonly record: RuleRecord }[] = [];
  for (const type of types) {
    const records = await services.storage.rules.list(type.id);
    found.push(...records.filter((record) => isClear(type, record.document.value)).map((record) => ({ type, record })));
  }
  if (found.length === 0) return 0;
  // The history first: as long as a document is in clear, the next start looks again.
  let sealed = await sealClearVersions(services);
  for (const { type, record } of found) if (await sealRecord(services, type, record)) sealed++;
  return sealed;
}

/** The past versions alone, of removed documents too. */
export async function sealClearVersions(services: SealingServices): Promise<number> {
  const { storage, plugins } = services;
  let sealed = 0;
  for await (const records of storage.transfer.read('rule_versions', { batchSize: BATCH_SIZE })) {
    for (const record of records) {
      const type = plugins.ruleType(memberText(record.value, 'type'));
      if (type?.holdsClearSecrets === undefined) continue;
      const document = JSON.parse(memberText(record.value, 'document')) as JsonObject;
      if (!isClear(type, document)) continue;
      const changed = await sealedDocument(services, type, memberText(record.value, 'id'), document);
      const value = { ...record.value, document: JSON.stringify(changed) };
      await storage.transfer.write('rule_versions', [{ ...record, value }]);
      sealed++;
    }
  }
  return sealed;
}

function isClear(type: RuleType, document: RuleDocument): boolean {
  return type.holdsClearSecrets?.(document) === true;
}

async function sealedDocument(
  { secrets, passwords, plugins }: SealingServices,
  type: RuleType,
  id: string,
  document: RuleDocument,
): Promise<RuleDocument> {
  const prepared = await type.prepare?.(document, {
    existing: document,
    seal: (plain, member) => secrets.seal(plain, documentPlace(type.id, id, member)),
    hashPassword: (password) => passwords.hash(password),
    isSecretOption: (accountType, option) => plugins.isSecretOption(accountType, option),
  });
  return prepared ?? document;
}

/** False if another writer changed it meanwhile, which seals it too. */
async function sealRecord(services: SealingServices, type: RuleType, record: RuleRecord): Promise<boolean> {
  const { storage, clock } = services;
  const document = await sealedDocument(services, type, record.id, record.document.value);
  const uniqueValue = type.uniqueValue?.(document);
  const outcome = await storage.rules.replace({
    entry: {
      type: type.id,
      id: record.id,
      name: record.name,
      uniqueName: false,
      ...(uniqueValue === undefined ? {} : { uniqueValue }),
      document: StoredJson.ofValue(document),
      confirmedBy: 'keep',
    },
    expectedVersion: record.version,
    at: clock.now(),
    actor: ACTOR,
  });
  return outcome === 'replaced';
}
