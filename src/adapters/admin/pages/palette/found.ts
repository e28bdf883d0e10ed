import type { ReactNode } from 'react';

/** One line of the palette. */
export interface Found {
  readonly key: string;
  /** Under which heading it stands. */
  readonly group: string;
  readonly label: string;
  readonly note?: ReactNode;
  readonly choose: () => void;
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
