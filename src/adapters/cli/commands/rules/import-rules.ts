import type { Column } from '../../../../app/kernel/print.ts';
import { importRules } from '../../../../app/rules/operations/import-rules.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';
import { valueText } from '../../../../kit/words/json.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { readRulesContent } from '../../rules-content.ts';
import { UsageError } from '../../usage-error.ts';

interface ImportOptions {
  readonly json?: true;
  readonly override?: true;
  readonly leave?: readonly string[];
  readonly dryRun?: true;
  readonly skipBroken?: true;
  readonly confirm?: true;
  readonly fireExisting?: true;
  readonly type?: string;
}

type Answer = Awaited<ReturnType<typeof importRules.run>>;
type Problem = Answer['details'][number];

export async function importRulesCommand(context: CommandContext, file: string, options: ImportOptions): Promise<void> {
  const skip_broken = options.skipBroken === true;
  const content = readRulesContent(await readInput(file, context.terminal), {
    file,
    type: options.type,
    skipBroken: skip_broken,
  });
  const answer = await context.longValue('Importing rules', importRules, {
    ...content,
    override: options.override === true,
    leave: (options.leave ?? []).map(ruleNamed),
    dry_run: options.dryRun === true,
    skip_broken,
    confirm: options.confirm === true,
    fire_existing_matches: options.fireExisting === true,
  });
  if (options.json) await context.json(answer);
  else await context.table(countsOf(answer), COLUMNS, 'The file holds no rules.');
  if (!options.json) for (const change of answer.changes ?? []) context.note(changeText(change));
  const different = sum(Object.values(answer.different));
  if (different > 0 && !options.override) {
    const stays =
      different === 1
        ? '1 rule differs from what is here, which stays as it is; --override takes that of the file'
        : `${different} rules differ from what is here, which stays as it is; --override takes those of the file`;
    context.note(context.noteColours.yellow(stays));
    if (!options.json) for (const one of answer.differing ?? []) context.note(differenceText(one));
  }
  for (const [type, count] of Object.entries(answer.kept ?? {})) {
    const waits = answer.waits_for?.[type] ?? '';
    const text = `${type}: ${counted(count, 'new document')} ${options.dryRun ? 'would be stored' : 'stored'} without effect; they ${waits}`;
    context.note(context.noteColours.yellow(printable(`kept: ${text}`)));
  }
  for (const warning of answer.warnings) context.note(context.noteColours.yellow(`warning: ${problemText(warning)}`));
  for (const problem of answer.cannot_work ?? [])
    context.note(context.noteColours.yellow(`cannot work: ${problemText(problem)}`));
  for (const problem of answer.details) context.note(context.noteColours.red(`invalid: ${problemText(problem)}`));
  const headless = answer.details.filter(({ rule_type }) => rule_type === '').length;
  const invalid = sum(Object.values(answer.invalid)) + headless;
  if (invalid > 0) {
    context.note(
      `muster: ${counted(invalid, 'rule')} ${invalid === 1 ? 'is' : 'are'} invalid and ${options.dryRun ? 'would not be' : 'not'} stored`,
    );
    context.failed();
  } else if (options.dryRun) {
    context.note('Nothing was written.');
  }
}

/** `custom_attributes/Core data centres`: names may have slashes, types have none. */
function ruleNamed(text: string): { readonly rule_type: string; readonly name: string } {
  const end = text.indexOf('/');
  if (end < 1) {
    throw new UsageError(
      `--leave needs the type of the rule and its name, such as "custom_attributes/Core sites", and not ${JSON.stringify(text)}`,
    );
  }
  return { rule_type: text.slice(0, end), name: text.slice(end + 1) };
}

interface Counts {
  readonly type: string;
  readonly imported: number;
  readonly duplicate: number;
  readonly invalid: number;
  readonly same: number;
  readonly different: number;
}

function countsOf(answer: Answer): readonly Counts[] {
  return Object.keys(answer.duplicate).map((type) => ({
    type,
    imported: answer.imported[type] ?? answer.kept?.[type] ?? 0,
    duplicate: answer.duplicate[type] ?? 0,
    invalid: answer.invalid[type] ?? 0,
    same: answer.same[type] ?? 0,
    different: answer.different[type] ?? 0,
  }));
}

const COLUMNS: readonly Column<Counts>[] = [
  { header: 'type', value: (counts) => counts.type },
  { header: 'imported', align: 'right', value: (counts) => String(counts.imported) },
  { header: 'duplicate', align: 'right', value: (counts) => String(counts.duplicate) },
  {
    header: 'invalid',
    align: 'right',
    value: (counts) => String(counts.invalid),
    paint: (text, counts, colours) => (counts.invalid > 0 ? colours.red(text) : text),
  },
  { header: 'same', align: 'right', value: (counts) => String(counts.same) },
  {
    header: 'differs',
    align: 'right',
    value: (counts) => String(counts.different),
    paint: (text, counts, colours) => (counts.different > 0 ? colours.yellow(text) : text),
  },
];

function problemText(problem: Problem): string {
  const place = problem.line === undefined ? `number ${problem.index}` : `line ${problem.line}`;
  const name = problem.name === '' ? place : `"${problem.name}"`;
  const path = problem.path === '' ? '' : `${problem.path}: `;
  return printable(`${`${problem.rule_type} `.trimStart()}${name}: ${path}${problem.message}`);
}

function changeText({ rule_type, name, change, changes }: NonNullable<Answer['changes']>[number]): string {
  const head = printable(`${change === 'new' ? 'would add' : 'would change'} ${rule_type} "${name}"`);
  return [head, ...changeLines(changes)].join('\n');
}

/** Describes a document that exists here and stays, by its differences from the file. */
function differenceText({ rule_type, name, changes }: NonNullable<Answer['differing']>[number]): string {
  const lines = changes.length === 0 ? ['  only in secrets'] : changeLines(changes);
  return [printable(`differs: ${rule_type} "${name}"`), ...lines].join('\n');
}

function changeLines(changes: NonNullable<Answer['changes']>[number]['changes']): readonly string[] {
  return changes.map(({ path, before, after }) =>
    printable(
      `  ${path}: ${before === undefined ? 'nothing' : valueText(before)} → ${after === undefined ? 'nothing' : valueText(after)}`,
    ),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
