import { ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { ExportedDocument, ExportedDocuments } from './exported-document.ts';

/** Hosts with text of templates in a label: consumers get it broken by a blank. */
export function hostsWithTemplateText(documents: ExportedDocuments): readonly ExportedDocument[] {
  return hostsWith(documents, (labels) => /\{[{%#]/.test(JSON.stringify(labels)));
}

/** Variables for the connection to a host that data may set; the rest of `ansible_…` comes from rules alone. */
const CONNECTION = new Set(['ansible_host', 'ansible_port', 'ansible_user', 'ansible_network_os']);

/** Hosts with a label that would run something on the controller. */
export function hostsWithAnsibleLabels(documents: ExportedDocuments): readonly ExportedDocument[] {
  return hostsWith(documents, (labels) =>
    Object.keys(labels).some((name) => name.startsWith('ansible_') && !CONNECTION.has(name)),
  );
}

function hostsWith(
  documents: ExportedDocuments,
  has: (labels: Readonly<Record<string, unknown>>) => boolean,
): readonly ExportedDocument[] {
  return (documents.get('host_objects') ?? []).filter(({ document }) => {
    const labels = ownMember(document, 'labels');
    return isJsonObject(labels) && has(labels);
  });
}
