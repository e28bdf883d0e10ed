import { counted, grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { checkExport } from '../operations/check-export.ts';
import { jobText, SECRET_WORDS, type SecretState } from '../words.ts';

type Report = Awaited<ReturnType<typeof checkExport.run>>;

/** Names that a line takes; `--json` has all of them. */
const NAMED = 5;

/** Prints the result that an import of an export would have, in sections; empty ones are left out. */
export async function migrationReportView(report: Report, print: Print): Promise<void> {
  await print.table(typesOf(report), TYPES, 'The export holds no documents.');
  await section(print, 'Refused', refused(report, print));
  await section(print, 'Kept, and cannot work here', cannotWork(report, print));
  await section(print, 'Imported, and to be looked at', warnings(report, print));
  await section(print, 'Different here', differences(report, print));
  await section(print, 'Secrets', secrets(report, print));
  await section(print, 'Jobs', jobs(report, print));
  await section(print, 'Users who reach more or less', users(report));
}

/** Fails when documents are refused: all others can be imported. */
export function migrationReportOutcome(report: Report, print: Print): void {
  const invalid = report.import.details.length;
  const enter = report.secrets.filter(({ state }) => state === 'enter').length;
  const failing = report.groups.flatMap((group) => group.jobs).filter(({ fails }) => fails).length;
  const { total, imported, kept = {} } = report.import;
  // The total of an import is without documents of types that nothing knows.
  const unknown = Object.entries(kept).reduce((found, [type, count]) => found + (type in imported ? 0 : count), 0);
  print.note(
    `Nothing was stored. ${counted(sum(report.documents), 'document')}, ${counted(total + unknown, 'document')} to import, ${counted(sum(kept), 'document')} of them kept without effect, ${counted(enter, 'secret')} to enter, ${counted(failing, 'job')} that would fail.`,
  );
  if (invalid === 0) return;
  print.note(print.noteColours.red(`muster: ${counted(invalid, 'problem')} in documents that an import refuses`));
  print.failed();
}

async function section(print: Print, title: string, lines: readonly string[]): Promise<void> {
  if (lines.length > 0)
    await print.result(`\n${print.colours.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

interface TypeRow {
  readonly type: string;
  readonly documents: number;
  readonly works: number;
  readonly kept: number;
  readonly present: number;
  readonly refused: number;
  readonly waits: string;
}

function typesOf({ documents, import: imported }: Report): readonly TypeRow[] {
  const resting = restingDocuments(imported.cannot_work ?? []);
  return Object.keys(imported.duplicate).map((type) => {
    const kept = imported.kept?.[type];
    const rest = Math.min(resting.get(type)?.size ?? 0, imported.imported[type] ?? 0);
    return {
      type,
      documents: documents[type] ?? 0,
      works: kept === undefined ? (imported.imported[type] ?? 0) - rest : 0,
      kept: kept ?? rest,
      present: imported.duplicate[type] ?? 0,
      refused: imported.invalid[type] ?? 0,
      waits: imported.waits_for?.[type] ?? '',
    };
  });
}

/** Which documents of each type are stored and cannot work, each once. */
function restingDocuments(problems: readonly Problem[]): ReadonlyMap<string, ReadonlySet<number>> {
  const resting = new Map<string, Set<number>>();
  for (const { rule_type, index, line } of problems) {
    const place = line ?? index;
    const known = resting.get(rule_type);
    if (known === undefined) resting.set(rule_type, new Set([place]));
    else known.add(place);
  }
  return resting;
}

const TYPES: readonly Column<TypeRow>[] = [
  { header: 'type', value: ({ type }) => type },
  { header: 'work', align: 'right', value: ({ works }) => String(works) },
  {
    header: 'kept',
    align: 'right',
    value: ({ kept }) => String(kept),
    paint: (text, { kept }, colours) => (kept > 0 ? colours.yellow(text) : text),
  },
  { header: 'there already', align: 'right', value: ({ present }) => String(present) },
  {
    header: 'refused',
    align: 'right',
    value: ({ refused: count }) => String(count),
    paint: (text, { refused: count }, colours) => (count > 0 ? colours.red(text) : text),
  },
  { header: 'kept documents', value: ({ waits }) => waits, shrink: true },
];

type Problem = Report['import']['details'][number];

function refused({ import: { details } }: Report, { colours }: Print): readonly string[] {
  return problemLines(details, colours.red('✗'));
}

function cannotWork({ import: { cannot_work = [] } }: Report, { colours }: Print): readonly string[] {
  return problemLines(cannot_work, colours.yellow('!'));
}

/** Warnings about jobs are listed with the jobs. */
function warnings({ import: imported }: Report, { colours }: Print): readonly string[] {
  const others = imported.warnings.filter(
    ({ rule_type, path }) => rule_type !== 'cron_groups' || !path.startsWith('jobs'),
  );
  return problemLines(others, colours.yellow('!'));
}

/** One line for each problem, with the documents that have it: a thousand hosts may have the same. */
function problemLines(problems: readonly Problem[], sign: string): readonly string[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.rule_type, problem.path, problem.message]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [problem]);
    else known.push(problem);
  }
  return [...groups.values()].map((group) => `${sign} ${problemText(group)}`);
}

function problemText(group: readonly Problem[]): string {
  const { rule_type, path, message } = group[0] as Problem;
  const documents = group.map(({ name, index, line }) => ({
    name: name === '' ? (index < 0 ? '' : `number ${index}`) : `"${name}"`,
    ...(line === undefined ? {} : { line }),
  }));
  const what = printable(`${path === '' ? '' : `${path} `}${message}`);
  return `${printable(rule_type)} ${namesOf(documents)}: ${what}`.trim();
}

function differences(report: Report, { colours }: Print): readonly string[] {
  return report.differences.flatMap(({ what, action, documents }) => [
    `${colours.yellow('!')} ${what}`,
    `    ${namesOf(documents)}`,
    ...documents.flatMap(({ name, message }) =>
      message === undefined ? [] : [`    ${printable(`${name}: ${message}`)}`],
    ),
    `    → ${action}`,
  ]);
}

interface NamedDocument {
  readonly name: string;
  readonly line?: number | undefined;
}

function namesOf(documents: readonly NamedDocument[]): string {
  const named = documents
    .slice(0, NAMED)
    .map(({ name, line }) => (line === undefined ? name : `${name} (line ${line})`));
  const more = documents.length > NAMED ? ` and ${grouped(documents.length - NAMED)} more` : '';
  return `${printable(named.join(', '))}${more}`;
}

/** All names of secrets that have to be entered; of the others, only their number. */
function secrets(report: Report, { colours }: Print): readonly string[] {
  return STATES.flatMap((state) => {
    const isToDo = state !== 'works' && state !== 'sealed';
    return Object.entries(TO_ENTER).flatMap(([type, command]) => {
      const found = report.secrets.filter((secret) => secret.state === state && secret.rule_type === type);
      if (found.length === 0) return [];
      const line = `${printable(type)}: ${grouped(found.length)} ${SECRET_WORDS[state]}`;
      if (!isToDo) return [`${colours.green('✓')} ${line}`];
      const names = printable(found.map(({ name }) => name).join(', '));
      return [`${colours.yellow('!')} ${line}: ${command}`, `    ${names}`];
    });
  });
}

const STATES = Object.keys(SECRET_WORDS) as SecretState[];

/** The command that enters the password of a document, by its type. */
const TO_ENTER: Readonly<Record<string, string>> = {
  accounts: 'muster account set <name> --ask-password',
  cmk_passwords: 'on the page of each',
  users: 'muster user passwd <name>',
};

function jobs(report: Report, { colours }: Print): readonly string[] {
  return report.groups.flatMap(({ name, enabled, jobs: all }) => [
    `${colours.bold(printable(name))}${enabled ? '' : ' (disabled)'}`,
    ...all.map((job) => `  ${job.fails ? colours.red('✗') : colours.green('✓')} ${printable(jobText(job))}`),
  ]);
}

function users(report: Report): readonly string[] {
  return report.users.flatMap(({ name, reasons }) => reasons.map((reason) => printable(`${name}: ${reason}`)));
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
