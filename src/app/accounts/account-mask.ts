import { SecretMask, settingsSecrets } from '../../kit/masking/secret-mask.ts';
import { secretSpellings } from '../../kit/masking/secret-spellings.ts';
import type { Account } from './account-directory.ts';
import type { AccountServices } from './services.ts';

const LOGIN_NAME = /user|login|client_?id/i;

/**
 * Hides the secrets of an account in what its system says: the password and all sealed options, own and inherited, and
 * what the plugin has in its settings, in the usual encodings. Systems echo what they refuse.
 */
export async function accountMask(
  services: AccountServices,
  account: Account,
  pluginId: string,
): Promise<(text: string) => string> {
  const secrets = [...(await services.accounts.readableSecrets(account))];
  const { plugins, config } = services;
  secrets.push(...settingsSecrets(config.PLUGIN_OPTIONS[pluginId], plugins.secretSettings(pluginId)));
  // Stored before the type said that they are secret.
  for (const [name, { value, sealed }] of account.fields) {
    if (!sealed && value !== '' && plugins.isSecretOption(account.type, name)) secrets.push(value);
  }
  const logins = services.accounts.plainFields(account).filter(([name]) => LOGIN_NAME.test(name));
  const usernames = new Set(['', ...logins.map(([, value]) => value)]);
  const mask = new SecretMask(secrets.flatMap((secret) => secretSpellings(secret, usernames)));
  return (text) => mask.text(text);
}
