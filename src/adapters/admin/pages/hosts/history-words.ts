import { t } from '@lingui/core/macro';

const KINDS: Readonly<Record<string, string>> = {
  created: t`created`,
  labels: t`labels`,
  inventory: t`inventory`,
  archived: t`archived`,
  restored: t`restored`,
  account: t`account`,
  renamed: t`renamed`,
};

/** Returns a word for a kind of change. */
export function kindWord(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** Returns the author of a change; for `account:dc`, `account dc`. */
export function makerText(by: string): string {
  const [kind, ...rest] = by.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'account':
      return t`account ${name}`;
    case 'user':
      return t`user ${name}`;
    case 'rule':
      return t`rule ${name}`;
    case 'system':
      return t`system ${name}`;
    default:
      return by.replace(':', ' ');
  }
}
