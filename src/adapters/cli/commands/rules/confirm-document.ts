import { confirmRule } from '../../../../app/rules/operations/confirm-rule.ts';
import { listWaiting } from '../../../../app/rules/operations/list-waiting.ts';
import { ruleHistory } from '../../../../app/rules/operations/rule-history.ts';
import { showRule } from '../../../../app/rules/operations/show-rule.ts';
import { printable } from '../../../../kit/words/escape.ts';
import { indentedTree } from '../../../../kit/words/fields.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { canAsk } from '../../secrets.ts';

interface ConfirmOptions {
  /** The version that the person has read. */
  readonly ifVersion?: number;
  readonly yes?: true;
  readonly json?: true;
}

/** More than wait anywhere. */
const MOST_WAITING = 1000;

type Shown = Awaited<ReturnType<typeof showRule.run>>;

/** Confirms exactly the document shown, even if it changes in the meantime. */
export async function confirmDocument(
  context: CommandContext,
  type: string,
  name: string,
  { ifVersion, yes, json }: ConfirmOptions,
): Promise<void> {
  const shown = await context.value(showRule, { rule_type: type, rule: name });
  if (ifVersion !== undefined && ifVersion !== shown.version) {
    throw new AppError(
      'conflict',
      `${shown.rule_type} ${shown.name} is version ${shown.version} now, and not ${ifVersion}; read it again before it is confirmed`,
    );
  }
  const isAsked = yes !== true && canAsk(context);
  // Read before the confirmation, because a waiting document is listed with what it fills in other documents.
  const text = await documentText(context, shown);
  if (isAsked) {
    context.note(text);
    await requireYes(context, shown);
  }
  // Callers that name a version have read the document: by now its name may belong to another one.
  const rule = isAsked || ifVersion === undefined ? shown.id : name;
  const answer = await context.value(confirmRule, {
    rule_type: shown.rule_type,
    rule,
    version: shown.version,
  });
  if (json) return context.json({ ...answer, document: shown.document });
  if (!isAsked) context.note(text);
  context.note(`${titleOf(shown)} is confirmed.`);
}

async function requireYes(context: CommandContext, shown: Shown): Promise<void> {
  if (await context.ask(printable(`Confirm ${titleOf(shown)}?`))) return;
  throw new AppError('failed', 'nothing was confirmed');
}

/** Shows everything that is vouched for: the author, the document, and what it makes the machine do. Secrets are masked. */
async function documentText(context: CommandContext, shown: Shown): Promise<string> {
  const { rule_type, id, document } = shown;
  const { waiting } = await context.value(listWaiting, { limit: MOST_WAITING });
  const acts = waiting.find((one) => one.rule_type === rule_type && one.id === id)?.acts ?? shown.acts;
  const { versions } = await context.value(ruleHistory, { rule_type, rule: id, limit: 1 });
  const { noteColours: colours } = context;
  const lines = [colours.bold(printable(titleOf(shown)))];
  for (const { time, by } of versions) lines.push(`written ${momentText(time)} UTC by ${printable(by)}`);
  lines.push(indentedTree(document, colours, '  ').trimEnd());
  lines.push(printable(`It ${acts.length === 0 ? 'makes the machine do nothing by itself' : acts.join(', ')}.`));
  return lines.join('\n');
}

function titleOf({ rule_type, name, version }: Shown): string {
  return `${rule_type} ${name}, version ${version}`;
}
