import {
  httpAccountOptions,
  httpClientOf,
  ignoredMembersOption,
  memberProblems,
  membersSchema,
  memberText,
  objectOptions,
  RecordMaker,
  recordOptions,
  WholeList,
} from 'muster/kit';
import { definePlugin, RuleCompileError, z } from 'muster/plugin-api';

const MARK = 'muster';
/** What a status says about a change that was not made. */
const REFUSALS = { 403: 'refused', 404: 'gone', 409: 'exists', 412: 'changed', 422: 'refused' };

/** The parts of a system of one's own, made with the kit: a source with the options of built-in ones, a rule type, and a target. */
export default definePlugin({
  id: 'asset-desk',
  apiVersion: 2,
  description: 'Reads the machines of an asset desk, and keeps its contacts.',
  register(host) {
    host.source({
      id: 'asset-desk',
      title: 'Asset desk',
      description: 'Machines of an asset desk, over HTTP.',
      options: z.strictObject({
        ...httpAccountOptions,
        ...recordOptions(),
        ...objectOptions(),
        hostname_field: z
          .string()
          .min(1)
          .default('name')
          .describe('Members with the hostname, the first that has one counts'),
        ignored_members: ignoredMembersOption(),
      }),
      open: (options, account, services) => ({
        async *read(context) {
          const client = await httpClientOf(options, account, services, context);
          try {
            const { value } = await client.json({ path: 'machines' }, context);
            const maker = await RecordMaker.of(options);
            const { machines } = value;
            const items = machines.map((machine, index) => maker.listed(machine, `machine ${index + 1}`));
            yield items.filter((item) => item !== undefined);
            // A total, a cursor or an error beside the list says that it is a part: then nothing is archived.
            const whole = new WholeList(options.ignored_members, 'machines').document(value, ['machines']);
            const gap = whole.missing({
              records: machines.length,
              remedy: 'the asset desk gives all of its machines at once, so ask its operator',
            });
            if (gap !== undefined) yield [gap];
          } finally {
            await client.close();
          }
        },
      }),
    });
    host.ruleType(contacts);
    host.target({
      id: 'asset-desk-contacts',
      title: 'Contacts of an asset desk',
      description: 'Contacts of an asset desk, over HTTP.',
      options: z.strictObject({ ...httpAccountOptions }),
      kinds: [{ id: 'contact', title: 'Contacts', fields: { person: {} } }],
      async open(options, account, services) {
        const signal = AbortSignal.timeout(30_000);
        const client = await httpClientOf(options, account, { ...services, files: services.sourceFiles }, { signal });
        return {
          async *read(context) {
            const { value } = await client.json({ path: 'contacts' }, context);
            yield value.contacts.map(({ id, machine, person, owner }) => ({
              kind: 'contact',
              key: machine,
              id,
              fields: { person },
              owner: owner === MARK ? 'us' : 'other',
              etag: person,
            }));
          },
          wanted: ({ hostname, variables }) =>
            variables.value.contact === undefined
              ? []
              : [{ kind: 'contact', key: hostname, fields: { person: variables.value.contact } }],
          async apply(changes, context) {
            const outcomes = [];
            for (const change of changes) {
              outcomes.push(await applied(client, change, context));
              context.progress();
            }
            return outcomes;
          },
          async check(context) {
            const { value } = await client.json({ path: 'contacts' }, context);
            return `It has ${value.contacts.length} contacts.`;
          },
        };
      },
    });
  },
});

async function applied(client, { action, key, id, fields, etag = '*' }, context) {
  const request =
    action === 'create'
      ? { method: 'POST', path: 'contacts', json: { machine: key, owner: MARK, ...fields } }
      : action === 'delete'
        ? { method: 'DELETE', path: `contacts/${id}` }
        : { method: 'PATCH', path: `contacts/${id}`, json: fields };
  const accept = Object.keys(REFUSALS).map(Number);
  const answer = await client.json({ ...request, headers: { 'if-match': etag }, accept, repeatable: false }, context);
  const code = REFUSALS[answer.status];
  if (code !== undefined) return { done: false, code, reason: String(answer.value?.error) };
  return action === 'create' ? { done: true, id: answer.value.id } : { done: true };
}

/** Checked and described by one table, as the members of built-in types are. */
const OUTCOME = {
  contact: { kind: 'text', required: true, description: 'Who is asked about the machine' },
  on_call: { kind: 'flag', description: 'Whether that is so at night' },
};
const MEMBERS = {
  outcomes: {
    kind: 'list',
    description: 'Contacts',
    items: { kind: 'object', description: 'A contact', members: OUTCOME },
  },
};

const contacts = {
  id: 'asset_desk_contacts',
  aliases: [],
  title: 'Contacts of the asset desk',
  description: 'Say who is asked about a machine.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  schema: membersSchema(MEMBERS),
  check: (document) => memberProblems(document, MEMBERS),
  evaluation: {
    stage: 'attributes',
    compile(document) {
      const [problem] = memberProblems(document, MEMBERS);
      if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
      const named = (document.outcomes ?? []).map((outcome) => memberText(outcome, 'contact'));
      return (host) => {
        for (const contact of named) host.attributes.set('contact', contact);
      };
    },
  },
};
