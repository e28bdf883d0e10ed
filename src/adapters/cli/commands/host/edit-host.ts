import { isDeepStrictEqual } from 'node:util';
import { saveHost } from '../../../../app/hosts/operations/save-host.ts';
import { showHost } from '../../../../app/hosts/operations/show-host.ts';
import { changesBetween } from '../../../../kit/json/document-diff.ts';
import { isJsonObject } from '../../../../kit/json/json-object.ts';
import { changeLine } from '../../../../kit/words/changes.ts';
import { shellWord } from '../../../../kit/words/escape.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { JsonObject } from '../../../../ports/json.ts';
import { confirmed } from '../../confirmed.ts';
import type { CommandContext } from '../../context.ts';
import { editText } from '../../edit-text.ts';
import type { Pairs } from '../../option-values.ts';
import { documentText, TextFault, textDocuments } from '../rules/folder/yaml-text.ts';
import { labelOf } from './label-option.ts';

interface EditHostOptions {
  readonly set?: Pairs;
  readonly unset?: readonly string[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

type Shown = Awaited<ReturnType<typeof showHost.run>>;

/** `muster host edit`: by options, or in an editor; never overwrites changes that others made in the meantime. */
export async function editHostCommand(
  context: CommandContext,
  hostname: string,
  options: EditHostOptions,
): Promise<void> {
  const shown = await context.value(showHost, { hostname });
  const account = writableAccount(shown);
  const before = shown.own_labels as JsonObject;
  const save = (labels: JsonObject) => saveLabels(context, { hostname, account, before, labels }, options);
  if (options.set !== undefined || options.unset !== undefined) return save(changedBy(before, options));
  const { text, extension } = documentText({ labels: before });
  await editText(context, { file: `labels.${extension}`, text }, (after) => save(editedLabels(after)));
}

function writableAccount({ hostname, account, archived }: Shown): string {
  if (archived !== null) {
    throw new AppError(
      'archived',
      `${hostname} is archived; restore it with "muster host restore ${shellWord(hostname)}"`,
    );
  }
  if (account === null) throw new AppError('failed', `${hostname} has no account, so its labels cannot be edited`);
  if (account.type === 'api') return account.name;
  throw new AppError(
    'failed',
    `the labels of ${hostname} come from account ${account.name}; change them in its source, or add to them with a rule`,
  );
}

function changedBy(before: JsonObject, { set = [], unset = [] }: EditHostOptions): JsonObject {
  const kept = Object.entries(before).filter(([name]) => !unset.includes(name));
  return Object.fromEntries([...kept, ...set.map((pair) => labelOf('--set', pair))]);
}

function editedLabels(text: string): JsonObject {
  const [first, ...others] = read(text);
  const document = first?.value ?? null;
  const labels = isJsonObject(document) ? document.labels : undefined;
  if (others.length > 0 || labels === undefined || !isJsonObject(labels)) {
    throw new AppError('invalid_input', 'the text must be labels: and below it one name and value a line');
  }
  return labels;
}

function read(text: string): ReturnType<typeof textDocuments> {
  try {
    return textDocuments(text);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw new AppError('invalid_input', `line ${error.line}: ${error.message}`);
  }
}

interface LabelEdit {
  readonly hostname: string;
  readonly account: string;
  readonly before: JsonObject;
  readonly labels: JsonObject;
}

async function saveLabels(
  context: CommandContext,
  { hostname, account, before, labels }: LabelEdit,
  { dryRun, yes, json }: EditHostOptions,
): Promise<void> {
  const changes = changesBetween(before, labels);
  const answer = { hostname, changes };
  if (changes.length === 0 && isDeepStrictEqual(before, labels)) {
    if (json) await context.json({ ...answer, status: 'unchanged' });
    else context.note('Nothing was changed.');
    return;
  }
  for (const change of changes) context.note(changeLine(change, context.noteColours));
  if (dryRun) {
    if (json) await context.json({ ...answer, status: 'preview' });
    else context.note('Nothing was changed.');
    return;
  }
  const question = `Save the labels of ${hostname}?`;
  await confirmed(context, { question, what: `the labels of ${hostname} would change`, yes });
  await context.value(saveHost, { hostname, account, labels, before });
  if (json) await context.json({ ...answer, status: 'saved' });
  else context.note(`Saved ${hostname}.`);
}
