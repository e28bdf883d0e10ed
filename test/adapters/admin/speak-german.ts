import { readFileSync } from 'node:fs';
import { i18n, type Messages } from '@lingui/core';
import { catalogues, readCatalogue } from '../../../scripts/messages/catalogue.mjs';
import { compiled } from '../../../scripts/messages/transform.mjs';

/** Pages speak German from here on. */
export function speakGerman(): void {
  const [german] = catalogues().filter(({ language }) => language === 'de');
  const entries = readCatalogue(readFileSync(german?.path ?? '', 'utf8'));
  i18n.loadAndActivate({
    locale: 'de',
    messages: Object.fromEntries(
      [...entries].map(([key, text]) => [key, key.startsWith('service') ? [text] : compiled(text)]),
    ) as Messages,
  });
}

export function speakEnglish(): void {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
}
