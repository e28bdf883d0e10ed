import { t } from '@lingui/core/macro';
import type { Host } from './host.ts';

/** Returns the kind of the record: `host`, `object of type network`. */
export function kindText({ is_object: isObject, object_type: type }: Pick<Host, 'is_object' | 'object_type'>): string {
  if (type === 'object') return t`object`;
  if (isObject) return t`object of type ${type}`;
  return type === 'host' ? t`host` : type;
}
