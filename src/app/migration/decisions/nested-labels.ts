import { memberFlag, memberObjects, memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { ExportedDocument, ExportedDocuments } from './exported-document.ts';
import { inOrder } from './projects.ts';

const FILTERS = 'automation_filter';
/** Types with conditions on attributes that rules here evaluate. */
const CONDITIONAL = [
  'custom_attributes',
  FILTERS,
  'automation_rewrite',
  'automation_customvars',
  'automation_playbook_fire',
];
/** Operators that compare the text of a value; the others notice by themselves that an object has none. */
const OF_TEXT: ReadonlySet<string> = new Set(['equal', 'in', 'not_in', 'swith', 'ewith', 'regex']);

/** Filters with lines for beginnings of names, where hosts have nested labels of such names. */
export function filtersOfMembers(documents: ExportedDocuments): readonly ExportedDocument[] {
  const nested = nestedNames(documents);
  return inOrder(documents.get(FILTERS) ?? []).filter(({ document }) =>
    memberObjects(document, 'outcomes').some((outcome) => {
      const line = memberText(outcome, 'attribute_name');
      if (memberText(outcome, 'action') !== 'whitelist_attribute' || !line.endsWith('*')) return false;
      return nested.some((name) => name.startsWith(line.slice(0, -1)));
    }),
  );
}

/** Rules with a condition that compares a nested label as a whole. */
export function objectComparisons(documents: ExportedDocuments): readonly ExportedDocument[] {
  const nested = new Set(nestedNames(documents));
  return CONDITIONAL.flatMap((type) => inOrder(documents.get(type) ?? [])).filter(({ document }) =>
    memberObjects(document, 'conditions').some(
      (condition) =>
        memberText(condition, 'match_type') === 'tag' &&
        memberText(condition, 'tag_match') === 'equal' &&
        !memberFlag(condition, 'tag_match_negate') &&
        nested.has(memberText(condition, 'tag')) &&
        OF_TEXT.has(memberText(condition, 'value_match')),
    ),
  );
}

/** Labels of hosts that are objects there. */
function nestedNames(documents: ExportedDocuments): readonly string[] {
  const names = new Set<string>();
  for (const { document } of documents.get('host_objects') ?? []) {
    const labels = ownMember(document, 'labels');
    if (!isJsonObject(labels)) continue;
    for (const [name, value] of Object.entries(labels)) if (isJsonObject(value)) names.add(name);
  }
  return [...names];
}
