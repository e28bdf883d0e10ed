import { t } from '@lingui/core/macro';

/**
 * Returns the name of a check of the doctor, in the language of the page. A check with a name of its own looks like `plugin
 * netbox`.
 */
export function checkName(check: string): string {
  const [, kind, name = ''] = /^(plugin|secrets of|secret of account) (.+)$/.exec(check) ?? [];
  if (kind === 'plugin') return t`plugin ${name}`;
  if (kind === 'secrets of') return t`secrets of ${name}`;
  if (kind === 'secret of account') return t`secret of account ${name}`;
  return fixedNames()[check] ?? check;
}

function fixedNames(): Readonly<Record<string, string>> {
  return {
    accounts: t`accounts`,
    'audit log': t`audit log`,
    clock: t`clock`,
    disk: t`disk`,
    files: t`files`,
    'instance key': t`instance key`,
    inventories: t`inventories`,
    plugins: t`plugins`,
    rules: t`rules`,
    storage: t`storage`,
    tokens: t`tokens`,
    trust: t`trust`,
    users: t`users`,
    webhooks: t`webhooks`,
  };
}
