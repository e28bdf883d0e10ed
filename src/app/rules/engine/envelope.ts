import { documentName } from '../../../kit/document/document-name.ts';
import { isListRule } from '../../../kit/document/list-rule.ts';
import {
  flagValue,
  integerValue,
  memberFlag,
  memberInteger,
  memberText,
  ownMember,
  referenceValue,
} from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, phrase, worded } from '../../../kit/worded.ts';
import type { ErrorDetail } from '../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleType } from '../../../ports/rule-type.ts';

const RULE_MODES = ['all', 'any', 'anyway'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

/** The members that rules of every type have, in one spelling. */
export interface RuleEnvelope {
  /** 24 hex digits; empty for a document that was never stored. */
  readonly id: string;
  /** The name by which the type keys its documents. */
  readonly name: string;
  readonly enabled: boolean;
  readonly sortField: number;
  readonly lastMatch: boolean;
  /** `anyway` for types without conditions, `undefined` when it is missing or unknown. */
  readonly mode: RuleMode | undefined;
}

/** The members of a rule type that determine how the envelope of its documents is read. */
type EnvelopeType = Pick<RuleType, 'conditional' | 'keyedBy' | 'nameOf' | 'takesList' | 'evaluation'>;

export function readEnvelope(document: RuleDocument, type: EnvelopeType): RuleEnvelope {
  return {
    id: referenceValue(ownMember(document, '_id')) ?? '',
    name: documentName(type, document),
    enabled: memberFlag(document, 'enabled'),
    sortField: memberInteger(document, 'sort_field') ?? 0,
    lastMatch: memberFlag(document, 'last_match'),
    mode: modeOf(document, type),
  };
}

function modeOf(document: RuleDocument, type: EnvelopeType): RuleMode | undefined {
  if (namesHosts(document, type)) return 'all';
  return looksAtHosts(document, type) ? readMode(ownMember(document, 'condition_typ')) : 'anyway';
}

/** Conditions are about hosts: a list has none, and documents of one leave out how they are joined. */
function looksAtHosts(document: RuleDocument, type: EnvelopeType): boolean {
  return type.conditional && !(type.takesList === true && isListRule(document)) && !namesHosts(document, type);
}

/** Whether the document itself names the hosts that it is about, so that its conditions do not apply. */
export function namesHosts(document: RuleDocument, { evaluation }: Pick<RuleType, 'evaluation'>): boolean {
  return evaluation?.hostnames?.(document) !== undefined;
}

function readMode(value: JsonValue | undefined): RuleMode | undefined {
  return RULE_MODES.find((mode) => mode === value);
}

/** Order of evaluation: `sort_field`, then name, then id, texts in the order of their characters. */
export function compareEnvelopes(a: RuleEnvelope, b: RuleEnvelope): number {
  if (a.sortField !== b.sortField) return a.sortField - b.sortField;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Returns the problems of the common members; conditions are checked when they are read. */
export function envelopeProblems(document: RuleDocument, type: EnvelopeType): ErrorDetail[] {
  return [
    ...idProblems(ownMember(document, '_id')),
    ...nameProblems(document, type),
    ...flagProblems(document, 'enabled'),
    ...flagProblems(document, 'last_match'),
    ...sortFieldProblems(ownMember(document, 'sort_field')),
    ...(looksAtHosts(document, type) ? modeProblems(ownMember(document, 'condition_typ')) : []),
    ...(type.conditional ? listProblems(document, 'outcomes') : []),
  ];
}

export function idProblems(value: JsonValue | undefined): ErrorDetail[] {
  if (value === undefined || value === null) return [];
  const id = referenceValue(value);
  if (id !== undefined && /^[0-9a-f]{24}$/i.test(id)) return [];
  return [{ path: '_id', message: phrase`must be {"$oid": <24 hex digits>}` }];
}

function nameProblems(document: RuleDocument, { keyedBy: member, nameOf }: EnvelopeType): ErrorDetail[] {
  const value = ownMember(document, member);
  if (value === undefined || value === null || value === '') {
    return nameOf === undefined ? [{ path: member, message: phrase`is required` }] : [];
  }
  if (isJsonObject(value) || Array.isArray(value)) return [{ path: member, message: phrase`must be a text` }];
  return memberText(document, member).trim() === '' ? [{ path: member, message: phrase`must not be blank` }] : [];
}

function flagProblems(document: RuleDocument, member: string): ErrorDetail[] {
  const isFlag = flagValue(ownMember(document, member)) !== undefined;
  return isFlag ? [] : [{ path: member, message: phrase`must be true or false` }];
}

function sortFieldProblems(value: JsonValue | undefined): ErrorDetail[] {
  if (value === undefined || value === null || value === '') return [];
  return integerValue(value) === undefined ? [{ path: 'sort_field', message: phrase`must be an integer` }] : [];
}

function modeProblems(value: JsonValue | undefined): ErrorDetail[] {
  if (value === undefined || value === null || value === '')
    return [{ path: 'condition_typ', message: phrase`is required` }];
  if (readMode(value) !== undefined) return [];
  return [detailOf('condition_typ', worded`must be one of ${{ choices: RULE_MODES.join(', ') }}`)];
}

function listProblems(document: JsonObject, member: string): ErrorDetail[] {
  const value = ownMember(document, member);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [{ path: member, message: phrase`must be a list` }];
  return value.flatMap((item: JsonValue, index) =>
    isJsonObject(item) ? [] : [{ path: `${member}.${index}`, message: phrase`must be an object` }],
  );
}
