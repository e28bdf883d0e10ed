import {
  documentPlace,
  type ErrorDetail,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
} from '../../../ports/index.ts';
import { secretTexts } from '../secrets/secret-members.ts';
import { secretPaths } from '../secrets/secret-paths.ts';
import type { RuleServices } from '../services.ts';
import { clearName, type ResolvedDocument } from './secret-references.ts';

const IN_CLEAR =
  'is a secret in clear text, which a folder must not hold: say where it is, as {env: NAME} or {file: path}, or leave it out to keep what is stored';
const NOT_SECRET =
  'is read as a secret, and the member is not kept as one: it would be stored and shown in clear. Write the value itself, or mark the option as secret';

/**
 * A document as it will be stored. A secret that is stored already keeps its encrypted text, so that a document which says nothing new
 * is the stored one to the letter.
 */
export async function preparedDocument(
  { secrets, passwords, plugins }: RuleServices,
  { type, id, record }: { readonly type: RuleType; readonly id: string; readonly record: RuleRecord | undefined },
  { document, given }: ResolvedDocument,
): Promise<{ readonly document: RuleDocument; readonly problems: readonly ErrorDetail[] }> {
  const problems: ErrorDetail[] = [];
  const before = record?.document.value;
  const stored = new Map(
    before === undefined
      ? []
      : secretTexts(before, secretPaths(type, before)).map(({ member, text }) => [member, text] as const),
  );

  async function seal(plain: string, member: string): Promise<string> {
    if (!given.has(plain)) problems.push({ path: clearName(member), message: IN_CLEAR });
    const place = documentPlace(type.id, id, member);
    const text = stored.get(member);
    const isSame = text !== undefined && (await secrets.open(text, place).catch(() => undefined)) === plain;
    return isSame ? text : secrets.seal(plain, place);
  }

  const prepared =
    (await type.prepare?.(document, {
      existing: before,
      seal,
      hashPassword: (password) => passwords.hash(password),
      isSecretOption: (accountType, option) => plugins.isSecretOption(accountType, option),
    })) ?? document;
  for (const { member, path, text } of secretTexts(prepared, secretPaths(type, prepared))) {
    const isKept = text === '' || secrets.placeOf(text) !== undefined || stored.get(member) === text;
    if (!isKept && !given.has(text)) problems.push({ path, message: IN_CLEAR });
  }
  for (const path of pathsOf(prepared, given, '')) problems.push({ path, message: NOT_SECRET });
  return { document: prepared, problems };
}

/** Where one of the texts stands as it is. */
function pathsOf(value: unknown, texts: ReadonlySet<string>, path: string): readonly string[] {
  if (typeof value === 'string') return texts.has(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, texts, path === '' ? name : `${path}.${name}`),
  );
}
