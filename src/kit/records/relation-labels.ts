/** The types of relations, with the words for both directions of each. */
export const RELATION_LABELS = {
  depends_on: { outgoing: 'Depends on', inbound: 'Required by' },
  runs_on: { outgoing: 'Runs on', inbound: 'Hosts' },
  member_of: { outgoing: 'Member of', inbound: 'Contains' },
  parent_of: { outgoing: 'Parent of', inbound: 'Child of' },
  connects_to: { outgoing: 'Connects to', inbound: 'Reachable from' },
} as const;
