import { t } from '@lingui/core/macro';
import type { Host } from './host.ts';

/** Why labels and sections cannot be written here, `undefined` when they can. */
export function writeRefusal({ account, archived }: Host): string | undefined {
  if (archived !== null) return t`Restore it to change its labels and inventory.`;
  if (account === null) return t`It has no account; the first account that writes it becomes its owner.`;
  const { name, type, enabled } = account;
  if (type !== 'api') {
    return t`Labels come from account ${name} (${type}) and would be replaced by its next import. Change them in the source.`;
  }
  return enabled ? undefined : t`Account ${name} is disabled; enable it to write its hosts.`;
}
