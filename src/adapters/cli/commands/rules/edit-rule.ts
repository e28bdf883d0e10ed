import { saveRule } from '../../../../app/rules/operations/save-rule.ts';
import { showRule } from '../../../../app/rules/operations/show-rule.ts';
import { changesBetween } from '../../../../kit/json/document-diff.ts';
import { isJsonObject } from '../../../../kit/json/json-object.ts';
import { MASK } from '../../../../kit/masking/secret-mask.ts';
import { changeLine } from '../../../../kit/words/changes.ts';
import { printable } from '../../../../kit/words/escape.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../../ports/json.ts';
import type { CommandContext } from '../../context.ts';
import { editText } from '../../edit-text.ts';
import { canAsk } from '../../secrets.ts';
import { asWritten } from './folder/references.ts';
import { documentText, TextFault, textDocuments } from './folder/yaml-text.ts';

interface EditOptions {
  readonly yes?: true;
  readonly json?: true;
}

type Shown = Awaited<ReturnType<typeof showRule.run>>;

/** `muster rules show`: the document as a folder of rules holds it. */
export async function showRuleCommand(
  context: CommandContext,
  type: string,
  rule: string,
  { json }: { readonly json?: true },
): Promise<void> {
  const shown = await context.value(showRule, { rule_type: type, rule });
  if (json) return context.json(shown);
  await context.result(textOf(shown));
  const { noteColours: colours } = context;
  for (const { path, message } of shown.problems)
    context.note(colours.yellow(`cannot work: ${path === '' ? '' : `${path}: `}${message}`));
  if (shown.waits.length > 0) context.note(colours.yellow(`waits for an administrator: it ${shown.waits.join(', ')}`));
}

/** `muster rules edit`: a version that cannot be stored stays in the edited file. */
export async function editRuleCommand(
  context: CommandContext,
  type: string,
  rule: string,
  options: EditOptions,
): Promise<void> {
  const shown = await context.value(showRule, { rule_type: type, rule });
  await editText(context, { file: 'rule.yaml', text: textOf(shown) }, (after) =>
    save(context, shown, editedDocument(after, shown), options),
  );
}

async function save(
  context: CommandContext,
  shown: Shown,
  document: JsonObject,
  { yes, json }: EditOptions,
): Promise<void> {
  const { rule_type, name, version } = shown;
  const changes = changesBetween(shown.document, document);
  for (const change of changes) context.note(changeLine(change, context.noteColours));
  if (changes.length === 0) return context.note('Nothing was changed.');
  if (yes !== true && canAsk(context)) {
    if (!(await context.ask(printable(`Save ${rule_type} ${name}?`)))) {
      throw new AppError('failed', 'nothing was saved');
    }
  }
  const saved = await context.value(saveRule, { rule_type, document, version });
  for (const { path, message } of saved.warnings)
    context.note(context.noteColours.yellow(`warning: ${path}: ${message}`));
  if (json) await context.json(saved);
  else context.note(`Saved ${rule_type} ${name}, version ${saved.version}.`);
}

function textOf({ rule_type, document }: Shown): string {
  return documentText({ rule_type, rules: [asWritten(withStored(document))] }).text;
}

function withStored(value: JsonValue): JsonValue {
  if (value === MASK) return { $stored: true };
  if (Array.isArray(value)) return value.map((item: JsonValue) => withStored(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStored(member)]));
}

/** Turns the placeholder of a stored secret back into its mask. */
function withMasks(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withMasks(item));
  if (!isJsonObject(value)) return value;
  const [only, ...others] = Object.entries(value);
  if (only !== undefined && others.length === 0) {
    if (only[0] === 'stored' && only[1] === true) return MASK;
    if (only[0] === 'literal') return only[1];
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMasks(member)]));
}

function editedDocument(text: string, { rule_type }: Shown): JsonObject {
  const [first, ...others] = read(text);
  const { rule_type: type, rules } = isJsonObject(first ?? null) ? (first as JsonObject) : {};
  const document = Array.isArray(rules) && rules.length === 1 ? (rules[0] as JsonValue) : undefined;
  if (others.length > 0 || type !== rule_type || document === undefined || !isJsonObject(document)) {
    throw new AppError('invalid_input', `the text must be {rule_type: ${rule_type}, rules: [one document]}`);
  }
  return withMasks(document) as JsonObject;
}

function read(text: string): readonly JsonValue[] {
  try {
    return textDocuments(text).map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw new AppError('invalid_input', `line ${error.line}: ${error.message}`);
  }
}
