import { SecretMask } from './secret-mask.ts';
import { isSecretName } from './secret-names.ts';
import { secretSpellings } from './secret-spellings.ts';

/** Hides what the settings of a plugin hold under names of secrets. */
export function settingsMask(settings: unknown): (text: string) => string {
  const secrets = new SecretMask(settingsSecrets(settings).flatMap((secret) => secretSpellings(secret)));
  return (text) => secrets.text(text);
}

/** Texts and numbers in settings that stand under a name of a secret, however deep below it. */
export function settingsSecrets(settings: unknown, secret = false): readonly string[] {
  if (typeof settings === 'string' || typeof settings === 'number') return secret ? [String(settings)] : [];
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => settingsSecrets(value, secret || isSecretName(name)));
}
