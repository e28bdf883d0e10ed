import { isNoName } from '../../app/hosts/decisions/worthless-values.ts';
import { worded } from '../../app/kernel/worded.ts';
import type { SourceItem, Wording } from '../../ports/index.ts';
import { shown } from '../shared/file-source/fault.ts';
import { setOwn } from '../shared/file-source/own-property.ts';
import { blankLabels } from '../shared/records/blank-labels.ts';
import type { RecordFilter } from '../shared/records/record-filter.ts';
import type { RecordKeys } from '../shared/records/record-keys.ts';
import { nameFields, noNameText } from '../shared/records/record-name.ts';
import type { Header } from './header.ts';
import type { CsvOptions } from './options.ts';
import type { CsvRow } from './tokenizer.ts';

/** Turns rows into records. Values stay text as they are; blank lines are no records, and rows that the filter leaves out neither. */
export function rowMapper(
  header: Header,
  { hostname_field: hostnameField, empty_cells }: Pick<CsvOptions, 'hostname_field' | 'empty_cells'>,
  { filter, keys }: { readonly filter: RecordFilter; readonly keys: RecordKeys },
): (row: CsvRow) => SourceItem | undefined {
  const skipsEmpty = empty_cells === 'skip';
  const blank = blankLabels(header.labels.map(({ key }) => key));
  return ({ cells, line }) => {
    if (isBlank(cells)) return undefined;
    const position = `line ${line}`;
    const hostname = nameOf(cells, header);
    if (!fits(cells, header)) {
      const reason = worded`has ${{ count: String(cells.length) }} values where the header has ${{ columns: String(header.width) }} columns`;
      return hostname === '' ? { kind: 'skipped', position, reason } : { kind: 'skipped', position, hostname, reason };
    }
    if (header.filtered.length > 0 && !filter.passes(cellsOf(cells, header.filtered), position)) return undefined;
    if (hostname === '')
      return {
        kind: 'skipped',
        position,
        reason: worded`has no name: ${{ fault: emptyText(cells, header, hostnameField) }}`,
      };
    const labels = skipsEmpty && cells.includes('') ? filledLabels(cells, header) : allLabels(cells, header, blank);
    const isLater = header.hostname.length > 1 && isNoName(cells[header.hostname[0] ?? 0] ?? '');
    const plain = { kind: 'record', position, hostname, labels } as const;
    const record = isLater ? ({ ...plain, laterName: true } as const) : plain;
    return header.keyed.length === 0 ? record : keys.added(record, cellsOf(cells, header.keyed));
  };
}

function allLabels(
  cells: readonly string[],
  header: Header,
  blank: Readonly<Record<string, string>>,
): Record<string, string> {
  const labels = { ...blank };
  for (const { index, key } of header.labels) labels[key] = cells[index] ?? '';
  return labels;
}

function filledLabels(cells: readonly string[], header: Header): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const { index, key } of header.labels) {
    const cell = cells[index] ?? '';
    if (cell !== '') setOwn(labels, key, cell);
  }
  return labels;
}

function nameOf(cells: readonly string[], { hostname }: Header): string {
  for (const index of hostname) {
    const name = (cells[index] ?? '').trim();
    if (!isNoName(name)) return name;
  }
  return '';
}

function emptyText(cells: readonly string[], { hostname }: Header, field: string): Wording {
  const written = hostname.map((index) => (cells[index] ?? '').trim()).find((text) => text !== '');
  if (written !== undefined) return noNameText(shown(field), written);
  if (hostname.length === 1) return worded`column ${{ field: shown(field) }} is empty`;
  return worded`the columns ${{ fields: nameFields(field).map(shown).join(', ') }} are empty`;
}

function cellsOf(cells: readonly string[], columns: Header['filtered']): Record<string, string> {
  const record: Record<string, string> = {};
  for (const { index, key } of columns) setOwn(record, key, (cells[index] ?? '').trim());
  return record;
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}

/** Spreadsheets like to add empty values at the end of rows; other surplus means that values are in wrong columns. */
function fits(cells: readonly string[], header: Header): boolean {
  if (cells.length === header.width) return true;
  return cells.length > header.width && cells.every((cell, index) => index < header.width || cell.trim() === '');
}
