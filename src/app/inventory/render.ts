import {
  type InventoryDocument,
  type InventoryHost,
  type JsonObject,
  type Logger,
  StoredJson,
} from '../../ports/index.ts';
import { brokenText, harmlessText, type TemplateTextMode, wrappedValue } from '../domain/inventory/template-text.ts';
import { byBytes, identifierOf, type NameMode, withIdentifierNames } from '../domain/inventory/variable-names.ts';

export interface RenderOptions {
  readonly templateText: TemplateTextMode;
  readonly names: NameMode;
  readonly logger: Logger;
}

/** Members of the document that are no groups. */
const RESERVED_GROUPS = new Set(['_meta', 'all']);

/**
 * Writes an inventory as script-inventory JSON, piece by piece. The only place where this document is made, for command
 * line and HTTP alike. Hosts must come in the order in which they are to stand.
 */
export async function* renderInventory(
  hosts: AsyncIterable<readonly InventoryHost[]>,
  options: RenderOptions,
): AsyncGenerator<string> {
  const writer = hostWriter(options);
  const names: string[] = [];
  const groups = new Map<string, string[]>();
  let separator = '';
  yield '{"_meta":{"hostvars":{';
  for await (const batch of hosts) {
    let chunk = '';
    for (const host of batch) {
      const name = writer.text(JSON.stringify(host.hostname));
      chunk += `${separator}${name}:${writer.variables(host)}`;
      separator = ',';
      names.push(name);
      for (const group of host.groups) addTo(groups, writer.groupName(group), name);
    }
    if (chunk !== '') yield chunk;
  }
  yield `}},"all":{"hosts":[${names.join(',')}]`;
  const groupNames = [...groups.keys()].filter((group) => !RESERVED_GROUPS.has(group)).sort(byBytes);
  if (groupNames.length > 0) {
    yield `,"children":[${groupNames.map((group) => writer.text(JSON.stringify(group))).join(',')}]`;
  }
  yield '}';
  for (const group of groupNames) {
    const members = groups.get(group) as string[];
    yield `,${writer.text(JSON.stringify(group))}:{"hosts":[${members.join(',')}]}`;
  }
  yield '}';
}

/** The variables of one host, as they stand in the full document. */
export function renderHostVariables(host: InventoryHost, options: RenderOptions): string {
  return hostWriter(options).variables(host);
}

/** The hosts of a whole document, in its order. Its groups become the hosts' groups. */
export function* hostsOfDocument(document: InventoryDocument): Generator<readonly InventoryHost[]> {
  const groups = new Map<string, string[]>();
  for (const [group, members] of Object.entries(document)) {
    if (RESERVED_GROUPS.has(group)) continue;
    const hosts = Array.isArray(members) ? members : ((members as { hosts?: unknown } | null)?.hosts ?? []);
    if (!Array.isArray(hosts)) continue;
    for (const hostname of hosts) if (typeof hostname === 'string') addTo(groups, hostname, group);
  }
  const hostvars = new Map<string, JsonObject>(Object.entries(document._meta.hostvars));
  const { hosts } = document.all;
  yield hosts.map((hostname) => ({
    hostname,
    variables: StoredJson.ofValue(hostvars.get(hostname) ?? {}),
    groups: groups.get(hostname) ?? [],
  }));
}

/** A group as the document names it; `undefined` for names that stand for something else there. */
export function servedGroupName(
  group: string,
  { names, templateText }: Pick<RenderOptions, 'names' | 'templateText'>,
): string | undefined {
  const name = names === 'identifier' ? identifierOf(group) : group;
  if (RESERVED_GROUPS.has(name)) return undefined;
  return templateText === 'serve' ? name : brokenText(name);
}

interface HostWriter {
  text(json: string): string;
  groupName(group: string): string;
  variables(host: InventoryHost): string;
}

function hostWriter(options: RenderOptions): HostWriter {
  const collisions = new Set<string>();
  const mode = options.templateText;
  const text = mode === 'serve' ? (json: string) => json : harmlessText;
  const reportCollision = (name: string, identifier: string): void => {
    if (collisions.has(name)) return;
    collisions.add(name);
    options.logger.warn('two variables have one identifier; the first in byte order is served', { name, identifier });
  };
  return {
    text,
    groupName: (group) => (options.names === 'identifier' ? identifierOf(group) : group),
    variables(host) {
      if (options.names === 'keep' && mode !== 'wrap' && host.expressions === undefined)
        return text(host.variables.text);
      let values: JsonObject = JSON.parse(mode === 'wrap' ? host.variables.text : text(host.variables.text));
      if (mode === 'wrap') values = wrappedValue(values) as JsonObject;
      if (host.expressions !== undefined) values = { ...values, ...host.expressions };
      if (options.names === 'identifier') values = withIdentifierNames(values, reportCollision);
      return JSON.stringify(values);
    },
  };
}

function addTo(groups: Map<string, string[]>, group: string, hostname: string): void {
  const members = groups.get(group);
  if (members === undefined) groups.set(group, [hostname]);
  else members.push(hostname);
}
