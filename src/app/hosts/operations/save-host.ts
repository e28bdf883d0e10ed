import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, StoredJson } from '../../../ports/index.ts';
import { checkAccountHostname } from '../decisions/hostname-rules.ts';
import { checkLabels } from '../decisions/labels.ts';
import { hostnameSchema, labelsSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { tooLargeHost } from '../too-large-host.ts';
import { writeAs } from '../write-as.ts';
import { notOfTemplates, outOfReach } from '../write-reach.ts';

export const saveHost = defineOperation({
  name: 'hosts/save-host',
  title: 'Create or update host',
  description:
    'Replaces the labels of a host, creating it when missing and binding it to the account. A host that is bound to another account is left alone.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'POST /objects/:hostname',
      body: 'required',
      errors: ['account_conflict', 'forbidden', 'archived', 'conflict'],
    },
    tool: {
      name: 'upsert_host',
      description:
        'Creates a host and binds it to an account, or replaces all labels of a host that is bound to it. A host that is bound to another account is left alone: account_conflict.',
      replaces: true,
      idempotent: true,
    },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    account: z.string().min(1).describe('Name of an existing account'),
    labels: labelsSchema,
    before: labelsSchema
      .nullable()
      .optional()
      .describe(
        'The labels of the account that you have seen, or null for a host that must not exist yet: where they are others by now, nothing is saved (conflict)',
      ),
  }),
  output: z.object({ status: z.literal('saved') }),
  subject: (input) => input.hostname,
  async run({ hostname: given, account: accountName, labels, before }, { services, caller }) {
    const account = await services.accounts.writable(accountName, caller.scope);
    const hostname = checkAccountHostname(given, account);
    checkLabels(labels);
    if ((await outOfReach(services, caller, [hostname])).has(hostname)) throw notOfTemplates(hostname);
    const text = StoredJson.ofValue(labels);
    const [outcome] = await services.storage.hosts.saveLabels({
      ...writeAs(account, caller, services.clock.now()),
      entries: [{ hostname, labels: text }],
      ...(before === undefined ? {} : { before: before === null ? null : StoredJson.ofValue(before) }),
    });
    if (outcome === 'changed') throw changedMeanwhile(hostname, before === null);
    if (outcome === 'too_large') {
      throw tooLargeHost(hostname, `labels of ${Buffer.byteLength(text.text)} bytes`, services.config);
    }
    if (outcome === 'account_conflict') {
      throw new AppError(
        'account_conflict',
        worded`host ${{ hostname }} is bound to another account; write it through that one`,
        {
          members: { status: 'account_conflict' },
        },
      );
    }
    if (outcome === 'archived') {
      throw new AppError(
        'archived',
        worded`an operator archived host ${{ hostname }}; restore it with "muster host restore ${{ hostname }}"`,
        {
          members: { status: 'archived' },
        },
      );
    }
    return { status: 'saved' as const };
  },
});

function changedMeanwhile(hostname: string, isNew: boolean): AppError {
  return new AppError(
    'conflict',
    isNew
      ? worded`host ${{ hostname }} exists already, maybe in the archive; change or restore that one`
      : worded`someone changed the labels of host ${{ hostname }} meanwhile; read them again and make your change to what they are now`,
  );
}
