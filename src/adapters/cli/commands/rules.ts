import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { examples } from '../help.ts';
import { addListOptions } from '../list-options.ts';
import { ofFeature } from '../of-feature.ts';
import { collect, wholeNumber } from '../option-values.ts';

/** `muster rules …` */
export function defineRules(rules: Command, context: CommandContext): void {
  const list = rules
    .command('list')
    .description('List the rules of one type in the order in which they run, with what went wrong in them.')
    .summary('list the rules of one type')
    .argument('<type>', 'ident of a rule type; see "muster rules types"')
    .option('--no-errors', 'do not look for errors, which evaluates every host');
  addListOptions(list, ['sort', 'name', 'enabled', 'hits_when', 'outcomes', 'last_match', 'errors']);
  list
    .option('--json', 'answer the documents as stored, together with their problems; "rules import" reads them again')
    .addHelpText('after', examples('muster rules list custom_attributes', 'muster rules list automation_filter --json'))
    .action(context.lazily(async () => (await import('./rules/show-rules.ts')).showRules));

  rules
    .command('import')
    .description(
      'Import rules from an export, from JSON of one type ({"rule_type", "rules"}) or from JSON lines; the content decides which. Invalid rules are listed and left out, and the exit code is 1 then.',
    )
    .summary('import rules from a file')
    .argument('<file>', 'file to read; - reads the standard input')
    .option('--override', 'replace rules that exist by the same id or name')
    .option('--leave <type/name>', 'with --override: a rule that stays as it is; may be repeated', collect)
    .option('--type <type>', 'type of rules whose type the content does not say')
    .option('--dry-run', 'check, count and show what would change, write nothing')
    .option('--confirm', 'confirm what waits in the import, which you have read')
    .option('--skip-broken', 'name lines that are not JSON and go on, instead of importing nothing')
    .option(
      '--fire-existing',
      'let rules of another installation run their playbooks for what they match already, instead of counting that as fired',
    )
    .option('--json', 'answer the counts as JSON')
    .addHelpText(
      'after',
      examples('muster rules import rules.json', 'muster rules export | ssh other.example.org muster rules import -'),
    )
    .action(context.lazily(async () => (await import('./rules/import-rules.ts')).importRulesCommand));

  rules
    .command('export')
    .description('Print all rules, or those of one type, as JSON. With every --include option it is a full backup.')
    .summary('print rules as JSON')
    .argument('[type]', 'ident of a rule type')
    .option('--folder <folder>', 'write rules and accounts into a new folder that "rules apply" takes, a file each')
    .option('--include-hosts', 'also hosts and objects')
    .option('--include-accounts', 'also accounts; their secrets stay encrypted')
    .option('--include-users', 'also users with password hashes and roles')
    .option('--include-passwords', 'also the monitoring passwords, encrypted')
    .addHelpText(
      'after',
      examples(
        'muster rules export > rules.json',
        'muster rules export automation_rewrite > rewrite.json',
        'muster rules export --folder rules',
        'muster rules export --include-hosts --include-accounts --include-users --include-passwords > backup.json',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/export-rules.ts')).exportRulesCommand));

  rules
    .command('show')
    .description('Show a rule as a folder of rules holds it. Secrets are not shown.')
    .summary('show one rule')
    .argument('<type>', 'ident of its type')
    .argument('<rule>', 'name or id of the rule')
    .option('--json', 'answer the document with its version and what it does as JSON')
    .addHelpText(
      'after',
      examples(
        'muster rules show custom_attributes "Site from hostname"',
        'muster rules show accounts netbox > rules/netbox.yaml',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/edit-rule.ts')).showRuleCommand));

  rules
    .command('edit')
    .description(
      'Change a rule in your editor ($VISUAL, else $EDITOR, else vi). The differences are shown before they are saved; a text that is refused is kept.',
    )
    .summary('change a rule in your editor')
    .argument('<type>', 'ident of its type')
    .argument('<rule>', 'name or id of the rule')
    .option('--yes', 'save without asking')
    .option('--json', 'answer what was saved as JSON')
    .addHelpText('after', examples('muster rules edit custom_attributes "Site from hostname"'))
    .action(context.lazily(async () => (await import('./rules/edit-rule.ts')).editRuleCommand));

  folderOptions(
    ofFeature('rules-folder', rules)
      .command('diff')
      .description(
        'Show what "rules apply" would do: what a folder of rules and accounts would create, change field by field, and remove, and what was changed by hand since the last apply. Stores nothing.',
      )
      .summary('show how a folder of rules and accounts differs'),
  )
    .option('--exit-code', `end with ${EXIT.differences} when there are differences`)
    .option('--json', 'answer the differences as JSON')
    .addHelpText(
      'after',
      examples(
        'muster rules diff rules',
        'muster rules diff rules --prune --exit-code',
        'muster rules diff rules --json',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/folder/apply-folder.ts')).diffFolderCommand));

  folderOptions(
    ofFeature('rules-folder', rules)
      .command('apply')
      .description(
        'Make rules and accounts be stored as a folder says: all of it or, when one document is refused, nothing. The differences are shown first; on a terminal you are asked.',
      )
      .summary('make rules and accounts be as a folder says'),
  )
    .option(
      '--adopt',
      'take over what was made by hand or by another set and is in the folder: --prune removes it too once it is not',
    )
    .option('--dry-run', 'show what would be done, write nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'answer what was done as JSON')
    .addHelpText(
      'after',
      examples(
        'muster rules apply -f rules',
        'muster rules apply -f rules --prune --yes',
        'muster rules apply -f rules --dry-run',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/folder/apply-folder.ts')).applyFolderCommand));

  rules
    .command('confirm')
    .description(
      'Vouch for a document that another user wrote, so that it may make the machine act. It is shown first, with what it does; on a terminal you are asked, elsewhere it is confirmed as it is shown.',
    )
    .summary('confirm a document that waits for an administrator')
    .argument('<type>', 'ident of the rule type, such as cron_groups, accounts or users')
    .argument('<name>', 'name or id of the document')
    .option(
      '--if-version <number>',
      'only if this version, which you have read, is stored; without a terminal name the document by its id then',
      wholeNumber(1),
    )
    .option('--yes', 'do not ask')
    .option('--json', 'answer what was confirmed as JSON, with the document')
    .addHelpText(
      'after',
      examples(
        'muster rules confirm cron_groups nightly',
        'muster rules confirm accounts 65f000000000000000000001 --if-version 3 --yes',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/confirm-document.ts')).confirmDocument));

  ofFeature('preview', rules)
    .command('impact')
    .description('Show which hosts would change, and how, if these rules were imported. Stores nothing.')
    .summary('show which hosts would change by new rules')
    .argument(
      '<file>',
      'rules to try, in any form that "rules import" takes, or a folder of them; - reads the standard input',
    )
    .option('--type <type>', 'type of rules whose type the content does not say')
    .option('--project <name>', 'look at the inventory of this project instead of automation')
    .option(
      '--target <account>',
      'look at an export to this account, by the rules of its target too; not needed if all rules are of one type of targets',
    )
    .option('--limit <n>', 'show at most this many hosts', wholeNumber(1, 10_000), 20)
    .option('--json', 'answer the changes as JSON')
    .addHelpText(
      'after',
      examples(
        'muster rules impact new-rules.json',
        'muster rules impact new-rules.json --limit 1000 --json',
        'muster rules impact registry-rules.json --target inventory-system',
      ),
    )
    .action(context.lazily(async () => (await import('./rules/show-impact.ts')).showImpact));
}

/** Adds the options that both commands on a folder accept. */
function folderOptions(command: Command): Command {
  return command
    .argument('[folder]', 'folder of YAML or JSON files, or one file')
    .option('-f, --folder <folder>', 'the same')
    .option('--prune', 'also remove what an earlier apply made and the folder does not have any more')
    .option('--applyset <name>', 'name of the set that the folder is, where several are applied to one instance');
}
