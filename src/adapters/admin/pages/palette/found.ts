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
  /** Other words for it that people type. */
  readonly alias?: string;
  readonly note?: ReactNode;
  readonly choose: () => void;
}

/** True where each word of what was typed is somewhere in its name, or among the other words for it. */
export function isCalled({ label, alias = '' }: Pick<Found, 'label' | 'alias'>, typed: string): boolean {
  return hasWords(`${label} ${alias}`, typed);
}

/** True where each word of what was typed is somewhere in the text. */
export function hasWords(text: string, typed: string): boolean {
  const held = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => held.includes(word));
}

/** A query that looks for exactly this text, whatever the language of queries would take its signs for. */
export function asText(typed: string): string {
  return `"${typed.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
