import { memberFlag, memberInteger, memberReference, memberText } from '../../../kit/document/members.ts';
import type { ExportedDocument, ExportedDocuments } from './exported-document.ts';

/** Installations of this kind keep rules without a project in one of this name, which they make by themselves. */
const DEFAULT = 'Default';

/** The enabled rules of a type in the order in which they run, by the name of their project; `automation` for those of none. */
export function rulesByProject(
  documents: ExportedDocuments,
  type: string,
): ReadonlyMap<string, readonly ExportedDocument[]> {
  const names = new Map(
    (documents.get('automation_projects') ?? []).map(({ name, document }) => [memberReference(document, '_id'), name]),
  );
  const byProject = new Map<string, ExportedDocument[]>();
  for (const rule of inOrder(documents.get(type) ?? [])) {
    const reference = memberReference(rule.document, 'project');
    const project = names.get(reference) ?? reference ?? DEFAULT;
    const name = project === DEFAULT || project === '' ? 'automation' : project;
    byProject.set(name, [...(byProject.get(name) ?? []), rule]);
  }
  return byProject;
}

/** Names of the inventories that an export has rules or projects for: those that are enabled. */
export function inventoriesOf(documents: ExportedDocuments): readonly string[] {
  const projects = (documents.get('automation_projects') ?? [])
    .filter(({ name, document }) => name !== DEFAULT && memberFlag(document, 'enabled'))
    .map(({ name }) => name);
  return ['automation', ...projects];
}

/** Those that are enabled, as they run: by `sort_field`, then name. */
export function inOrder(rules: readonly ExportedDocument[]): readonly ExportedDocument[] {
  const place = ({ document }: ExportedDocument): number => memberInteger(document, 'sort_field') ?? 0;
  return rules
    .filter(({ document }) => memberFlag(document, 'enabled'))
    .sort((a, b) => place(a) - place(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ document }: ExportedDocument): string {
  return memberText(document, 'name');
}
