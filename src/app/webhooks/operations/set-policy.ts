import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type JsonObject, type RuleDocument } from '../../../ports/index.ts';
import { changeDocument } from '../../rules/transfer/store-document.ts';
import { CRON_GROUPS } from '../../runs/cron/change-group.ts';
import { requireGroup } from '../../runs/cron/request-run.ts';
import { defineOperation } from '../../runs/services.ts';
import { isSecretOfAnother } from '../webhook-secrets.ts';

/** Other systems may be bound to a shorter one, so it is taken, with a warning. */
const SHORTEST_SAFE_SECRET = 16;

export const setCronPolicy = defineOperation({
  name: 'cron/set-policy',
  title: 'Signature policy of a cron group',
  description:
    'Makes the webhook of a group accept signed calls only, optionally from certain addresses. A generated secret is shown once. What is not given stays as it is.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    group_name: z.string().min(1),
    secret: z.string().min(1, phrase`must not be empty`).optional(),
    generate: z.boolean().default(false).describe('Generates a secret'),
    window_seconds: z.number().int().min(1).max(86_400).optional(),
    allow_ips: z.array(z.string().min(1)).optional(),
    remove: z.boolean().default(false).describe('Removes the policy'),
  }),
  output: z.object({
    group: z.string(),
    webhook_enabled: z.boolean(),
    policy: z.object({ window_seconds: z.number().int(), allow_ips: z.array(z.string()) }).nullable(),
    secret: z.string().optional().describe('The generated secret'),
    weak_secret: z
      .literal(true)
      .optional()
      .describe(
        `The given secret has fewer than ${SHORTEST_SAFE_SECRET} characters: who sees a signed call may find it by trying`,
      ),
  }),
  subject: (input) => input.group_name,
  async run(input, { services, caller }) {
    const { id, record, webhookEnabled } = await requireGroup(services, caller, input.group_name);
    if (input.remove) {
      await changeDocument(services, caller, CRON_GROUPS, record, withoutPolicy, { keepsConfirmation: true });
      return { group: input.group_name, webhook_enabled: webhookEnabled, policy: null };
    }
    const generated = input.generate ? randomBytes(32).toString('base64url') : undefined;
    const secret = generated ?? input.secret;
    if (input.secret !== undefined && (await isSecretOfAnother(services, id, input.secret))) {
      throw new AppError(
        'conflict',
        worded`another cron group has this signing secret, so a call signed for one would work at the other; give each group its own`,
      );
    }
    let policy: JsonObject = {};
    await changeDocument(
      services,
      caller,
      CRON_GROUPS,
      record,
      (document) => {
        policy = policyOf(document, secret, input);
        return { ...withoutPolicy(document), webhook_policy: policy };
      },
      { keepsConfirmation: true },
    );
    const { window_seconds, allow_ips } = policy;
    return {
      group: input.group_name,
      webhook_enabled: webhookEnabled,
      policy: {
        window_seconds: Number(window_seconds),
        allow_ips: Array.isArray(allow_ips) ? allow_ips.map(String) : [],
      },
      ...(generated === undefined ? {} : { secret: generated }),
      ...(secret !== undefined && secret.length < SHORTEST_SAFE_SECRET ? { weak_secret: true as const } : {}),
    };
  },
});

function withoutPolicy({ webhook_policy: _, ...others }: RuleDocument): RuleDocument {
  return others;
}

/** The policy of the document, with the given members applied. */
function policyOf(
  document: RuleDocument,
  secret: string | undefined,
  given: { readonly window_seconds?: number | undefined; readonly allow_ips?: string[] | undefined },
): JsonObject {
  const present = ownMember(document, 'webhook_policy');
  const stored = isJsonObject(present) ? present : undefined;
  if (stored === undefined && secret === undefined) {
    throw new AppError(
      'invalid_input',
      worded`the group has no signature policy yet; give a secret or have one generated`,
    );
  }
  return {
    ...stored,
    ...(secret === undefined ? {} : { secret }),
    window_seconds: given.window_seconds ?? stored?.window_seconds ?? 300,
    allow_ips: given.allow_ips ?? stored?.allow_ips ?? [],
  };
}
