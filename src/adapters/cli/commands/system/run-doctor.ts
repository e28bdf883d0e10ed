import { runDoctor } from '../../../../app/maintenance/operations/run-doctor.ts';
import { counted } from '../../../../app/words/amounts.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

type Finding = Awaited<ReturnType<typeof runDoctor.run>>['findings'][number];

export async function runDoctorCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  context.start = 'tried';
  const { startFailure } = await context.app();
  const answer = await context.value(
    runDoctor,
    startFailure === undefined ? {} : { start_failure: startFailure.message },
  );
  if (options.json) await context.json(answer);
  else await context.table(answer.findings, COLUMNS, 'Nothing was checked.');
  if (answer.ok) return;
  const wrong = answer.findings.filter(({ ok }) => !ok).length;
  context.note(`muster: ${counted(wrong, 'check')} failed`);
  context.failed();
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    header: '',
    value: ({ ok, warning }) => (!ok ? '✗' : warning ? '!' : '✓'),
    paint: (text, { ok, warning }, colours) =>
      !ok ? colours.red(text) : warning ? colours.yellow(text) : colours.green(text),
  },
  { header: 'check', value: (finding) => finding.check },
  { header: 'finding', value: (finding) => finding.message, shrink: true },
];
