import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Said, textOf, worded } from '../../kit/worded.ts';
import { AppError, type ReadContext, type SourceItem, type SourceServices } from '../../ports/index.ts';
import type { AnsibleOptions } from './options.ts';
import { withoutEncrypted } from './vaulted-files.ts';

/** Limit on the output of ansible-inventory, live or saved. It is read as a whole. */
export const MOST_BYTES = 64 * 1024 * 1024;
const CHECK_MS = 60_000;
/** Limit on the part of an Ansible message that our messages quote. */
const MOST_WORDS = 300;

type Environment = Readonly<Record<string, string>>;
type Services = Pick<SourceServices, 'files' | 'programs'>;

export interface ProgramOutput {
  readonly output: string;
  readonly gaps: readonly SourceItem[];
}

/**
 * Makes Ansible report parts that it could not read: by default, it exits with 0 and returns the rest, which would be mistaken
 * for the whole inventory, and hosts would be archived.
 */
const STRICT = {
  ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'True',
  ANSIBLE_INVENTORY_UNPARSED_FAILED: 'True',
  ANSIBLE_INVENTORY_UNPARSED_WARNING: 'True',
  ANSIBLE_ASK_VAULT_PASS: 'False',
  ANSIBLE_NOCOLOR: 'True',
  ANSIBLE_FORCE_COLOR: 'False',
  PYTHONUNBUFFERED: '1',
};
/** All that it can read, when it cannot read everything; nothing at all is a failure still. */
const LENIENT = { ...STRICT, ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'False' };
/** Older versions break their warnings into lines of 79 characters, within long paths too. */
const UNPARSED = /Unable\s+to\s+parse\s+(.+?)\s+as\s+an\s+inventory\s+source/gs;

/** Runs ansible-inventory on an inventory. Parts that it cannot parse become gaps. */
export async function runInventory(
  options: AnsibleOptions,
  { files, programs }: Services,
  { isExport, context }: { readonly isExport: boolean; readonly context: Pick<ReadContext, 'signal'> },
): Promise<ProgramOutput> {
  const place = await files.place(options.path);
  const root = place.isFolder ? place.path : dirname(place.path);
  const directory = options.directory === '' ? root : (await files.place(options.directory)).path;
  return withoutVaults(async (vaults, folder) => {
    const inventory = await withoutEncrypted(place, join(folder, 'inventory'));
    // The variables next to a playbook are read like those next to the inventory.
    const beside =
      directory === root
        ? inventory
        : await withoutEncrypted({ path: join(directory, '-'), isFolder: false }, join(folder, 'beside'));
    const encrypted = [...new Set([...inventory.encrypted, ...beside.encrypted])];
    const gaps = options.vaulted === 'leave_out' ? [] : encrypted.map(encryptedGap);
    const from = beside.encrypted.length === 0 ? directory : dirname(beside.path);
    const found = await runIn(
      { options, isExport, context, programs },
      { path: inventory.path, directory: from, vaults },
    );
    return { output: found.output, gaps: [...gaps, ...found.gaps] };
  });
}

function encryptedGap(file: string): SourceItem {
  return {
    kind: 'gap',
    what: file,
    reason: worded`Ansible Vault encrypts all of it, and what a vault encrypts is not imported; set ${{ option: 'vaulted=leave_out' }} to always leave such files out`,
  };
}

interface Call {
  readonly options: AnsibleOptions;
  readonly isExport: boolean;
  readonly context: Pick<ReadContext, 'signal'>;
  readonly programs: Services['programs'];
}

async function runIn(
  { options, isExport, context, programs }: Call,
  { path, directory, vaults }: { readonly path: string; readonly directory: string; readonly vaults: Environment },
): Promise<ProgramOutput> {
  const call = {
    command: options.command,
    // A name in the inventory could look like an option; a path of ours is absolute.
    args: ['--inventory', path, '--list', ...(isExport ? ['--export'] : [])],
    directory,
    timeoutMs: options.timeout * 1000,
    maxBytes: MOST_BYTES,
  };
  const more = { ...vaults, ...ignored(options) };
  const strict = await programs.run({ ...call, environment: { ...STRICT, ...more } }, context);
  if (strict.exitCode === 0) return { output: utf8(strict.output, options), gaps: [] };
  const lenient = await programs.run({ ...call, environment: { ...LENIENT, ...more } }, context);
  if (lenient.exitCode !== 0) throw failed(options, lenient.words, lenient.exitCode);
  return { output: utf8(lenient.output, options), gaps: gapsOf(options, lenient.words, strict.words) };
}

/** Returns the patterns that the account ignores, which override those of a configuration next to the inventory. */
function ignored({ ignore_patterns: patterns }: AnsibleOptions): Readonly<Record<string, string>> {
  return patterns.length === 0 ? {} : { ANSIBLE_INVENTORY_IGNORE_REGEX: patterns.join(',') };
}

/**
 * No password of a vault opens anything here, whatever a configuration names: what is encrypted stays so. Ansible takes no empty path for
 * none, so it gets a password that nothing was encrypted with.
 */
async function withoutVaults<T>(work: (environment: Environment, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-inventory-'));
  try {
    const file = join(folder, 'password');
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
    return await work({ ANSIBLE_VAULT_PASSWORD_FILE: file, ANSIBLE_VAULT_IDENTITY_LIST: `none@${file}` }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function gapsOf({ path }: AnsibleOptions, words: string, first: string): readonly SourceItem[] {
  const lost = [...new Set(Array.from(words.matchAll(UNPARSED), ([, file = '']) => file.replaceAll('\n', '')))];
  if (lost.length === 0) return [{ kind: 'gap', what: worded`a part of ${{ path }}`, reason: told(first) }];
  const said = reasonOf(`${first}\n${words}`);
  return lost.map((file) => ({
    kind: 'gap',
    what: file,
    reason:
      said !== undefined && lost.length === 1
        ? worded`ansible-inventory says: ${{ said }}; fix it, or always leave it out: add ${{ pattern: patternOf(file) }} to ignore_patterns of the account`
        : worded`ansible-inventory cannot parse it, and "ansible-inventory --list" shows why; fix it, or always leave it out: add ${{ pattern: patternOf(file) }} to ignore_patterns of the account`,
  }));
}

/** Matches the name of this file alone. A comma would end the pattern. */
function patternOf(file: string): string {
  return `^${basename(file)
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll(',', '.')}$`;
}

function failed({ path, command }: AnsibleOptions, words: string, exitCode: number | null): AppError {
  const general = told(words);
  const reason = reasonOf(words);
  const said = reason === undefined ? general : worded`${{ general }} (${{ reason }})`;
  const how = exitCode === null ? worded`was ended by a signal` : worded`ended with ${{ code: String(exitCode) }}`;
  const failure = worded`${{ path }} cannot be read: ${{ command }} ${{ how }} and says: ${{ said }}`;
  return new AppError(
    'failed',
    /vault/i.test(textOf(said))
      ? worded`${{ failure }}; no password of a vault is used here: encrypt single values (ansible-vault encrypt_string), or leave the encrypted file out of the inventory`
      : failure,
  );
}

/** Plugins that read files quote them; those that ask a system say why it refused. */
const REFUSED =
  /Failed\s+to\s+parse\s+\S+\s+with\s+(?!(?:ini|yaml|toml|host_list|advanced_host_list|constructed)\s)\S+\s+plugin:\s+(.+?)(?=\n\s*(?:\n|\[?(?:WARNING|ERROR|DEPRECATION)|File\b|\*\s)|$)/gis;

/** Why a plugin could not read its part: Ansible says that before the line with the error. */
function reasonOf(words: string): string | undefined {
  const reasons = Array.from(words.matchAll(REFUSED), ([, reason = '']) =>
    reason.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(),
  );
  const reason = reasons.find((text) => !/inventory plugin config|does not verify|declined/i.test(text));
  if (reason === undefined || reason === '') return undefined;
  return reason.length > MOST_WORDS ? `${reason.slice(0, MOST_WORDS)}…` : reason;
}

/** The line with the error, without what Ansible quotes of files. */
function told(words: string): Said {
  const lines = words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.find((text) => /^(\[?ERROR|usage:)/i.test(text)) ?? lines.at(-1);
  if (line === undefined) return worded`nothing`;
  const plain = line.replaceAll(/\p{Cc}/gu, ' ').replace(/^\[?ERROR[\]!]*:?\s*!?\s*/i, '');
  return plain.length > MOST_WORDS ? `${plain.slice(0, MOST_WORDS)}…` : plain;
}

function utf8(output: Uint8Array, { command }: AnsibleOptions): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(output);
  } catch (error) {
    throw new AppError('failed', worded`what ${{ command }} wrote is not valid UTF-8`, { cause: error });
  }
}

/** Returns the program's name and version, such as `ansible-inventory [core 2.19.0]`. */
export async function programVersion(
  { command, path }: AnsibleOptions,
  { files, programs }: Services,
  signal: AbortSignal,
): Promise<string> {
  const place = await files.place(path);
  const call = {
    command,
    args: ['--version'],
    directory: place.isFolder ? place.path : dirname(place.path),
    environment: STRICT,
    timeoutMs: CHECK_MS,
    maxBytes: 64 * 1024,
  };
  const { exitCode, output, words } = await programs.run(call, { signal });
  if (exitCode !== 0) throw new AppError('failed', worded`${{ command }} does not work: ${{ reason: told(words) }}`);
  const [line = command] = output.toString('utf8').split('\n');
  return line.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200);
}
