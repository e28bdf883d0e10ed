import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberReference } from '../../kit/document/members.ts';
import { namedTemplates } from '../../kit/document/templates.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { hostMembers, hostProblems } from './members.ts';

const members: RuleMembers = {
  ...hostMembers,
  cmdb_templates: {
    kind: 'list',
    description: 'Templates whose labels fill gaps of this host.',
    items: { kind: 'reference', required: true, description: 'Hostname or id of a template.' },
  },
  relations: {
    kind: 'list',
    description: 'Edges to other hosts.',
    items: {
      kind: 'object',
      required: true,
      description: 'An edge.',
      members: {
        type: { kind: 'text', required: true, description: 'Such as `depends_on`.' },
        target: { kind: 'text', required: true, description: 'Hostname at the other end.' },
        source: { kind: 'text', description: 'Provenance; `manual` when absent.' },
      },
    },
  },
  keys: {
    kind: 'object',
    description: 'Keys by which its account identifies it, such as `serial`: lists of texts by the name of the key.',
  },
  folder: { kind: 'text', description: 'Monitoring folder whose pool seat the host holds.' },
};

export const hostObjects: RuleType = {
  id: 'host_objects',
  aliases: [],
  title: 'Host objects',
  description: 'Hosts and other objects as whole documents, with all that is stored of them; for backup and moving.',
  keyedBy: 'hostname',
  group: 'Kept with the rules',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'hosts',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  references: (document) => {
    const target = memberReference(document, 'account');
    return target === undefined ? [] : [{ path: 'account', type: 'accounts', target }];
  },
  accountsOf(document) {
    const account =
      memberReference(document, 'account') ??
      memberReference(document, 'source_account_id') ??
      memberReference(document, 'source_account_name');
    return account === undefined ? [] : [account];
  },
  templatesOf: namedTemplates,
  check: (document) => [...memberProblems(document, members), ...hostProblems(document)],
};
