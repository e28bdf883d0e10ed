import * as z from 'zod';
import { memberObjects, memberReference, memberText, scalarText } from '../../../kit/document/members.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import type {
  JsonObject,
  JsonValue,
  RuleDocument,
  RuleLanguage,
  RuleRecord,
  RuleType,
  Wording,
} from '../../../ports/index.ts';
import { documentSchema } from '../document-schema.ts';
import { readConditions } from '../engine/condition-document.ts';
import { describeCondition, describeHostList } from '../engine/describe-condition.ts';
import { namesHosts, type RuleEnvelope } from '../engine/envelope.ts';
import { outcomeLine } from '../outcome-line.ts';
import { rulesInOrder, typesInOrder } from '../pipeline.ts';
import { requireStoredDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import type { RuleServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { isPending } from '../trust/pending.ts';

/** Conditions, outcomes and members that a list shows of each rule. */
const SHOWN = 6;
const SHOWN_TEXT = 160;

export const findRules = defineOperation({
  name: 'rules/find-rules',
  title: 'Find rules',
  description:
    'Rules in the order in which they run, of one type or of all that run over hosts, in short form, found by text. Secrets are masked.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({
    rule_type: ruleTypeSchema.optional().describe('Absent: all types whose rules run over hosts'),
    text: z.string().default('').describe('Part of a name or of any value of the document, ignoring case'),
    start: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(1000).default(100),
  }),
  output: z.object({
    rule_type: z.string().optional().describe('The type that was asked for'),
    total: z.number().int().describe('How many there are of the type'),
    found: z.number().int().describe('How many have the text'),
    rules: z.array(
      z.object({
        rule_type: z.string(),
        id: z.string(),
        name: z.string(),
        version: z.number().int(),
        changed_at: z.string(),
        enabled: z.boolean(),
        sort_field: z.number().int(),
        last_match: z.boolean(),
        condition_typ: z.enum(['all', 'any', 'anyway']).nullable(),
        conditions: z.array(z.custom<Wording>().meta({ type: 'object' })).describe('The first ones, in words'),
        condition_count: z.number().int(),
        outcomes: z.array(documentSchema).describe('The first ones'),
        outcome_lines: z.array(z.custom<Wording>().meta({ type: 'object' })).describe('The same in words'),
        outcome_count: z.number().int(),
        project: z.string().nullable().describe('Name of the project; null for none'),
        documentation: z.string(),
        waits: z.boolean().describe('Whether it waits for an administrator'),
        members: z
          .array(z.object({ name: z.string(), text: z.string() }))
          .describe('The first further members, for types without conditions'),
      }),
    ),
  }),
  async run({ rule_type, text, start, limit }, { services, caller }) {
    const types =
      rule_type === undefined
        ? typesInOrder(services.plugins.ruleTypes())
        : [await requireStoredDocumentType(services, rule_type)];
    const wanted = text.trim().toLowerCase();
    let total = 0;
    const found: Pick<ShownRule, 'type' | 'record' | 'envelope'>[] = [];
    for (const type of types) {
      const rules = await rulesInOrder(services, caller, type);
      total += rules.length;
      found.push(
        ...rules.filter(({ record }) => wanted === '' || hasText(maskedDocument(type, record.document.value), wanted)),
      );
    }
    const projects = await projectNames(services);
    const [type] = types;
    return {
      ...(rule_type !== undefined && type !== undefined && { rule_type: type.id }),
      total,
      found: found.length,
      rules: found
        .slice(start, start + limit)
        .map((rule) => shortForm({ ...rule, projects, language: services.plugins })),
    };
  },
});

async function projectNames({ storage }: RuleServices): Promise<ReadonlyMap<string, string>> {
  const projects = await storage.rules.list('automation_projects');
  return new Map(projects.map(({ id, name }) => [id, name]));
}

interface ShownRule {
  readonly type: RuleType;
  readonly record: RuleRecord;
  readonly envelope: RuleEnvelope;
  readonly projects: ReadonlyMap<string, string>;
  readonly language: RuleLanguage;
}

function shortForm({ type, record, envelope, projects, language }: ShownRule) {
  const document = maskedDocument(type, record.document.value);
  const outcomes = type.conditional ? memberObjects(document, 'outcomes') : [];
  const conditions = type.conditional ? conditionsOf(type, document, language) : [];
  const project = memberReference(document, 'project');
  return {
    rule_type: type.id,
    id: record.id,
    name: record.name,
    version: record.version,
    changed_at: secondsOf(record.changedAt),
    enabled: envelope.enabled,
    sort_field: envelope.sortField,
    last_match: envelope.lastMatch,
    condition_typ: type.conditional ? (envelope.mode ?? null) : null,
    conditions: conditions.slice(0, SHOWN),
    condition_count: namesHosts(document, type) ? 1 : memberObjects(document, 'conditions').length,
    outcomes: outcomes.slice(0, SHOWN),
    outcome_lines: outcomes.slice(0, SHOWN).map((outcome) => outcomeLine(type, outcome)),
    outcome_count: outcomes.length,
    project: project === undefined || project === 'Default' ? null : (projects.get(project) ?? project),
    documentation: shortened(memberText(document, 'documentation')),
    waits: isPending(type, record),
    members: type.conditional ? [] : furtherMembers(type, document),
  };
}

function conditionsOf(type: RuleType, document: RuleDocument, language: RuleLanguage): readonly Wording[] {
  if (namesHosts(document, type)) return [describeHostList()];
  return readConditions(document, language).conditions.map(({ condition }) => describeCondition(condition));
}

const ENVELOPE: ReadonlySet<string> = new Set([
  '_id',
  'name',
  'hostname',
  'enabled',
  'documentation',
  'sort_field',
  'last_match',
  'project',
]);

/**
 * Returns the members of a document of a type without conditions, in the order of its schema, or of the document if the schema
 * has none.
 */
function furtherMembers(type: RuleType, document: RuleDocument): { name: string; text: string }[] {
  const { properties } = type.schema as { readonly properties?: JsonObject };
  const secret = new Set(type.secretMembers);
  // The members of a kept type are unknown.
  const names = type.kept === undefined ? Object.keys(properties ?? {}) : Object.keys(document);
  return names
    .filter((name) => !ENVELOPE.has(name) && !secret.has(name) && Object.hasOwn(document, name))
    .map((name) => ({ name, text: shortened(shortText(document[name] as JsonValue)) }))
    .filter(({ text }) => text !== '')
    .slice(0, SHOWN);
}

function shortText(value: JsonValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) {
    const scalars = value.map(scalarText);
    return scalars.every((text) => text !== undefined) ? scalars.join(', ') : String(value.length);
  }
  if (typeof value === 'object') return Object.keys(value).join(', ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

function shortened(text: string): string {
  return text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)}…` : text;
}

function hasText(value: JsonValue, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  if (typeof value === 'number') return String(value).includes(wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item: JsonValue) => hasText(item, wanted));
}
