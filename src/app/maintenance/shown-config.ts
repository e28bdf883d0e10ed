import { maskedAddress } from '../../kit/masking/masked-address.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import { type ConfigKey, SECRET_KEYS } from '../kernel/config/schema.ts';

/** The value of a key as people may see it. */
export function shownConfigValue(key: ConfigKey, value: unknown): unknown {
  if (SECRET_KEYS.has(key)) return value === '' ? '' : MASK;
  // Which settings of a plugin are secret only the plugin knows.
  if (key === 'PLUGIN_OPTIONS') return withoutTexts(value);
  return withMaskedAddresses(value);
}

/** Whatever key holds an address, also one that a later version brings. */
function withMaskedAddresses(value: unknown): unknown {
  if (typeof value === 'string') return /^\s*[a-z][a-z\d+.-]*:/i.test(value) ? maskedAddress(value) : value;
  return Array.isArray(value) ? value.map(withMaskedAddresses) : value;
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : MASK;
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]));
}
