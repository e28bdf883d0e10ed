import { i18n, type Messages } from '@lingui/core';
import { isLanguage, type Language, preferences } from '../parts/preferences.ts';

type Part = () => Promise<{ default: Messages }>;

/** The texts of the pages are English; a text without a translation is English too. The login page loads its few texts only. */
const CATALOGUES: Readonly<
  Record<Language, { readonly first: Part; readonly pages: Part; readonly service: Part } | undefined>
> = {
  en: undefined,
  de: {
    first: () => import('./de.po?first'),
    pages: () => import('./de.po?pages'),
    service: () => import('./de.po?service'),
  },
};

/** Returns the language of the preferences, or the browser's first supported one. */
function chosenLanguage(): Language {
  const { language } = preferences();
  if (language !== 'browser') return language;
  const asked = navigator.languages.map((tag) => tag.split('-')[0]);
  return asked.find(isLanguage) ?? 'en';
}

const language = chosenLanguage();
const parts = CATALOGUES[language];

async function load(part: Part | undefined): Promise<void> {
  try {
    if (part !== undefined) i18n.load(language, (await part()).default);
  } catch {
    // Without its catalogue a page is English, which is better than none.
  }
}

let pages: Promise<unknown> | undefined;

/** Loads the texts of the pages behind the login. Modules with constant texts must be loaded after them. */
export function pageTexts(): Promise<unknown> {
  pages ??= load(parts?.pages);
  return pages;
}

let service: Promise<unknown> | undefined;

/** Loads the texts of answers and refusals of the service. */
export function serviceTexts(): Promise<unknown> {
  service ??= load(parts?.service);
  return service;
}

i18n.setMessagesCompiler((text) => [text]);
i18n.load(language, {});
// Modules that hold texts wait for it.
await load(parts?.first);
i18n.activate(language);
document.documentElement.lang = language;

export { i18n };
