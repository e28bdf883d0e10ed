import { isJsonObject } from '../../kernel/json/json-object.ts';
import { documentName } from '../../rules/document/document-name.ts';
import type { BundlePart } from '../../rules/transfer/bundle.ts';
import { unknownRuleType } from '../../rules/unknown-types.ts';
import type { MaintenanceServices } from '../services.ts';
import type { ExportedDocument, ExportedDocuments } from './decisions/exported-document.ts';

/** The documents of an export under the idents that their types have here; what is no object is left to the import. */
export function exportedDocuments(
  { plugins }: Pick<MaintenanceServices, 'plugins'>,
  parts: readonly BundlePart[],
): ExportedDocuments {
  const documents = new Map<string, ExportedDocument[]>();
  for (const part of parts) {
    const type = plugins.ruleType(part.type) ?? unknownRuleType(part.type);
    const list = documents.get(type.id) ?? [];
    documents.set(type.id, list);
    for (const [index, document] of part.documents.entries()) {
      if (!isJsonObject(document)) continue;
      const line = part.lines?.[index];
      const name = documentName(type, document) || `number ${index}`;
      list.push({ type: type.id, name, document, ...(line === undefined ? {} : { line }) });
    }
  }
  return documents;
}
