import { i18n, type Messages } from '@lingui/core';
import { isLanguage, type Language, preferences } from '../parts/preferences.ts';

/** The texts of the pages are English; a text without a translation is English too. */
const CATALOGUES: Readonly<Record<Language, (() => Promise<{ default: Messages }>) | undefined>> = {
  en: undefined,
  de: () => import('./de.po'),
};

/** Returns the language of the preferences, or the browser's first supported one. */
function chosenLanguage(): Language {
  const { language } = preferences();
  if (language !== 'browser') return language;
  const asked = navigator.languages.map((tag) => tag.split('-')[0]);
  return asked.find(isLanguage) ?? 'en';
}

async function begin(language: Language): Promise<void> {
  i18n.setMessagesCompiler((text) => [text]);
  let messages: Messages = {};
  try {
    messages = (await CATALOGUES[language]?.())?.default ?? {};
  } catch {
    // Without its catalogue a page is English, which is better than none.
  }
  i18n.load(language, messages);
  i18n.activate(language);
  document.documentElement.lang = language;
}

// Modules that hold texts wait for it, so that texts are made once, whenever a module makes them.
await begin(chosenLanguage());

export { i18n };
