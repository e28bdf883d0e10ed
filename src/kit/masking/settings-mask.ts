import { SecretMask } from './secret-mask.ts';
import { isSecretName } from './secret-names.ts';
import { secretSpellings } from './secret-spellings.ts';

const NONE: ReadonlySet<string> = new Set();

/** Hides what the settings of a plugin hold under names of secrets, and under marked ones. */
export function settingsMask(settings: unknown, marked: ReadonlySet<string> = NONE): (text: string) => string {
  const secrets = new SecretMask(settingsSecrets(settings, marked).flatMap((secret) => secretSpellings(secret)));
  return (text) => secrets.text(text);
}

/** Texts and numbers in settings that stand under a name of a secret, or a marked one at the top, however deep below it. */
export function settingsSecrets(settings: unknown, marked: ReadonlySet<string> = NONE): readonly string[] {
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => secretsIn(value, isSecretName(name) || marked.has(name)));
}

function secretsIn(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return isSecret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || isSecretName(name)));
}
