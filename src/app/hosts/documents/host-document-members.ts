import { memberObjects, memberReference, memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { HostDocumentWrite, JsonObject, JsonValue, RelationRecord, RuleDocument } from '../../../ports/index.ts';
import { inspectKey, keyText } from '../decisions/host-keys.ts';
import type { HostAccount, HostServices } from '../services.ts';

const BATCH_SIZE = 500;

export function* inBatches<T>(documents: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < documents.length; start += BATCH_SIZE) yield documents.slice(start, start + BATCH_SIZE);
}

export function hostnameOf(document: RuleDocument): string {
  return memberText(document, 'hostname').trim();
}

/** Accounts by name and by id. Taken once a batch, because each look at the directory asks the store whether it changed. */
export async function accountsByReference({ accounts }: HostServices): Promise<ReadonlyMap<string, HostAccount>> {
  const all = await accounts.list(null);
  const byId = all.map((account) => [account.id, account] as const);
  return new Map([...byId, ...all.map((account) => [account.name, account] as const)]);
}

export function accountOf(accounts: ReadonlyMap<string, HostAccount>, document: RuleDocument): HostAccount | undefined {
  // Existing installations give hosts an id that leads nowhere, and the account by its name.
  for (const member of ['account', 'source_account_id', 'source_account_name']) {
    const account = accounts.get(memberReference(document, member) ?? '');
    if (account !== undefined) return account;
  }
  return undefined;
}

export function relationsOf(document: RuleDocument): HostDocumentWrite['relations'] {
  return memberObjects(document, 'relations').flatMap(relationOf);
}

/** The keys of a document that can be kept, in their stored form; `undefined` if it has no member of that form. */
export function keysOf(document: RuleDocument, worthless: readonly string[]): readonly string[] | undefined {
  const keys = ownMember(document, 'keys');
  if (!isJsonObject(keys)) return undefined;
  const texts: string[] = [];
  for (const [name, values] of Object.entries(keys)) {
    if (!Array.isArray(values)) return undefined;
    for (const value of values as readonly JsonValue[]) {
      if (typeof value !== 'string') return undefined;
      const key = inspectKey(name, value, worthless);
      if (!key.ok) return undefined;
      if (key.value !== undefined) texts.push(keyText(key.value));
    }
  }
  return texts;
}

function relationOf(relation: JsonObject): Omit<RelationRecord, 'hostname'>[] {
  const type = memberText(relation, 'type');
  const target = memberText(relation, 'target');
  return type === '' || target === '' ? [] : [{ type, target, source: memberText(relation, 'source') || 'manual' }];
}

/** Edges by the host on which they are stored. */
export function edgesByHost(relations: readonly RelationRecord[]): ReadonlyMap<string, RelationRecord[]> {
  const edges = new Map<string, RelationRecord[]>();
  for (const relation of relations) {
    const list = edges.get(relation.hostname);
    if (list === undefined) edges.set(relation.hostname, [relation]);
    else list.push(relation);
  }
  return edges;
}
