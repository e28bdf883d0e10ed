import * as z from 'zod';
import { memberFlag, memberText } from '../../../kit/document/members.ts';
import { parseJson } from '../../../kit/json/parse-json.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue, type RuleRecord, StoredJson } from '../../../ports/index.ts';
import { checkLabels } from '../../hosts/decisions/labels.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { requireHost } from '../../hosts/require-host.ts';
import { type Caller, isRestricted } from '../../kernel/caller.ts';
import { changeWithRetry } from '../../kernel/change-with-retry.ts';
import { requireRuleType } from '../../rules/rule-type-input.ts';
import { defineOperation, type RuleServices } from '../../rules/services.ts';
import { changeDocument, storeDocument } from '../../rules/transfer/store-document.ts';
import { actsOf } from '../../rules/trust/pending.ts';
import {
  CORRECTIONS,
  type CorrectedAttribute,
  newCorrections,
  saysSo,
  withCorrection,
} from '../corrections-document.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);

export const correctHost = defineOperation({
  name: 'hosts/correct-host',
  title: 'Correct a value of a host',
  description:
    'Sets an attribute of one host for every consumer, by a row of the rule "Corrections", or removes that row. The labels that the source gives stay as they are.',
  effect: 'write',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: {
      path: 'POST /objects/:hostname/corrections',
      basePath: '/rules',
      body: 'required',
      errors: ['not_found', 'conflict'],
    },
    command: {
      words: 'host correct',
      description:
        'Correct a value of a host for every consumer, by a row of the rule "Corrections". The labels of its source stay as they are.',
      summary: 'correct a value that a source gives a host',
      arguments: {
        hostname: { shown: '<hostname>', description: 'name of the host' },
        attribute: { shown: '<attribute>', description: 'name of the attribute, such as that of a label' },
        value: { shown: '[value]', description: 'the right value, as text' },
      },
      options: {
        json_value: { flags: '--json-value <json>', description: 'the right value as JSON: 8, true or ["a","b"]' },
        remove: { flags: '--remove', description: 'remove the correction' },
      },
      json: 'answer the outcome as JSON',
      examples: [
        'muster host correct web01.example.org rack R12',
        'muster host correct web01.example.org cpus --json-value 8',
        'muster host correct web01.example.org rack --remove',
      ],
      misuse: ({ value, json_value, remove }) =>
        [value != null, json_value !== undefined, remove].filter(Boolean).length === 1
          ? undefined
          : 'give the right value, --json-value or --remove, and only one of them',
      view: ({ status, hostname, attribute }, print) => print.note(OUTCOMES[status](attribute, hostname)),
    },
    tool: { name: 'correct_host', replaces: true, idempotent: true },
    page: true,
  },
  input: z
    .object({
      hostname: hostnameSchema,
      attribute: z.string().trim().min(1).max(256).describe('Name of the attribute, such as that of a label'),
      value: z
        .union([scalarSchema, z.array(scalarSchema)])
        .nullish()
        .describe('The right value, which keeps its type; absent or null: the correction is removed'),
      json_value: z.string().optional().describe('The right value as a text of JSON, instead of value'),
      remove: z.boolean().default(false).describe('Removes the correction, as an absent value does'),
    })
    .refine(
      ({ value, json_value, remove }) => [value != null, json_value !== undefined, remove].filter(Boolean).length <= 1,
      phrase`name value, json_value or remove, and only one of them`,
    ),
  output: z.object({
    status: z.enum(['corrected', 'removed', 'unchanged']),
    hostname: z.string(),
    attribute: z.string(),
    rule: z
      .object({ type: z.string(), id: z.string(), name: z.string() })
      .nullable()
      .describe('That holds the corrections; null while there is none'),
  }),
  subject: ({ hostname, attribute }) => `${hostname} ${attribute}`,
  async run({ hostname: given, attribute, value, json_value }, { services, caller }) {
    const { hostname } = await requireHost(services, caller, given);
    const right = json_value === undefined ? (value ?? undefined) : readValue(json_value);
    const corrected = { hostname, attribute };
    refuseActs(services, corrected, right);
    const writer = writerOfOneHost(caller);
    const status = await changeWithRetry(() => correct(services, writer, corrected, right));
    if (status === undefined) throw busy();
    const rule = await services.storage.rules.findByName(CORRECTIONS.type, CORRECTIONS.name);
    return { status, ...corrected, rule: rule === undefined ? null : { ...CORRECTIONS, id: rule.id } };
  },
});

type Status = 'corrected' | 'removed' | 'unchanged';

const OUTCOMES: Readonly<Record<Status, (attribute: string, hostname: string) => string>> = {
  corrected: (attribute, hostname) => `Corrected ${attribute} of ${hostname}.`,
  removed: (attribute, hostname) => `Removed the correction of ${attribute} of ${hostname}.`,
  unchanged: (attribute, hostname) => `The correction of ${attribute} of ${hostname} was so already.`,
};

function readValue(text: string): JsonValue | undefined {
  let read: unknown;
  try {
    read = parseJson(text);
  } catch {
    throw new AppError('invalid_input', worded`json_value must be JSON, such as 8, true or ["a","b"]`);
  }
  return (read ?? undefined) as JsonValue | undefined;
}

/** `undefined` where another one made the document in between. */
async function correct(
  services: RuleServices,
  caller: Caller,
  corrected: CorrectedAttribute,
  value: JsonValue | undefined,
): Promise<Status | undefined> {
  const { rules } = services.storage;
  const record = await rules.findByName(CORRECTIONS.type, CORRECTIONS.name);
  const done = value === undefined ? 'removed' : 'corrected';
  if (record === undefined) {
    if (value === undefined) return 'unchanged';
    const document = withCorrection(newCorrections(await rules.list(CORRECTIONS.type)), corrected, value);
    try {
      await storeDocument(services, caller, CORRECTIONS.type, document, 'create');
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return undefined;
      throw error;
    }
    return done;
  }
  requireCorrections(record);
  if (saysSo(record.document.value, corrected, value)) return 'unchanged';
  // A row without an action leaves the confirmation of the others as it is.
  const options = { keepsConfirmation: true };
  await changeDocument(
    services,
    caller,
    CORRECTIONS.type,
    record,
    (document) => withCorrection(document, corrected, value),
    options,
  );
  return done;
}

/** A rule of that name that a person wrote for something else is left alone. */
function requireCorrections({ document }: RuleRecord): void {
  if (memberText(document.value, 'rule_source') !== 'list') {
    throw new AppError(
      'conflict',
      worded`rule ${{ name: CORRECTIONS.name }} looks at every host, so it cannot hold corrections; give it another name`,
    );
  }
  if (!memberFlag(document.value, 'enabled')) {
    throw new AppError(
      'conflict',
      worded`rule ${{ name: CORRECTIONS.name }} is disabled, so that no correction has an effect; enable it first`,
    );
  }
}

/** Refuses corrections that would make the machine act: an administrator writes a rule for these. */
function refuseActs(services: RuleServices, corrected: CorrectedAttribute, value: JsonValue | undefined): void {
  const { attribute } = corrected;
  checkLabels({ [attribute]: value ?? '' });
  const document = StoredJson.ofValue(withCorrection({}, corrected, value ?? ''));
  if (actsOf(requireRuleType(services, CORRECTIONS.type), { document }).length === 0) return;
  throw new AppError(
    'invalid_input',
    worded`${{ attribute }} would make a machine act, so it cannot be a correction; write a separate rule for it`,
  );
}

/**
 * A correction is about one host within reach, so the document may be about hosts of all accounts. A restricted caller vouches
 * for nothing.
 */
function writerOfOneHost(caller: Caller): Caller {
  if (!isRestricted(caller)) return caller;
  return { ...caller, scope: null, templates: null, globalAdmin: false, roles: ['rules'] };
}

function busy(): AppError {
  return new AppError('conflict', worded`others change the corrections all the time; try again`);
}
