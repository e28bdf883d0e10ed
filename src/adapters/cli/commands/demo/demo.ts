import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { addAccount } from '../../../../app/accounts/operations/add-account.ts';
import { listAccounts } from '../../../../app/accounts/operations/list-accounts.ts';
import { setAccount } from '../../../../app/accounts/operations/set-account.ts';
import { renderInventory } from '../../../../app/inventory/operations/render-inventory.ts';
import { importRules } from '../../../../app/rules/operations/import-rules.ts';
import { importAccount } from '../../../../app/runs/import/operations/import-account.ts';
import { addUser } from '../../../../app/users/operations/add-user.ts';
import { changeUser } from '../../../../app/users/operations/change-user.ts';
import { listUsers } from '../../../../app/users/operations/list-users.ts';
import { maskedAddress } from '../../../../kit/masking/masked-address.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { packagedFile } from '../../../../main/packaged-file.ts';
import { processSettings } from '../../../../main/settings.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Services } from '../../../listener/services.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { wholeText } from '../../output/whole-text.ts';
import { readRulesContent } from '../../rules-content.ts';
import { generatedPassword } from '../../secrets.ts';
import { serveUntilStopped } from '../../serve-until-stopped.ts';
import { exampleHost, groupTable, type InventoryShape, nextSteps } from './demo-text.ts';
import { isFoundAs } from './own-command.ts';

const DATABASE = 'sqlite:data/demo.db';
const ACCOUNT = 'wikimedia';
const USER = 'demo';

/** Everything goes through the operations that a person would call one by one. */
export async function demoCommand(context: CommandContext, options: { serve: boolean }): Promise<void> {
  await chooseSettings(context);
  await context.requireStore();
  const hosts = await importHosts(context);
  const rules = await importSampleRules(context);
  const inventory = JSON.parse(
    await wholeText(await context.stream(renderInventory, { provider: 'automation' })),
  ) as InventoryShape;
  const { colours } = context;
  await context.result(
    `\n${colours.bold(`${counted(hosts, 'host')} imported, ${counted(rules, 'rule')} applied.`)}\n\n`,
  );
  await context.result(groupTable(inventory, { colours, width: context.width }));
  if (!options.serve) return;
  const password = await setDemoUser(context);
  const { services } = await context.app();
  const isOnPath = await isFoundAs('muster', packagedFile('bin/muster'), context.terminal.variable('PATH'));
  await serveUntilStopped(context, (address) =>
    context.result(
      nextSteps({
        address,
        user: USER,
        password,
        databaseUrl: databaseUrlElsewhere(services),
        folder: relative(context.terminal.workingDirectory, packagedFile('.')),
        isOnPath,
        hostname: exampleHost(inventory),
        colours,
      }),
    ),
  );
}

/** Keeps the sample out of any database already in use: only an option or a variable replaces the sample's own one. */
async function chooseSettings(context: CommandContext): Promise<void> {
  context.role = 'service';
  const { config, origins } = await processSettings(context.flags);
  const chosen = (origin: string): boolean => origin.startsWith('--') || origin.startsWith('SERVICE_');
  if (!chosen(origins.DATABASE_URL)) context.configure({ DATABASE_URL: DATABASE });
  if (origins.LOG_LEVEL === 'default') context.configure({ LOG_LEVEL: 'warn' });
  if (origins.HTTP_PORT !== 'default' || (await isFree(config.HTTP_HOST, config.HTTP_PORT))) return;
  context.note(`Port ${config.HTTP_PORT} is taken, so a free one is used.`);
  context.configure({ HTTP_PORT: 0 });
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

async function importHosts(context: CommandContext): Promise<number> {
  const settings = { path: packagedFile('sample/wikimedia-nodes.csv'), hostname_field: 'host' };
  const { accounts } = await context.value(listAccounts, {});
  // The checkout may have moved since the last time, so the path is set again.
  if (accounts.some(({ name }) => name === ACCOUNT))
    await context.value(setAccount, { name: ACCOUNT, settings, enabled: true });
  else await context.value(addAccount, { name: ACCOUNT, type: 'csv', settings });
  const report = await context.longValue('Importing the sample', importAccount, { account: ACCOUNT });
  if (report.status !== 'done') throw new AppError('failed', `the sample could not be imported: ${report.message}`);
  return report.summary.seen - report.summary.skipped;
}

async function importSampleRules(context: CommandContext): Promise<number> {
  const content = readRulesContent(await readInput(packagedFile('sample/rules.json'), context.terminal), {
    file: 'sample/rules.json',
  });
  const answer = await context.value(importRules, { ...content, override: true });
  const [problem] = answer.details;
  if (problem !== undefined) {
    throw new AppError('failed', `rule "${problem.name}" of the sample is invalid: ${problem.path} ${problem.message}`);
  }
  return answer.total;
}

/** Keeps the first password next to the database, so that yesterday's login still works today. */
async function setDemoUser(context: CommandContext): Promise<string> {
  const { services } = await context.app();
  const file = join(services.machineFiles.dataFolder, 'demo.password');
  const kept = await readFile(file, 'utf8').catch(() => '');
  const password = kept === '' ? generatedPassword() : kept.trim();
  if (kept === '') await writeFile(file, `${password}\n`, { mode: 0o600 });
  const { users } = await context.value(listUsers, {});
  if (users.some(({ name }) => name === USER))
    await context.value(changeUser, { name: USER, password, disabled: false, admin: true });
  else await context.value(addUser, { name: USER, password, roles: ['all'], admin: true });
  return password;
}

/**
 * Returns the address of the database if another terminal may not find it, because it came from an option or a variable of this
 * one.
 */
function databaseUrlElsewhere({ config, configOrigins }: Services): string | undefined {
  return /^(--|SERVICE_)/.test(configOrigins.DATABASE_URL) ? `'${maskedAddress(config.DATABASE_URL)}'` : undefined;
}
