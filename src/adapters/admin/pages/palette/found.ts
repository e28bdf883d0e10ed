import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';

/** The headings of the palette. */
export const GROUPS = {
  pages: t`Pages`,
  actions: t`Actions`,
  hosts: t`Hosts`,
  accounts: t`Accounts`,
  inventories: t`Inventories`,
  playbooks: t`Playbooks`,
  cron: t`Cron groups`,
  users: t`Users`,
  groups: t`Groups`,
  rules: t`Rules`,
  search: t`Search`,
} as const;

/** One line of the palette. */
export interface Found {
  readonly key: string;
  /** Heading of the line. */
  readonly group: keyof typeof GROUPS;
  readonly label: string;
  /** Synonyms that users type. */
  readonly alias?: string;
  readonly note?: ReactNode;
  readonly choose: () => void;
}

/** True if each typed word occurs in its name, or among the synonyms. */
export function isCalled({ label, alias = '' }: Pick<Found, 'label' | 'alias'>, typed: string): boolean {
  return hasWords(`${label} ${alias}`, typed);
}

/** True if each typed word occurs in the text. */
export function hasWords(text: string, typed: string): boolean {
  const held = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => held.includes(word));
}

/** Returns a query for exactly this text, with special characters of the query language quoted. */
export function asText(typed: string): string {
  return `"${typed.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
