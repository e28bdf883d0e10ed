import { t } from '@lingui/core/macro';
import type { OfferedInput } from '../../../offered-operations.ts';

export type RelationType = NonNullable<OfferedInput<'relations/add-relation'>['type']>;

interface Words {
  readonly outgoing: string;
  readonly inbound: string;
}

const WORDS: Readonly<Record<RelationType, Words>> = {
  depends_on: { outgoing: t`Depends on`, inbound: t`Required by` },
  runs_on: { outgoing: t`Runs on`, inbound: t({ message: 'Hosts', context: 'relation' }) },
  member_of: { outgoing: t`Member of`, inbound: t`Contains` },
  parent_of: { outgoing: t`Parent of`, inbound: t`Child of` },
  connects_to: { outgoing: t`Connects to`, inbound: t`Reachable from` },
};

/** The types to choose from. */
export const RELATION_TYPES = (Object.keys(WORDS) as RelationType[]).map((value) => ({
  value,
  label: WORDS[value].outgoing,
}));

interface Edge {
  readonly type: string;
  readonly type_label: string;
}

/** Describes a relation from the view of one of its ends; in the words of the service if the page has none. */
export function relationText({ type, type_label: label }: Edge, direction: keyof Words): string {
  return Object.hasOwn(WORDS, type) ? WORDS[type as RelationType][direction] : label;
}

/** A relation as a sentence. */
export function relationSentence(from: string, type: RelationType, to: string): string {
  switch (type) {
    case 'depends_on':
      return t`${from} depends on ${to}.`;
    case 'runs_on':
      return t`${from} runs on ${to}.`;
    case 'member_of':
      return t`${from} member of ${to}.`;
    case 'parent_of':
      return t`${from} parent of ${to}.`;
    case 'connects_to':
      return t`${from} connects to ${to}.`;
  }
}
