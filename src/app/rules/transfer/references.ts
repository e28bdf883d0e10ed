import type { RuleRecord } from '../../../ports/index.ts';
import type { RuleServices } from '../services.ts';

/** Documents of any type that refer to this one by name or id. */
export async function referencesTo(
  services: RuleServices,
  type: string,
  record: RuleRecord,
): Promise<readonly RuleRecord[]> {
  const found: RuleRecord[] = [];
  for (const candidate of services.plugins.ruleTypes()) {
    if (candidate.references === undefined) continue;
    for (const other of await services.storage.rules.list(candidate.id)) {
      const references = candidate.references(other.document.value);
      const hit = references.some((r) => r.type === type && (r.target === record.name || r.target === record.id));
      if (hit) found.push(other);
    }
  }
  return found;
}

/** Documents whose texts show fields of the account. */
export async function macrosOf(services: RuleServices, account: string): Promise<readonly RuleRecord[]> {
  const macro = JSON.stringify(`ACCOUNT:${account}:`).slice(1, -1);
  const found: RuleRecord[] = [];
  for (const type of services.plugins.ruleTypes()) {
    const records = await services.storage.rules.list(type.id);
    found.push(...records.filter((record) => record.document.text.includes(macro)));
  }
  return found;
}
