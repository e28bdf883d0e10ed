import { documentName } from '../../kit/document/document-name.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { hostnamesById, ownHostDocument } from '../hosts/documents/foreign-host-documents.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import { isHostType } from '../rules/rule-type-input.ts';
import type { BundlePart } from '../rules/transfer/bundle.ts';
import { unknownRuleType } from '../rules/unknown-types.ts';
import type { ExportedDocument, ExportedDocuments } from './decisions/exported-document.ts';

/** Documents of an export by their idents here, hosts in the form of an import. Non-objects are left to the import. */
export function exportedDocuments(
  { plugins }: Pick<MaintenanceServices, 'plugins'>,
  parts: readonly BundlePart[],
): ExportedDocuments {
  const documents = new Map<string, ExportedDocument[]>();
  const hosts = parts.filter(({ type }) => isHostType({ id: type }));
  const hostnames = hostnamesById(hosts.flatMap((part) => part.documents.filter(isJsonObject)));
  for (const part of parts) {
    const type = plugins.ruleType(part.type) ?? unknownRuleType(part.type);
    const list = documents.get(type.id) ?? [];
    documents.set(type.id, list);
    for (const [index, given] of part.documents.entries()) {
      if (!isJsonObject(given)) continue;
      const document = isHostType(type) ? ownHostDocument(given, hostnames) : given;
      const line = part.lines?.[index];
      const name = documentName(type, document) || `number ${index}`;
      list.push({ type: type.id, name, document, ...(line === undefined ? {} : { line }) });
    }
  }
  return documents;
}
