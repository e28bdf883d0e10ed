import { Argument, type Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

const INSTALL = {
  bash: 'muster completion bash > ~/.local/share/bash-completion/completions/muster',
  zsh: `muster completion zsh > "\${fpath[1]}/_muster"`,
  fish: 'muster completion fish > ~/.config/fish/completions/muster.fish',
} as const;

/** `muster completion` */
export function defineCompletion(command: Command, context: CommandContext): void {
  command
    .description(
      'Print a script with which a shell completes commands, options and their values when you press Tab. It asks the program itself, so it need not be printed again after an update.',
    )
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(Object.keys(INSTALL)))
    .addHelpText('after', examples('source <(muster completion bash)', ...Object.values(INSTALL)))
    .action(async (shell: keyof typeof INSTALL) => {
      const { SCRIPTS } = await import('./completion/scripts.ts');
      await context.result(SCRIPTS[shell]);
    });
}

/** `muster complete`, which those scripts call. */
export function defineComplete(command: Command, context: CommandContext): void {
  command
    .description('Print possible completions of the last word, each with a tab and a description.')
    .argument('[words...]', 'what is written so far, without the name of the program')
    .addHelpText('after', examples('muster complete -- host li'))
    .action(async (words: readonly string[]) => {
      const { choicesFor } = await import('./completion/choices.ts');
      const choices = await choicesFor(words, context);
      await context.result(choices.map(({ word, summary }) => `${word}\t${summary}\n`).join(''));
    });
}
