import { memberText } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { namesOfPath } from '../../kit/json/member-path.ts';
import type { ErrorDetail, JsonObject, JsonValue, RuleDocument, RuleType } from '../../ports/index.ts';
import { secretPaths } from '../rules/secrets/secret-paths.ts';

/**
 * Secrets of a folder are not kept in its files. `{"$secret": "…"}` has the text that the sender of the documents read from the place
 * named in a file; `{"$stored": true}` stands for the secret that is stored.
 */
export const SECRET = '$secret';
export const STORED = '$stored';

const NOT_STORED =
  'there is no stored secret that it could stand for; say where it is, as {env: NAME} or {file: path}, or leave the member out';

export interface ResolvedDocument {
  readonly document: RuleDocument;
  /** The secrets that were read where the folder says they are. */
  readonly given: ReadonlySet<string>;
  readonly problems: readonly ErrorDetail[];
}

/** The document with secrets in the place of what stands for them. Secrets that it says nothing of stay as they are stored. */
export function withSecrets(
  type: RuleType,
  document: RuleDocument,
  stored: RuleDocument | undefined,
): ResolvedDocument {
  const given = new Set<string>();
  const opened = withGiven(document, given) as RuleDocument;
  const paths = new Set([...secretPaths(type, opened), ...(stored === undefined ? [] : secretPaths(type, stored))]);
  const resolved = [...paths].reduce<JsonValue>((value, path) => withStored(value, stored, namesOfPath(path)), opened);
  const problems: ErrorDetail[] = [];
  collectUnresolved(resolved, '', problems);
  return { document: resolved as RuleDocument, given, problems };
}

/** The document as a folder holds it: what is secret is said to be stored. */
export function withoutSecrets(type: RuleType, document: RuleDocument): RuleDocument {
  return secretPaths(type, document).reduce<JsonValue>(
    (value, path) => hidden(value, namesOfPath(path)),
    document,
  ) as RuleDocument;
}

/** The member that holds a secret in clear, by the one that holds it encrypted. */
export function clearName(member: string): string {
  return member.replace(/_crypted$/, '');
}

function withGiven(value: JsonValue, given: Set<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withGiven(item, given));
  if (!isJsonObject(value)) return value;
  const { [SECRET]: secret, ...others } = value;
  if (typeof secret === 'string' && Object.keys(others).length === 0) {
    given.add(secret);
    return secret;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withGiven(member, given)]));
}

function isStored(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && value[STORED] === true && Object.keys(value).length === 1;
}

function withStored(value: JsonValue, stored: JsonValue | undefined, path: readonly string[]): JsonValue {
  if (Array.isArray(value)) {
    const partner = partnersOf(Array.isArray(stored) ? stored : []);
    return value.map((item: JsonValue, index) => withStored(item, partner(item, index), path));
  }
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value)) return value;
  const before = isJsonObject(stored) && Object.hasOwn(stored, name) ? stored[name] : undefined;
  if (rest.length > 0) {
    const member = value[name];
    return member === undefined ? value : replaced(value, name, name, withStored(member, before, rest));
  }
  if (before === undefined) return value;
  const clear = clearName(name);
  const asking = [name, clear].find((member) => isStored(value[member]));
  if (asking !== undefined) return replaced(value, asking, name, before);
  return Object.hasOwn(value, name) || Object.hasOwn(value, clear) ? value : { ...value, [name]: before };
}

/** Elements of lists are known by their name, of several of a name by their turn, and without one by their place. */
function partnersOf(stored: readonly JsonValue[]): (item: JsonValue, index: number) => JsonValue | undefined {
  const left = new Map<string, JsonValue[]>();
  for (const item of stored) {
    const name = nameOf(item);
    if (name !== '') left.set(name, [...(left.get(name) ?? []), item]);
  }
  return (item, index) => {
    const name = nameOf(item);
    return name === '' ? stored[index] : left.get(name)?.shift();
  };
}

function nameOf(item: JsonValue): string {
  return isJsonObject(item) ? memberText(item, 'name') : '';
}

function replaced(object: JsonObject, member: string, name: string, value: JsonValue): JsonObject {
  const kept = Object.entries(object).filter(([key]) => key === member || key !== name);
  return Object.fromEntries(kept.map(([key, old]) => (key === member ? [name, value] : [key, old])));
}

function hidden(value: JsonValue, path: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => hidden(item, path));
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value)) return value;
  const member = value[name];
  if (member === undefined || member === null || member === '' || isStored(member)) return value;
  if (rest.length > 0) return replaced(value, name, name, hidden(member, rest));
  return replaced(value, name, clearName(name), { [STORED]: true });
}

function collectUnresolved(value: JsonValue, path: string, problems: ErrorDetail[]): void {
  if (isStored(value)) problems.push({ path, message: NOT_STORED });
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectUnresolved(item, inner(path, String(index)), problems);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) collectUnresolved(member, inner(path, name), problems);
  }
}

function inner(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
