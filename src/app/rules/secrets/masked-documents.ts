import { memberText, ownMember } from '../../../kit/document/members.ts';
import { maskSecrets } from '../../../kit/json/document-diff.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { memberPath, namesOfPath } from '../../../kit/json/member-path.ts';
import { MASK } from '../../../kit/masking/secret-mask.ts';
import type { ErrorDetail, JsonObject, JsonValue, RuleDocument, RuleType } from '../../../ports/index.ts';
import { secretPaths } from './secret-paths.ts';

/** The document as people may see it: secrets are masked. */
export function maskedDocument(type: RuleType, document: RuleDocument): RuleDocument {
  const paths = secretPaths(type, document);
  return paths.length === 0 ? document : maskSecrets(document, paths);
}

/**
 * A document that was edited as it was shown, with the stored secrets back in the place of their masks. A mask without a
 * stored secret is a problem: it must never be taken for the secret itself.
 */
export function unmaskedDocument(
  type: RuleType,
  edited: RuleDocument,
  stored: RuleDocument | undefined,
): { readonly document: RuleDocument; readonly problems: readonly ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const paths = new Set([...secretPaths(type, edited), ...(stored === undefined ? [] : secretPaths(type, stored))]);
  const document = [...paths].reduce<JsonValue>(
    (value, path) => restore(value, stored, namesOfPath(path), '', problems),
    edited,
  );
  return { document: document as RuleDocument, problems };
}

function restore(
  value: JsonValue,
  stored: JsonValue | undefined,
  path: readonly string[],
  place: string,
  problems: ErrorDetail[],
): JsonValue {
  if (Array.isArray(value)) {
    const partnerOf = partners(Array.isArray(stored) ? stored : [], path);
    return value.map((item: JsonValue, index) =>
      restore(item, partnerOf(item), path, place === '' ? String(index) : `${place}.${index}`, problems),
    );
  }
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const member = value[name] as JsonValue;
  const before = isJsonObject(stored) ? ownMember(stored, name) : undefined;
  const inner = place === '' ? name : `${place}.${name}`;
  const restored = rest.length > 0 ? restore(member, before, rest, inner, problems) : secretOf(member, before, inner);
  return Object.fromEntries(Object.entries(value).map(([key, kept]) => [key, key === name ? restored : kept]));

  function secretOf(shown: JsonValue, secret: JsonValue | undefined, where: string): JsonValue {
    if (shown !== MASK) return shown;
    if (secret !== undefined) return secret;
    problems.push({ path: where, message: 'is masked and there is no secret to keep; enter it, or remove the member' });
    return shown;
  }
}

/** Which stored element an edited one was: the one that is shown the same, else the one of the same name. */
function partners(stored: readonly JsonValue[], path: readonly string[]): (item: JsonValue) => JsonValue | undefined {
  const left = stored.map((item) => ({ item, shown: JSON.stringify(maskedItem(item, path)) }));
  return (item) => {
    const text = JSON.stringify(maskedItem(item, path));
    const index = left.findIndex((candidate) => candidate.shown === text);
    if (index >= 0) return left.splice(index, 1)[0]?.item;
    const name = isJsonObject(item) ? memberText(item, 'name') : '';
    if (name === '') return undefined;
    return stored.find((candidate) => isJsonObject(candidate) && memberText(candidate, 'name') === name);
  };
}

function maskedItem(item: JsonValue, path: readonly string[]): JsonValue {
  return isJsonObject(item) ? maskSecrets(item as JsonObject, [memberPath(path)]) : item;
}
