import { counted } from '../../kit/words/amounts.ts';
import type { RuleReference, RuleType, Storage, StorageProblem } from '../../ports/index.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import { describeMarker, readMarker } from '../maintenance/transfer/unfinished-transfer.ts';
import { documentProblems } from '../rules/engine/document-problems.ts';
import { isHostType } from '../rules/rule-type-input.ts';
import { inertTypes } from '../rules/unknown-types.ts';
import { auditProblems } from './check-chain.ts';

const BATCH_SIZE = 500;

/** Everything that is wrong with what is stored: in the storage, in each document, and between documents. */
export async function* storageProblems(
  services: MaintenanceServices,
  { fix, signal }: { readonly fix: boolean; readonly signal: AbortSignal },
): AsyncGenerator<StorageProblem> {
  const { storage, plugins } = services;
  const marker = await readMarker(storage);
  if (marker !== undefined) yield { subject: 'storage', message: describeMarker(marker), fixed: false };
  for await (const problem of storage.check({ fix })) {
    signal.throwIfAborted();
    yield problem;
  }
  await services.audit.settled();
  yield* auditProblems(storage.audit, services.audit.chain, signal);
  const targets = new Targets(storage);
  const inert = new Map((await inertTypes(storage, plugins)).map((type) => [type.ident, type]));
  for (const [id, count] of await storage.rules.counts()) {
    signal.throwIfAborted();
    const type = plugins.ruleType(id);
    // Nothing ever acted on documents that are kept, and marks are the program's own.
    if (inert.get(id)?.kept === false) {
      const lack = type === undefined ? 'knows' : 'acts on';
      const message = `${counted(count, 'document is', 'documents are')} of a type that no plugin ${lack}; load its plugin, or remove them`;
      yield { subject: `rule type ${id}`, message, fixed: false };
    } else if (type !== undefined) yield* problemsOfType(services, type, targets);
  }
}

async function* problemsOfType(
  { storage, plugins }: MaintenanceServices,
  type: RuleType,
  targets: Targets,
): AsyncGenerator<StorageProblem> {
  for await (const records of storage.rules.scan(type.id, BATCH_SIZE)) {
    for (const { name, document } of records) {
      const subject = `${type.id} ${name}`;
      const problems = [...documentProblems(document.value, type, plugins)];
      for (const reference of type.references?.(document.value) ?? []) {
        if (await targets.has(reference)) continue;
        problems.push({
          path: reference.path,
          message: `refers to ${reference.type} ${reference.target}, which does not exist`,
        });
      }
      for (const { path, message } of problems) {
        yield { subject, message: path === '' ? message : `${path}: ${message}`, fixed: false };
      }
    }
  }
}

/** Names and ids of documents that others refer to, read once a type. */
class Targets {
  readonly #storage: Storage;
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async has({ type, target }: RuleReference): Promise<boolean> {
    // Hosts are many, and are not among the documents.
    if (isHostType({ id: type })) return (await this.#storage.hosts.find(target)) !== undefined;
    let known = this.#known.get(type);
    if (known === undefined) {
      known = this.#read(type);
      this.#known.set(type, known);
    }
    return (await known).has(target);
  }

  async #read(type: string): Promise<ReadonlySet<string>> {
    const targets = new Set<string>();
    for await (const records of this.#storage.rules.scan(type, BATCH_SIZE)) {
      for (const { id, name } of records) targets.add(id).add(name);
    }
    return targets;
  }
}
