import { shown, shownNames } from '../../kit/file-source/fault.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { NamedRows } from '../../kit/records/named-rows.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { isList, stepsIntoLists, valuesAt } from '../../kit/records/record-path.ts';
import { ANSWER_REMEDY, FILE_REMEDY, type FileLists, speaksOfList, WholeList } from '../../kit/records/whole-list.ts';
import { phrase, type Said, worded } from '../../kit/worded.ts';
import type { HttpHead, JsonObject, JsonValue, SourceItem, Wording } from '../../ports/index.ts';
import type { YamlOptions } from './options.ts';
import { YamlFault } from './yaml-fault.ts';

export interface RecordsContext {
  readonly maker: RecordMaker;
  /** The name of the document in messages. */
  readonly place: string;
  /** The name that it gives to a host. */
  readonly host: string;
  /** The headers of the response, if the document came from one. */
  readonly head?: HttpHead | undefined;
  /** Takes what it says of its list. */
  readonly lists: FileLists;
}

/**
 * The records of a file: of a list each element, of an object each member under its name, of groups each host with the variables
 * of its group. Of several documents each is an element of a list, unless each is a list itself.
 */
export function* recordsOf(
  documents: readonly JsonValue[],
  options: YamlOptions,
  context: RecordsContext,
): Generator<SourceItem | undefined> {
  const { maker, host, head, place, lists } = context;
  const document = together(documents);
  if (options.records === 'document') return yield* documentRecords(document, options, context);
  const isOther = (content: JsonValue): boolean =>
    options.data_key === undefined && (isInventory(content) || (options.hosts_key === '' && areGroups(content)));
  const isPart = isOther(document);
  if (isPart) yield inventoryGap();
  const contents = recordsAt(document, options.data_key);
  const whole = wholeOf(document, options);
  if (head !== undefined) whole.head(head.status, head.headers);
  yield* whole.failures();
  const elements = contents.reduce(
    (sum, content) => sum + (isList(content) ? content.length : Object.keys(content).length),
    0,
  );
  lists.add(place, whole, { records: elements, remedy: head === undefined ? FILE_REMEDY : ANSWER_REMEDY });
  if (options.hosts_key !== '') return yield* groupedHosts(contents, options, maker, isPart);
  let count = 0;
  for (const content of contents) {
    if (isList(content)) {
      const rows = new NamedRows();
      for (const element of content) {
        const record = rows.record(element);
        count++;
        if (record !== undefined) yield maker.listed(record, `record ${count}`, host);
      }
    } else if (!isOther(content)) {
      for (const [name, element] of Object.entries(content)) {
        if (HOST_RANGE.test(name)) yield inventoryGap();
        else if (!speaksOfList(name, element)) yield maker.byName(name, element ?? null);
      }
    }
  }
}

/** Recognises nested groups of Ansible: the group `all`, or a group with children. */
function isInventory(document: JsonValue): boolean {
  if (!isJsonObject(document)) return false;
  return Object.entries(document).some(([name, group]) => {
    const [hosts, children] = [memberOf(group, 'hosts'), memberOf(group, 'children')];
    const holds = [hosts, children].some((held) => held !== undefined && isJsonObject(held));
    return (
      holds &&
      (name === 'all' || children !== undefined || Object.keys(hosts ?? {}).some((host) => HOST_RANGE.test(host)))
    );
  });
}

/** Groups of Ansible without the group `all`: `web: {hosts: {web01: {}}, vars: {…}}`. */
function areGroups(document: JsonValue): boolean {
  const groups = isJsonObject(document) ? Object.values(document) : [];
  return groups.length > 0 && groups.every(isGroup);
}

function isGroup(group: JsonValue | undefined): boolean {
  const hosts = memberOf(group, 'hosts');
  if (hosts === undefined || !isJsonObject(hosts) || !isJsonObject(group ?? null)) return false;
  return Object.keys(group ?? {}).every((name) => ['hosts', 'vars', 'children'].includes(name));
}

/** `web[01:20]` */
const HOST_RANGE = /\[\w+:\w+(?::\d+)?\]/;

function inventoryGap(): SourceItem {
  return {
    kind: 'gap',
    what: phrase`a part of the inventory`,
    reason: worded`this is an inventory of Ansible, whose children and ranges of hosts are not read here; use an account of ${{ type: 'type ansible' }}`,
  };
}

/** Yields the value at the path, or else the document, as one record; if the path has lists, each of their elements. */
function* documentRecords(
  document: JsonValue,
  options: YamlOptions,
  { maker, host, place, lists }: RecordsContext,
): Generator<SourceItem | undefined> {
  const { data_key: path = '' } = options;
  const values = valuesAt(document, path);
  if (values === undefined) throw nothingAt(path, worded`nothing`, document);
  if (path !== '') {
    const whole = wholeOf(document, options);
    yield* whole.failures();
    if (stepsIntoLists(path)) lists.add(place, whole, { records: values.length, remedy: FILE_REMEDY });
  }
  for (const [index, value] of values.entries()) yield maker.document(value, `record ${index + 1}`, host);
}

/** Collects the members next to the records, and next to the objects that contain them. */
function wholeOf(document: JsonValue, { data_key: path, ignored_members }: YamlOptions): WholeList {
  const whole = new WholeList(ignored_members, path);
  if (path !== undefined) return whole.document(document, path.replaceAll('[]', '').split('.'));
  if (!isJsonObject(document)) return whole;
  const members = Object.entries(document);
  const lists = members.filter(([, value]) => value !== undefined && isList(value));
  // Without a list the members are records, each under its name.
  for (const [name, value] of members) {
    if (value !== undefined && (lists.length === 1 ? !isList(value) : speaksOfList(name, value)))
      whole.member([name], value);
  }
  return whole;
}

function together(documents: readonly JsonValue[]): JsonValue {
  const [only] = documents;
  if (only === undefined) throw new YamlFault(worded`holds nothing`);
  if (documents.length === 1) return only;
  return documents.every(isList) ? documents.flat(1) : documents;
}

type Records = JsonObject | readonly JsonValue[];

/** Returns the lists or objects at the path, or else the document, or the only list in it. */
function recordsAt(document: JsonValue, path: string | undefined): readonly Records[] {
  if (path !== undefined) {
    const values = valuesAt(document, path);
    const found = stepsIntoLists(path) ? values?.filter((value) => value !== null) : values;
    if (found?.every(isRecords)) return found;
    throw nothingAt(path, found === undefined ? worded`nothing` : worded`no list and no object`, document);
  }
  if (isList(document)) return [document];
  if (!isJsonObject(document)) throw new YamlFault(worded`is neither a list nor an object`);
  const lists = Object.values(document).filter(isList);
  const [list] = lists;
  if (list !== undefined && lists.length === 1) return [list];
  if (lists.length > 1) throw withMembers(worded`has several lists; set data_key to one of them`, document);
  return [document];
}

function isRecords(value: JsonValue): value is Records {
  return isList(value) || isJsonObject(value);
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function nothingAt(path: string, what: Wording, document: JsonValue): YamlFault {
  return withMembers(worded`has ${{ what }} at data_key ${{ path: shown(path) }}`, document);
}

function withMembers(problem: Wording, document: JsonValue): YamlFault {
  const members = isJsonObject(document) ? shownNames(Object.keys(document)) : undefined;
  return new YamlFault(members === undefined ? problem : worded`${{ problem }}; its members: ${{ members }}`);
}

interface GroupedHost {
  readonly position: string;
  readonly members: JsonObject;
  /** Why its variables are not known as a whole. */
  readonly fault: Said | undefined;
}

/**
 * Yields the hosts of groups. A host in several groups has the variables of all of them; later groups take precedence. `isPart`: the
 * gap for hosts that are not read was given before.
 */
function* groupedHosts(
  contents: readonly Records[],
  options: YamlOptions,
  maker: RecordMaker,
  isPart: boolean,
): Generator<SourceItem | undefined> {
  const groups = contents.flatMap((content): [string | number, JsonValue | undefined][] =>
    isList(content) ? [...content.entries()] : Object.entries(content),
  );
  const hosts = new Map<string, GroupedHost>();
  let hasRanges = isPart;
  for (const [key, group = null] of groups) {
    const position = typeof key === 'number' ? `group ${key + 1}` : `group ${shown(key)}`;
    if (!isJsonObject(group)) {
      yield noGroup(key, group, position, options);
      continue;
    }
    const variables = memberOf(group, options.variables_key) ?? {};
    for (const [name, own = null] of hostsOf(memberOf(group, options.hosts_key))) {
      if (name === undefined) {
        yield { kind: 'gap', what: position, reason: phrase`names a host by something that is not a text` };
      } else if (HOST_RANGE.test(name)) {
        if (!hasRanges) yield inventoryGap();
        hasRanges = true;
      } else if (name.trim() === '') yield { kind: 'skipped', position, reason: phrase`names a host without a name` };
      else hosts.set(name, inGroup(hosts.get(name), { variables, own, position, key: options.variables_key }));
    }
  }
  for (const [hostname, { position, members, fault: reason }] of hosts)
    yield reason === undefined
      ? maker.byName(hostname, members, position)
      : { kind: 'skipped', position, hostname, reason };
}

/** A name without a value is an empty group; another value may stand for hosts, unless the account says that it does not. */
function noGroup(
  key: string | number,
  value: JsonValue,
  position: string,
  { ignored_members }: YamlOptions,
): SourceItem {
  const reason = phrase`is not an object`;
  if (typeof key === 'number') return { kind: 'gap', what: position, reason };
  const isIgnored = ignored_members.some((name) => name === '*' || name.toLowerCase() === key.toLowerCase());
  if (value === null || isIgnored || speaksOfList(key, value)) return { kind: 'skipped', position, reason };
  return {
    kind: 'gap',
    what: position,
    reason: worded`it is not an object; if it is not a group of hosts, name ${{ member: key }} in ignored_members`,
  };
}

interface Membership {
  readonly position: string;
  /** Those of the group, at this key. */
  readonly variables: JsonValue;
  readonly key: string;
  readonly own: JsonValue;
}

/** A host with what one more group says of it. Without all of its variables it would lose labels. */
function inGroup(known: GroupedHost | undefined, { variables, own, position, key }: Membership): GroupedHost {
  const ofGroup = isJsonObject(variables) ? undefined : worded`its ${{ member: shown(key) }} is not an object`;
  const ofHost = own === null || isJsonObject(own) ? undefined : phrase`is not an object`;
  return {
    position: known?.position ?? position,
    members: { ...known?.members, ...membersOf(variables), ...membersOf(own) },
    fault: known?.fault ?? ofGroup ?? ofHost,
  };
}

function membersOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * A list of names, one name, or an object of hosts with variables of their own, as inventories of Ansible have it. The name is
 * `undefined` if it is not a text.
 */
function* hostsOf(
  value: JsonValue | undefined,
): Generator<readonly [name: string | undefined, own: JsonValue | undefined]> {
  if (value === undefined || value === null) return;
  if (isJsonObject(value)) yield* Object.entries(value);
  else for (const name of isList(value) ? value : [value]) yield [nameText(name), {}];
}

function nameText(name: JsonValue): string | undefined {
  if (name === null) return '';
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}
