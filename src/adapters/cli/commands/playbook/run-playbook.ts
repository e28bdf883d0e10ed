import { runPlaybook } from '../../../../app/playbooks/operations/run-playbook.ts';
import { printable, printableLines } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';

interface RunOptions {
  readonly host?: string;
  readonly search?: string;
  readonly group?: string;
  readonly provider?: string;
  readonly check?: true;
  readonly extraVars?: string;
  readonly json?: true;
}

export async function runPlaybookCommand(
  context: CommandContext,
  playbook: string,
  options: RunOptions,
): Promise<void> {
  const { host, search, group, provider, check, extraVars, json } = options;
  const show = outputOf(context, json === true);
  const input = {
    playbook,
    check_mode: check === true,
    ...(host === undefined ? {} : { host }),
    ...(search === undefined ? {} : { search }),
    ...(group === undefined ? {} : { group }),
    ...(provider === undefined ? {} : { provider }),
    ...(extraVars === undefined ? {} : { extra_vars: extraVars }),
  };
  const run = await context.value(runPlaybook, input, { progress: ({ output }) => show.add(output ?? '') });
  await show.done();
  if (json) await context.json(run);
  if (run.status === 'succeeded') return;
  context.exitCode = context.terminal.signal.aborted ? EXIT.cancelled : EXIT.failed;
  context.note(
    context.noteColours.red(printable(`muster: ${run.playbook} ${run.status}: ${run.message}; run ${run.id}`)),
  );
}

/** The output of a playbook comes from machines, so nothing in it reaches the terminal as a command. */
function outputOf(context: CommandContext, toErrors: boolean): { add(text: string): void; done(): Promise<void> } {
  let writing = Promise.resolve();
  return {
    add(text) {
      const shown = printableLines(text);
      if (toErrors) context.terminal.stderr.write(shown);
      else writing = writing.then(() => context.result(shown));
    },
    done: () => writing,
  };
}
