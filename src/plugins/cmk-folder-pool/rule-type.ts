import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberText } from '../../kit/document/members.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';

const members: RuleMembers = {
  folder_name: { kind: 'text', required: true, description: 'Path of the folder, unique among all pools.' },
  folder_title: { kind: 'text', description: 'Title of the folder in the monitoring.' },
  folder_seats: { kind: 'integer', minimum: 0, description: 'How many hosts the folder takes.' },
  folder_seats_taken: { kind: 'integer', minimum: 0, description: 'How many seats hosts hold.' },
  assigned_site_id: { kind: 'text', description: 'The monitoring site that the folder belongs to.' },
};

export const cmkFolderPool: RuleType = {
  id: 'cmk_folder_pool',
  aliases: [],
  title: 'Folder pool',
  description:
    'Monitoring folders with seats. A host holds a seat through its `folder` and gives it back when it is archived.',
  keyedBy: 'name',
  group: 'Monitoring',
  // Existing installations write pools without a name.
  nameOf: (document) => memberText(document, 'folder_name'),
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  countedMembers: ['folder_seats_taken'],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => memberProblems(document, members),
  uniqueValue: (document) => memberText(document, 'folder_name') || undefined,
};
