import * as z from 'zod';
import { valueText } from '../../../kit/words/json.ts';
import type { HostRecord, JsonValue, Labels } from '../../../ports/index.ts';
import { hostField } from './host-fields.ts';
import { type FieldFacts, fieldOf } from './host-test.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The content of one column of one host: a value, several, all labels, or nothing. */
export const cellSchema = z.union([scalarSchema, z.array(scalarSchema), z.record(z.string(), z.unknown())]);

export type Cell = z.infer<typeof cellSchema>;

/** All labels in one column, where `label.labels` is one of that name. */
const ALL_LABELS = 'labels';

/** Returns the content of a column: one value for a member of the host itself, each value that it has for another field. */
export function columnOf(written: string, facts: FieldFacts): (host: HostRecord) => Cell {
  if (written === ALL_LABELS) return ({ labels }) => ({ ...(labels.value as Labels) });
  const valuesOf = fieldOf(written, facts);
  const { own } = hostField(written);
  const isOwn = own !== undefined && own !== 'template' && own !== 'group';
  return (host) => {
    const values = valuesOf(host);
    return isOwn || values.length < 2 ? (values[0] ?? null) : [...values];
  };
}

/** A cell as a text: lists with commas, labels as `site=fra role=web`. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(scalarText).join(', ');
  if (typeof cell !== 'object') return scalarText(cell);
  const labels = Object.entries(cell as Readonly<Record<string, JsonValue>>);
  return labels.map(([name, value]) => `${name}=${valueText(value)}`).join(' ');
}

function scalarText(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}
