import { type ConfigKey, maskUrlPassword, SECRET_KEYS } from '../kernel/config/schema.ts';
import { MASK } from '../kernel/masking/mask.ts';

/** The value of a key as people may see it. */
export function shownConfigValue(key: ConfigKey, value: unknown): unknown {
  if (SECRET_KEYS.has(key)) return value === '' ? '' : MASK;
  // Which settings of a plugin are secret only the plugin knows.
  if (key === 'PLUGIN_OPTIONS') return withoutTexts(value);
  return key === 'DATABASE_URL' ? maskUrlPassword(String(value)) : value;
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : MASK;
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]));
}
