/** How a cell shows its number. */
export type CellFormat = 'number' | 'date' | 'time' | 'moment' | 'span';

const DAY = 86_400_000;

/** What a format of a workbook shows: one that every workbook has, by its number, or one of its own. */
export function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) {
    if (id === 22) return 'moment';
    if ((id >= 18 && id <= 21) || id === 45 || id === 47) return 'time';
    if (id === 46) return 'span';
    return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
  }
  const [first = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  if (/\[[hms]+\]/i.test(first)) return 'span';
  const signs = first.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/general/gi, '');
  const [hasDay, hasTime] = [/[yd]/i.test(signs) || /mmm/i.test(signs), /[hs]/i.test(signs)];
  if (hasDay) return hasTime ? 'moment' : 'date';
  if (hasTime) return 'time';
  return /m/i.test(signs) ? 'date' : 'number';
}

/** A number of a workbook as a text: as many digits as spreadsheets show, and days since 1900 or 1904 as dates. */
export function numberText(written: string, format: CellFormat, isFrom1904: boolean): string {
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  const plain = String(Number(number.toPrecision(15)));
  if (format === 'number' || number < 0 || number >= 2_958_466) return plain;
  const seconds = Math.round(number * 86_400);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (format === 'span') return clock(time);
  if (format === 'time' || (format === 'moment' && number < 1)) return clock([(time[0] ?? 0) % 24, ...time.slice(1)]);
  // Spreadsheets have a 29th of February 1900, which never was.
  const days = isFrom1904 ? Math.floor(number) + 1462 : Math.floor(number) + (number < 60 ? 1 : 0);
  const date = new Date(
    Date.UTC(1899, 11, 30) + (format === 'date' ? days * DAY : (days - Math.floor(number)) * DAY + seconds * 1000),
  ).toISOString();
  return format === 'date' ? date.slice(0, 10) : date.slice(0, 19);
}

function clock(parts: readonly number[]): string {
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
