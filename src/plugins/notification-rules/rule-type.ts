import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberList } from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';

const EVENTS = {
  run_failed: 'An import or export failed',
  run_partial: 'An import or export was incomplete',
  group_failed: 'A cron group failed',
  threshold: 'An import would have archived too many hosts',
  approval_waiting: 'A plan waits for approval',
  rule_failing: 'A rule fails on hosts',
  source_silent: 'A source was not imported for too long',
};

const members: RuleMembers = {
  events: {
    kind: 'list',
    title: 'Events',
    description: `Events to notify about: ${Object.keys(EVENTS)
      .map((event) => `\`${event}\``)
      .join(', ')}; empty for all of them.`,
    items: {
      kind: 'choice',
      choices: Object.keys(EVENTS),
      choiceTitles: Object.values(EVENTS),
      description: 'One of them.',
    },
  },
  subjects: {
    kind: 'list',
    title: 'Only about',
    description:
      'Accounts, cron groups and rules to notify about: names, or beginnings that end in `*`; empty for all.',
    items: { kind: 'text', offers: 'subject', required: true, description: 'A name, or a beginning.' },
  },
  receivers: {
    kind: 'list',
    title: 'Receivers',
    required: true,
    description: 'Receivers: accounts of a type for notifications.',
    items: { kind: 'text', offers: 'receiver', required: true, description: 'The name of an account.' },
  },
  cool_down_minutes: {
    kind: 'integer',
    title: 'Minutes between notifications',
    minimum: 0,
    description:
      'Minutes after a notification in which no other one of the same event and subject is sent; 60 when empty.',
  },
  silent_hours: {
    kind: 'integer',
    title: 'Hours without an import',
    minimum: 1,
    description: 'After how many hours without an import a source counts as silent; 24 when empty.',
  },
};

export const notificationRules: RuleType = {
  id: 'notification_policies',
  aliases: [],
  title: 'Notification rules',
  description: 'Set up notifications for failed runs, pending approvals, failing rules and silent sources.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => memberProblems(document, members),
  references: (document) =>
    memberTexts(document, 'receivers').map((target, index) => ({
      path: `receivers.${index}`,
      type: 'accounts',
      target,
    })),
  restricts: { part: ({ _id, ...document }) => document },
  acts: (document) => memberTexts(document, 'receivers').map((receiver) => `sends notifications through ${receiver}`),
};

function memberTexts(document: RuleDocument, name: string): readonly string[] {
  return memberList(document, name).filter((item): item is string => typeof item === 'string');
}
