import { useSyncExternalStore } from 'react';
import { isZone, setReadersZone, type Zone } from './moments.ts';

/** A user's preferences for the pages, in this browser. */
export interface Preferences {
  /** The zone in which times are shown. */
  readonly zone: Zone;
  readonly times: 'relative' | 'exact';
  readonly density: 'comfortable' | 'compact';
  /** Language of the texts; `browser` is the first available one that the browser asks for. */
  readonly language: 'browser' | Language;
  /** Path of the page that opens first, below `/admin`. */
  readonly start: string;
  /** Keys without Ctrl, which those who speak to their computer may not want. */
  readonly shortcuts: 'on' | 'off';
}

/** The languages that there are, by the names that their readers know. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string | null | undefined): text is Language {
  return text != null && Object.hasOwn(LANGUAGES, text);
}

const KEY = 'muster.preferences';
type Chosen = Exclude<keyof Preferences, 'zone' | 'start'>;
const CHOICES: { readonly [Name in Chosen]: readonly [Preferences[Name], ...Preferences[Name][]] } = {
  times: ['relative', 'exact'],
  density: ['compact', 'comfortable'],
  language: ['browser', ...(Object.keys(LANGUAGES) as Language[])],
  shortcuts: ['on', 'off'],
};

const readers = new Set<() => void>();
let current = read();

/** Returns what this browser remembers; the first choice of each preference without a valid value. */
function read(): Preferences {
  let kept: Readonly<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Readonly<Record<string, unknown>>;
  } catch {
    // Unreadable preferences count as never chosen.
  }
  const chosen = <Name extends Chosen>(name: Name): Preferences[Name] =>
    CHOICES[name].find((choice) => choice === kept[name]) ?? CHOICES[name][0];
  return {
    zone: isZone(kept.zone) ? kept.zone : 'browser',
    start: typeof kept.start === 'string' && /^\/(?!\/)/.test(kept.start) ? kept.start : '/',
    times: chosen('times'),
    density: chosen('density'),
    language: chosen('language'),
    shortcuts: chosen('shortcuts'),
  };
}

/** Other tabs follow by the event that the browser sends them. */
export function setPreferences(change: Partial<Preferences>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...current, ...change }));
  } catch {
    // If nothing may be stored, the choice lasts as long as the page.
  }
  take({ ...current, ...change });
}

function take(next: Preferences): void {
  current = next;
  setReadersZone(current.zone);
  document.documentElement.dataset.density = current.density;
  for (const reader of readers) reader();
}

setReadersZone(current.zone);
document.documentElement.dataset.density = current.density;
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) take(read());
});

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Returns the preferences at the start of a page; components that show them use `usePreferences`. */
export function preferences(): Preferences {
  return current;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}
