import { dirname } from 'node:path';
import * as z from 'zod';
import { parseSecretReference } from '../../../kit/options/secret-reference.ts';
import { abridged, coupled, messageOf, phrase, type Said, saidBy, worded, wordingFor } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import { AppError, type Replica } from '../../../ports/index.ts';
import { type Account, referencesOf } from '../../accounts/account-directory.ts';
import { accountKind } from '../../accounts/account-types.ts';
import { runLogSource } from '../../journal/run-log.ts';
import { columnNames } from '../../kernel/listing.ts';
import { OWN_TYPES } from '../../kernel/plugin-host/registry.ts';
import { brokenError, missingError } from '../../rules/missing-rules.ts';
import { pendingDocuments } from '../../rules/pending-documents.ts';
import { inertTypes } from '../../rules/unknown-types.ts';
import { checkUsers } from '../check-users.ts';
import { looseFiles } from '../file-modes.ts';
import { freeBytes, keptFolders } from '../folders.ts';
import type { MaintenanceServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import type { DoctorContext, Finding } from '../upkeep-parts.ts';
import { FINDING_COLUMNS, findingsView } from '../views/findings.ts';

const LOW_DISK_BYTES = 512 * 1024 * 1024;
const MOST_NAMED = 5;
/** A replica follows within moments, and for as long as a large import writes. */
const LONG_BEHIND_SECONDS = 60;
/** A clock before this is wrong: the program did not exist then. */
const EARLIEST = Date.UTC(2026, 0, 1);

export const runDoctor = defineOperation({
  name: 'system/run-doctor',
  title: 'Doctor',
  description:
    'Checks storage, instance key, plugins, accounts, rules, clock, disk, kept backups and modes of files, and gives advice.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'doctor',
      description:
        'Check storage, instance key, plugins, rules, clock, disk and kept backups, and say what to do. Exit code 1 when something is wrong.',
      storage: { failure: 'start_failure' },
      columns: columnNames(FINDING_COLUMNS),
      json: 'answer the findings as JSON',
      examples: ['muster doctor', 'muster doctor --fix', 'muster doctor --fix --yes'],
      view: findingsView,
      outcome({ ok, findings }, print) {
        if (ok) return;
        const wrong = findings.filter((finding) => !finding.ok).length;
        print.note(`muster: ${counted(wrong, 'check')} failed`);
        print.failed();
      },
    },
    page: true,
  },
  input: z.object({
    start_failure: z
      .string()
      .optional()
      .describe('Why the storage could not be started; what needs it is not checked then'),
  }),
  output: z.object({
    ok: z.boolean(),
    findings: z.array(
      z.object({
        check: z.string(),
        ok: z.boolean(),
        message: z.string(),
        warning: z.boolean().optional().describe('True: it works, but it needs attention'),
        commands: z
          .array(z.string())
          .readonly()
          .optional()
          .describe('Commands that mend it, or show more of it, as a shell takes them'),
        safe: z
          .literal(true)
          .optional()
          .describe('Present where the commands need no decision and `muster doctor --fix` does their work'),
      }),
    ),
  }),
  async run({ start_failure: failure }, context) {
    const { caller } = context;
    const found = await findingsOf(context, failure);
    const findings = found.map(({ wording, ...finding }) => ({ ...finding, ...wordingFor(caller, wording) }));
    return { ok: findings.every((finding) => finding.ok), findings };
  },
});

/** The findings of the doctor; `failure` is the reason why the storage did not start. */
export async function findingsOf(context: DoctorContext, failure?: string): Promise<readonly Finding[]> {
  const { services } = context;
  return [
    await attempt('storage', async () => {
      if (failure !== undefined) throw new AppError('failed', failure);
      const health = await services.storage.health();
      if (!health.ok) throw mendedBy(['muster storage check'], health.message);
      for await (const { subject, message } of services.storage.check({ fix: false, only: 'damage' })) {
        throw mendedBy(['muster storage check'], `${subject}: ${message}`);
      }
      const reason = await services.writeWatch.reason();
      if (reason !== undefined)
        throw new AppError('unavailable', worded`it can be read and not written: ${{ reason }}`);
      return health.message;
    }),
    ...(failure === undefined && services.storage.replica !== undefined
      ? [await checkReplica(services.storage.replica)]
      : []),
    await attempt('instance key', () => checkKey(services, failure === undefined)),
    ...(failure === undefined ? await secretFindings(services) : []),
    ...services.plugins.statuses().map((status) => ({
      check: `plugin ${status.id}`,
      ok: status.state === 'running',
      message: status.state === 'running' ? status.provides.join(', ') : status.message,
      ...(status.state === 'failed' && { commands: ['muster plugins'] }),
    })),
    ...(failure === undefined
      ? [await attempt('rules', () => checkRules(services)), await attempt('trust', () => checkPending(services))]
      : []),
    ...(failure === undefined ? [...(await accountFindings(services)), ...(await webhookFindings(services))] : []),
    await attempt('inventories', async () => checkInventories(services)),
    ...(failure === undefined ? await nameFindings(services) : []),
    ...(failure === undefined ? [await attempt('users', () => checkUsers(services))] : []),
    ...(failure === undefined
      ? [await checkTokens(services), await attempt('audit log', () => checkAudit(services))]
      : []),
    ...(`${services.config.TLS_CERT}${services.config.TLS_KEY}` === ''
      ? []
      : [
          await attempt('certificate', async () => {
            await services.readCertificate();
            return phrase`usable`;
          }),
        ]),
    await attempt('clock', async () => {
      const now = services.clock.now();
      if (now.getTime() < EARLIEST)
        throw new AppError('failed', worded`the clock says ${{ time: now.toISOString() }}; set it`);
      return now.toISOString();
    }),
    await attempt('disk', () => checkDisk(services)),
    ...(await checkFolders(services)),
    ...(await featureFindings(context, failure === undefined)),
    ...(await checkModes(services)),
  ];
}

async function attempt(check: string, run: () => Promise<Said>): Promise<Finding> {
  try {
    return { check, ok: true, ...messageOf(await run()) };
  } catch (error) {
    const commands = error instanceof AppError ? (error.members.commands as readonly string[] | undefined) : undefined;
    return {
      check,
      ok: false,
      ...messageOf(error instanceof AppError ? saidBy(error) : error instanceof Error ? error.message : String(error)),
      ...(commands !== undefined && { commands }),
    };
  }
}

/** A fault with the commands that mend it. */
function mendedBy(commands: readonly string[], message: Said, cause?: unknown): AppError {
  return new AppError('failed', message, { members: { commands }, ...(cause !== undefined && { cause }) });
}

/** The key must be that of the store, and every sealed password of an account must open under it. */
async function checkKey(services: MaintenanceServices, hasStorage: boolean): Promise<Said> {
  try {
    await services.secrets.seal('', 'check');
  } catch (error) {
    if (hasStorage || !(error instanceof AppError) || error.code !== 'unavailable') throw error;
    return phrase`is compared with what is stored when the storage starts`;
  }
  const all = hasStorage ? await services.accounts.list(null) : [];
  const accounts = all.filter((account) => account.sealedPassword !== '');
  for (const account of accounts) {
    try {
      await services.accounts.password(account);
    } catch (cause) {
      throw mendedBy(
        [`muster account set ${shellWord(account.name)} --ask-password`],
        worded`the secret of account ${{ account: account.name }} does not open: use the key it was sealed with, or enter it again`,
        cause,
      );
    }
  }
  if (accounts.length === 0) return phrase`usable`;
  return accounts.length === 1
    ? phrase`opens the secret of 1 account`
    : worded`opens the secrets of ${{ count: String(accounts.length) }} accounts`;
}

/** Every secret that is kept elsewhere must be readable there; each source that one is named of answers. */
async function secretFindings(services: MaintenanceServices): Promise<readonly Finding[]> {
  const named = (await services.accounts.list(null)).flatMap((account) =>
    referencesOf(account).map(([field, reference]) => ({ account, field, reference })),
  );
  const sources = [...new Set(named.flatMap(({ reference }) => parseSecretReference(reference)?.source ?? []))].sort();
  const findings: Finding[] = [];
  for (const source of sources) {
    findings.push(await attempt(`secrets of ${source}`, () => services.secretReferences.check(source)));
  }
  for (const { account, field, reference } of named) {
    if (!account.enabled) continue;
    const check = `secret of account ${account.name}`;
    const found = await attempt(check, async () => {
      await services.accounts.referenced(account, reference);
      return worded`${{ field }} is read from ${{ reference }}`;
    });
    findings.push(found);
  }
  const { DATABASE_PASSWORD_FROM: reference } = services.config;
  if (reference === '') return findings;
  const found = await attempt('DATABASE_PASSWORD_FROM', async () => {
    await services.secretReferences.read(reference);
    return worded`${{ field: 'DATABASE_PASSWORD' }} is read from ${{ reference }}`;
  });
  return [...findings, found];
}

/** Checks explicit choices by which data controls the consumers of inventories. */
function checkInventories({ config }: MaintenanceServices): Said {
  if (config.INVENTORY_ANSIBLE_LABELS === 'serve') {
    throw new AppError(
      'failed',
      phrase`INVENTORY_ANSIBLE_LABELS is serve: anyone who can set a label can run programs on every Ansible controller; set it to safe, and let rules of administrators set what Ansible needs`,
    );
  }
  return worded`variables of Ansible from data: ${{ choice: config.INVENTORY_ANSIBLE_LABELS }}`;
}

/** How many hosts of each inventory are checked; the page of the provider covers all of them. */
const MOST_HOSTS = 2_000;

/** Only where consumers do not get a name, or cannot take it as it is. */
async function nameFindings({ inventories, config }: MaintenanceServices): Promise<readonly Finding[]> {
  const { INVENTORY_VARIABLE_NAMES: names, INVENTORY_ANSIBLE_LABELS: ansibleLabels } = config;
  const render = { names, ansibleLabels, templateText: 'break' } as const;
  const findings: Finding[] = [];
  for (const provider of await inventories.names()) {
    const signal = AbortSignal.timeout(config.PLUGIN_TIMEOUT_SECONDS * 1000);
    const check = `inventory ${provider}`;
    const found = await inventories
      .nameReport({ provider, request: { scope: null, signal }, render }, MOST_HOSTS)
      .catch((error) => [{ name: 'its names', reason: error instanceof Error ? error.message : String(error) }]);
    if (found.length === 0) continue;
    const told = abridged(
      found.slice(0, MOST_NAMED).map(({ name, reason }) => `${name}: ${reason}`),
      found.length,
    );
    findings.push({ check, ok: true, warning: true, ...messageOf(worded`names to look at: ${{ names: told }}`) });
  }
  return findings;
}

async function checkRules(services: MaintenanceServices): Promise<Said> {
  const missing = await services.evaluators.missing();
  if (missing.length > 0) throw missingError(missing);
  const broken = await services.evaluators.broken();
  if (broken.length > 0) throw brokenError(broken);
  const failures = await services.evaluators.failures();
  const [first] = failures;
  if (first !== undefined) throw new AppError('failed', `${first.type} ${first.name}: ${first.lastError}`);
  const counts = await services.storage.rules.counts();
  const kept = (await inertTypes(services.storage, services.plugins)).map(({ ident }) => ident);
  const documents = [...counts].reduce((sum, [type, count]) => (OWN_TYPES.has(type) ? sum : sum + count), 0);
  const count = documents === 1 ? worded`1 document` : worded`${{ count: String(documents) }} documents`;
  return kept.length === 0
    ? count
    : worded`${{ count }}; those of ${{ types: kept.join(', ') }} are kept without effect, because no plugin acts on them`;
}

async function featureFindings(context: DoctorContext, hasStorage: boolean): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { checks = [] } of context.services.features) {
    for (const check of checks) findings.push(...(await check(context, hasStorage)));
  }
  return findings;
}

async function checkPending(services: MaintenanceServices): Promise<Said> {
  const names: string[] = [];
  const commands = ['muster rules waiting'];
  let count = 0;
  for await (const { record } of pendingDocuments(services)) {
    count++;
    if (names.length >= MOST_NAMED) continue;
    names.push(`${record.type} ${record.name}`);
    commands.push(`muster rules confirm ${record.type} ${shellWord(record.name)}`);
  }
  if (count === 0) return phrase`no document waits for an administrator`;
  const documents = abridged(names, count);
  throw mendedBy(
    commands,
    count === 1
      ? worded`${{ documents }} waits for an administrator: see "muster rules waiting", then confirm or remove them`
      : worded`${{ documents }} wait for an administrator: see "muster rules waiting", then confirm or remove them`,
  );
}

/** Only where something is wrong. Such accounts came with an import, or their plugin is gone; their hosts stay as they are. */
async function accountFindings(services: MaintenanceServices): Promise<readonly Finding[]> {
  const accounts = await services.accounts.list(null);
  const unknown = accounts.filter(({ type }) => accountKind(services, type) === 'unknown');
  const parts = await partFindings(services, accounts);
  if (unknown.length === 0) return parts;
  const named = unknown.slice(0, MOST_NAMED).map(({ name, type }) => `${name} (${type})`);
  const said = worded`no plugin provides the type of ${{ accounts: abridged(named, unknown.length) }}, so nothing is imported or exported there: name the plugin that does in PLUGINS (see "muster plugins"), give the account another type on its page, or remove it by "muster rules remove accounts <name>"`;
  return [{ check: 'accounts', ok: true, warning: true, ...messageOf(said), commands: ['muster plugins'] }, ...parts];
}

/** Accounts whose last import treated its list as a part, which archives nothing until an operator has looked. */
async function partFindings(
  { storage, plugins }: MaintenanceServices,
  accounts: readonly Account[],
): Promise<readonly Finding[]> {
  const imports = accounts.filter(({ type }) => plugins.source(type) !== undefined);
  const found: string[] = [];
  for (const { name } of imports) {
    const [entry] = await storage.logs.latest({ limit: 1, source: runLogSource('import', name) });
    if (entry?.details.some(({ message }) => message.includes('ignored_members')) === true) found.push(name);
  }
  if (found.length === 0) return [];
  const named = abridged(found.slice(0, MOST_NAMED), found.length);
  const said = worded`the last import of ${{ accounts: named }} found a sign that the list was not whole, and archived nothing; its log names the sign and what settles it`;
  const commands = found
    .slice(0, MOST_NAMED)
    .map((name) => `muster logs --source ${shellWord(runLogSource('import', name))}`);
  return [{ check: 'whole lists', ok: true, warning: true, ...messageOf(said), commands }];
}

/** Only where something is wrong: most installations have no signed webhooks. */
async function webhookFindings(services: MaintenanceServices): Promise<readonly Finding[]> {
  const [shared] = await services.groupsWithOneSecret();
  if (shared === undefined) return [];
  const groups = coupled(shared) ?? '';
  const said = worded`the cron groups ${{ groups }} have one signing secret, so a call signed for one works at another; give each its own by "muster cron policy <group> --generate"`;
  const commands = shared.map((group) => `muster cron policy ${shellWord(group)} --generate`);
  return [{ check: 'webhooks', ok: false, ...messageOf(said), commands }];
}

/** Tokens without an end were chosen on purpose, or are older than the choice. */
async function checkTokens({ users }: MaintenanceServices): Promise<Finding> {
  const endless = (await users.list()).flatMap(({ name, tokens }) =>
    tokens.filter(({ expiresAt }) => expiresAt === null).map(({ prefix }) => ({ name, prefix })),
  );
  const check = 'tokens';
  if (endless.length === 0) return { check, ok: true, message: phrase`all have an expiry date` };
  const shown = endless.slice(0, MOST_NAMED);
  const tokens = abridged(
    shown.map(({ name, prefix }) => `${name} ${prefix}`),
    endless.length,
  );
  const said = worded`that never expire: ${{ tokens }}; create new ones that expire, and revoke these with "muster user token revoke"`;
  const commands = shown.map(({ name, prefix }) => `muster user token revoke ${shellWord(name)} ${prefix}`);
  return { check, ok: true, warning: true, ...messageOf(said), commands };
}

/** Whether the chain can be continued. Whether it is whole is found by a check of the storage. */
async function checkAudit({ audit, auditForwarding }: MaintenanceServices): Promise<Said> {
  await audit.settled();
  const chain = await audit.chain.read();
  if (chain === undefined) return phrase`no entries yet`;
  const { begunAt, start, end } = chain.state;
  for (const { name, lateSince } of await auditForwarding.states()) {
    if (lateSince === undefined) continue;
    throw new AppError(
      'failed',
      worded`entries since ${{ since: lateSince.toISOString() }} are not forwarded to ${{ name }}; see why in the log of the service, none of them is lost`,
    );
  }
  const [count, day] = [end.seq - start.seq, begunAt.toISOString().slice(0, 10)];
  return count === 1
    ? worded`a chain of 1 entry since ${{ day }}`
    : worded`a chain of ${{ count }} entries since ${{ day }}`;
}

/** The folders that the service writes to may be on disks of their own. The one with the least room is reported. */
async function checkDisk({ machineFiles }: MaintenanceServices): Promise<Said> {
  const { dataFolder, backupFolder, database } = machineFiles;
  const free: { readonly folder: string; readonly bytes: number }[] = [];
  for (const folder of new Set([dataFolder, ...database.map((file) => dirname(file)), backupFolder])) {
    const bytes = await freeBytes(folder);
    if (bytes !== undefined) free.push({ folder, bytes });
  }
  const [least] = free.sort((one, other) => one.bytes - other.bytes);
  if (least === undefined) return worded`nothing is kept in ${{ folder: dataFolder }} yet`;
  const size = (least.bytes / 1024 ** 3).toFixed(1);
  if (least.bytes < LOW_DISK_BYTES) {
    throw new AppError('failed', worded`${{ size }} GiB free in ${{ folder: least.folder }}; free some space`);
  }
  return worded`${{ size }} GiB free`;
}

/** The service works without it, and its operator counts on it. */
async function checkReplica(replica: Replica): Promise<Finding> {
  const state = await replica.state();
  if ('fault' in state) {
    const said = worded`inventories are read from the primary database, because the replica cannot be used: ${{ reason: state.fault }}`;
    return { check: 'replica', ok: false, ...messageOf(said) };
  }
  const { behindSeconds } = state;
  if (behindSeconds >= LONG_BEHIND_SECONDS) {
    const said = worded`inventories are read from the primary database, because the replica is ${{ seconds: behindSeconds }} s behind`;
    return { check: 'replica', ok: false, ...messageOf(said) };
  }
  return { check: 'replica', ok: true, ...messageOf(worded`${{ seconds: behindSeconds }} s behind`) };
}

/** Uploaded files, imports and exports are not kept in the database. With several nodes, all of them need the same folder. */
async function checkFolders(services: MaintenanceServices): Promise<readonly Finding[]> {
  const data = (await keptFolders(services)).find(({ folder }) => folder === 'data');
  if (data?.reason === undefined) return [];
  const said = worded`uploaded files, imports and exports in ${{ folder: data.path }} are not those of other nodes: ${{ reason: data.reason }}; mount one volume there on all nodes, and set SHARED_DATA to true`;
  const isBroken = data.isPassing && services.config.SHARED_DATA;
  return [{ check: 'files of nodes', ok: !isBroken, ...(!isBroken && { warning: true }), ...messageOf(said) }];
}

/** Files that others on this machine may read or write. The service works nevertheless, so these are warnings. */
async function checkModes(services: MaintenanceServices): Promise<readonly Finding[]> {
  const loose = await looseFiles(services);
  if (loose.length === 0) return [{ check: 'files', ok: true, message: phrase`keys, data and programs are private` }];
  return loose.map(({ said, command }) => ({
    check: 'files',
    ok: true,
    warning: true,
    ...messageOf(said),
    commands: [command],
    safe: true,
  }));
}
