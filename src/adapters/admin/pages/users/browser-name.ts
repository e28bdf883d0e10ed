import { t } from '@lingui/core/macro';

/** The first that fits: browsers name those whose pages they can show before themselves, and systems those they are made of. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile|Safari)\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Describes a browser by its user agent: `Firefox on Linux`. Unknown ones stay unchanged. */
export function browserName(client: string): string {
  const browser = nameIn(BROWSERS, client);
  if (browser === undefined) return client === '' ? t`unknown` : client;
  const system = nameIn(SYSTEMS, client);
  return system === undefined ? browser : t`${browser} on ${system}`;
}

function nameIn(names: readonly (readonly [RegExp, string])[], client: string): string | undefined {
  return names.find(([pattern]) => pattern.test(client))?.[1];
}
