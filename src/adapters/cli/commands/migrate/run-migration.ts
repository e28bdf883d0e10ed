import { setAccount } from '../../../../app/accounts/operations/set-account.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { shellWord } from '../../../../kit/words/escape.ts';
import { askSecret } from '../../ask-secret.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';
import { canAsk } from '../../secrets.ts';
import { importRulesCommand } from '../rules/import-rules.ts';
import { checkExportCommand, type MigrationReport } from './check-export.ts';
import { compareInventoryCommand, type OtherInstallation } from './compare-inventory.ts';

export interface RunOptions extends OtherInstallation {
  readonly inventory?: string;
}

/** Check, import, passwords, compare: repeats each as often as the user confirms it. */
export async function runMigrationCommand(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  if (!canAsk(context)) return explain(context, file, options);
  const done: string[] = [];
  let report: MigrationReport | undefined;
  await step('1 of 4: check what the export would become. Nothing is stored.', async () => {
    report = await checkExportCommand(context, file, {});
    return 'checked the export';
  });
  await step('2 of 4: import the export. What is there already stays as it is.', async () => {
    await importRulesCommand(context, file, {});
    return 'imported the export';
  });
  await step('3 of 4: enter the passwords that cannot be read here.', async () => {
    const count = await enterPasswords(context, report ?? (await checkExportCommand(context, file, {})));
    return `saved ${counted(count, 'password')}`;
  });
  await step('4 of 4: compare the inventories.', async () => {
    if (options.inventory === undefined && options.url === undefined) {
      context.note('Name the other inventory by --inventory <file> or --url <url>, and run this again.');
      return 'compared nothing';
    }
    await compareInventoryCommand(context, options.inventory, options);
    return `compared the inventory ${options.provider}`;
  });
  context.note(done.length === 0 ? 'Nothing was done.' : `Done: ${done.join('; ')}.`);

  async function step(title: string, run: () => Promise<string>): Promise<void> {
    context.note(`\nStep ${title}`);
    let question = 'Do it?';
    while (await context.ask(question)) {
      // Each step reports the problems it finds; later steps may fix them.
      context.exitCode = EXIT.done;
      done.push(await run());
      question = 'Do it again?';
    }
  }
}

/** Asks for the password of each account; returns the number entered. */
async function enterPasswords(context: CommandContext, { secrets }: MigrationReport): Promise<number> {
  let count = 0;
  for (const { rule_type, name, state } of secrets) {
    if (state === 'reset' || state === 'missing') context.note(`Set it by: muster user passwd ${shellWord(name)}`);
    else if (state === 'enter' && rule_type === 'accounts') {
      const password = await askSecret(context.terminal, `Password of account ${name} (empty: later)`);
      if (password === '') continue;
      await context.value(setAccount, { name, settings: {}, password });
      count++;
    } else if (state === 'enter') context.note(`Enter the password of ${rule_type} "${name}" on its page.`);
  }
  return count;
}

/** Prints the commands instead, because there is no terminal to ask on. */
async function explain(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  const path = shellWord(file);
  const other =
    options.url === undefined ? shellWord(options.inventory ?? 'old.json') : `--url ${shellWord(options.url)}`;
  const user = options.user === undefined ? '' : ` --user ${shellWord(options.user)} --password-stdin`;
  const commands = [
    `muster migrate check ${path}`,
    `muster rules import ${path}`,
    'muster account set <name> --password-stdin',
    `muster migrate compare ${other}${options.url === undefined ? '' : user} --provider ${shellWord(options.provider)}`,
  ];
  context.note(
    'There is no terminal to ask at. Run these one after the other; the third for each account that the first names:',
  );
  await context.result(commands.map((command) => `${command}\n`).join(''));
}
