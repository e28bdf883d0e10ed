import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import { AppError } from '../../../ports/index.ts';
import { readEnvelope } from '../engine/envelope.ts';
import { type NewPosition, newPositions, type Place } from '../move-order.ts';
import { requireRule, requireStoredDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { namedRules, refuseOwnCommands, requireRules, severalRules, subjectOf } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';
import { setMember } from '../transfer/store-document.ts';

const target = z.string().min(1).optional();

export const moveRules = defineOperation({
  name: 'rules/move-rules',
  title: 'Move rules',
  description:
    'Brings rules to another place in the order in which the rules of their type run, by the positions (sort_field) of as few rules as possible. Give one of before, after, to and sort_fields.',
  effect: 'write',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'POST /rules/:rule_type/move', body: 'required', errors: ['not_found', 'forbidden', 'conflict'] },
    command: {
      words: 'rules move',
      description: 'Bring rules to another place in the order in which the rules of their type run.',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of their type' },
        rules: { shown: '<rule...>', description: 'names or ids of the rules; they keep the order that they have' },
      },
      options: {
        before: { flags: '--before <rule>', description: 'to the place before this rule' },
        after: { flags: '--after <rule>', description: 'to the place behind this rule' },
        to: { flags: '--to <end>', description: 'to an end: "first" or "last"' },
      },
      misuse: (input) => (places(input) === 1 ? undefined : NEEDS_PLACE.text),
      json: 'answer the new positions as JSON',
      examples: [
        'muster rules move custom_attributes "Site from hostname" --to first',
        'muster rules move automation_filter Names Secrets --after "All of the sources"',
      ],
      view: ({ changed }, print) => {
        for (const { name, sort_field } of changed) print.result(`${sort_field}\t${printable(name)}\n`);
        print.note(
          changed.length === 0 ? 'They are in that place already.' : `Positions of ${counted(changed.length, 'rule')}.`,
        );
      },
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rules: severalRules,
    before: target.describe('Name or id of the rule before which they are to run'),
    after: target.describe('Name or id of the rule after which they are to run'),
    to: z.enum(['first', 'last']).optional().describe('To run before or after all others'),
    sort_fields: z
      .array(z.number().int())
      .optional()
      .describe('The very positions, one for each of `rules`: those of `was` take an earlier move back'),
  }),
  output: z.object({
    rule_type: z.string(),
    changed: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          sort_field: z.number().int(),
          was: z.number().int().describe('The position that it had'),
        }),
      )
      .describe('Rules that have another position now, in the order in which they run'),
  }),
  subject: (input) => subjectOf(input),
  async run({ rule_type, rules, ...asked }, { services, caller, signal, actsOn }) {
    const type = await requireStoredDocumentType(services, rule_type);
    refuseOwnCommands(type, 'moved');
    const moved = await requireRules(services, caller, type, rules);
    actsOn(namedRules(type, moved));
    refuseBeyondReach(type, caller);
    if (places(asked) !== 1) throw new AppError('invalid_input', NEEDS_PLACE);
    const { sort_fields: given, ...where } = asked;
    if (given !== undefined && given.length !== moved.length)
      throw new AppError('invalid_input', worded`give one position for each of the rules`);
    const records = await services.storage.rules.list(type.id);
    const byId = new Map(records.map((record) => [record.id, record]));
    const order = records.map(({ id, name, document }) => ({
      id,
      name,
      sortField: readEnvelope(document.value, type).sortField,
    }));
    const earlier = new Map(order.map(({ id, sortField }) => [id, sortField]));
    const positions =
      given === undefined
        ? await positionsAt(where)
        : moved
            .map(({ id }, index) => ({ id, sortField: given[index] ?? 0 }))
            .filter(({ id, sortField }) => earlier.get(id) !== sortField);
    const changed: { id: string; name: string; sort_field: number; was: number }[] = [];
    for (const { id, sortField } of positions) {
      signal.throwIfAborted();
      const record = byId.get(id);
      if (record === undefined) continue;
      await setMember(services, caller, type, record, 'sort_field', sortField);
      changed.push({ id, name: record.name, sort_field: sortField, was: earlier.get(id) ?? 0 });
    }

    async function positionsAt(asked: Omit<Asked, 'sort_fields'>): Promise<readonly NewPosition[]> {
      const ids = new Set(moved.map(({ id }) => id));
      const place = await placeOf(asked, async (rule) => (await requireRule(services, caller, type, rule)).id);
      const at = typeof place === 'string' ? undefined : 'before' in place ? place.before : place.after;
      if (at !== undefined && ids.has(at))
        throw new AppError('invalid_input', worded`a rule cannot be moved next to itself`);
      return newPositions(order, ids, place);
    }
    return { rule_type: type.id, changed: changed.sort((a, b) => a.sort_field - b.sort_field) };
  },
});

const NEEDS_PLACE = worded`say where to: give one of before, after and to`;

interface Asked {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly to?: 'first' | 'last' | undefined;
  readonly sort_fields?: readonly number[] | undefined;
}

function places({ before, after, to, sort_fields: positions }: Asked): number {
  return [before, after, to, positions].filter((place) => place !== undefined).length;
}

async function placeOf(asked: Omit<Asked, 'sort_fields'>, idOf: (rule: string) => Promise<string>): Promise<Place> {
  const { before, after, to } = asked;
  if (before !== undefined) return { before: await idOf(before) };
  if (after !== undefined) return { after: await idOf(after) };
  return to ?? 'last';
}
