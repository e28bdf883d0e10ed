import { memberInteger, memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { sameValue } from '../../kit/json/json-text.ts';
import type { JsonObject, JsonValue, RuleDocument, RuleRecord } from '../../ports/index.ts';

/** The type and the name of the one rule that holds the corrections. */
export const CORRECTIONS = { type: 'custom_attributes', name: 'Corrections' } as const;

/** Between the positions of two rules. */
const STEP = 10;

export interface CorrectedAttribute {
  readonly hostname: string;
  readonly attribute: string;
}

/** A document without corrections, behind all other rules of its type so that it has the last word. */
export function newCorrections(others: readonly RuleRecord[]): RuleDocument {
  const positions = others.map(({ document }) => memberInteger(document.value, 'sort_field') ?? 0);
  return {
    name: CORRECTIONS.name,
    enabled: true,
    documentation: 'Corrections of imported hosts, as pages, commands and tools make them. Each row is about one host.',
    sort_field: positions.reduce((last, position) => Math.max(last, position), 0) + STEP,
    rule_source: 'list',
    outcomes: [],
  };
}

/** The document with this row in the place of those of the host and attribute; `undefined` for the value: without them. */
export function withCorrection(
  document: RuleDocument,
  corrected: CorrectedAttribute,
  value: JsonValue | undefined,
): RuleDocument {
  const others = memberObjects(document, 'outcomes').filter((row) => !isAbout(row, corrected));
  const { hostname, attribute } = corrected;
  const row = value === undefined ? [] : [{ hostname, attribute_name: attribute, attribute_value: value }];
  return { ...document, outcomes: [...others, ...row] };
}

/** Whether the document says this already: the value, or `undefined` for no correction. */
export function saysSo(document: RuleDocument, corrected: CorrectedAttribute, value: JsonValue | undefined): boolean {
  const rows = memberObjects(document, 'outcomes').filter((row) => isAbout(row, corrected));
  const [row] = rows;
  if (row === undefined || value === undefined) return row === value;
  return rows.length === 1 && sameValue(ownMember(row, 'attribute_value'), value);
}

function isAbout(row: JsonObject, { hostname, attribute }: CorrectedAttribute): boolean {
  return memberText(row, 'hostname') === hostname && memberText(row, 'attribute_name') === attribute;
}
