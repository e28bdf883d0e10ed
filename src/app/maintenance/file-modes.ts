import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { maskedAddress } from '../../kit/masking/masked-address.ts';
import { type Said, worded } from '../../kit/worded.ts';
import { shellWord } from '../../kit/words/escape.ts';
import type { Wording } from '../../ports/index.ts';
import type { MaintenanceServices } from './services.ts';

const WRITE = 0o022;
const OTHERS_WRITE = 0o002;
const READ = 0o044;
/** Others may add files to such a folder, and touch none that is not theirs: `/tmp`. */
const STICKY = 0o1000;

/** A file that others reach too far, and the command that mends it. */
export interface LooseFile {
  /** The fault, and the command that mends it. */
  readonly said: Said;
  readonly command: string;
  readonly path: string;
  /** The mode that the command gives it. */
  readonly mode: number;
}

/** Finds files that control the service but may be read or written by others. */
export async function looseFiles(
  services: Pick<MaintenanceServices, 'machineFiles' | 'config' | 'configOrigins'>,
): Promise<readonly LooseFile[]> {
  const { secrets, dataFolder, configuration, plugins, playbookFolder } = services.machineFiles;
  const kept = await filesIn(dataFolder);
  const private_ = [...new Set([...secrets, ...kept])];
  const findings = await Promise.all([
    ...private_.map((path) => looseSecret(path)),
    looseSecret(dataFolder),
    ...configuration.map((path) => (holdsSecrets(services, path) ? looseSecret(path) : looseProgram(path, WRITE))),
    ...(await programsOf([...plugins, playbookFolder])).map((path) => looseProgram(path, OTHERS_WRITE)),
  ]);
  return findings.filter((finding) => finding !== undefined);
}

/** Read or written by others. */
async function looseSecret(path: string): Promise<LooseFile | undefined> {
  const [found, folder] = [await statOf(path), await statOf(dirname(path))];
  if (found === undefined || folder === undefined) return undefined;
  // Users without access to the folder cannot reach a file in it.
  const open = found.mode & (READ | WRITE) & reachable(folder);
  // A file given to the group of the service is meant to be read that way.
  const meant = found.uid === process.getuid?.() ? 0 : 0o040;
  const loose = open & ~meant;
  if (loose === 0) return undefined;
  const mode = found.isDirectory() ? 0o700 : 0o600;
  const command = `chmod ${mode.toString(8)} ${shellWord(path)}`;
  return {
    said: worded`${{ path }} can be ${{ used: verb(loose) }} by ${{ whom: whom(loose) }}: ${{ command }}`,
    command,
    path,
    mode,
  };
}

/** Finds a program that others may write: its writer controls the service. */
async function looseProgram(path: string, bits: number): Promise<LooseFile | undefined> {
  const [found, folder] = [await statOf(path), await statOf(dirname(path))];
  if (found === undefined || folder === undefined) return undefined;
  if (found.isDirectory() && (found.mode & STICKY) !== 0) return undefined;
  const loose = found.mode & bits & reachable(folder);
  if (loose === 0) return undefined;
  const remove = (loose & OTHERS_WRITE) === 0 ? 'g-w' : (loose & 0o020) === 0 ? 'o-w' : 'go-w';
  const command = `chmod ${remove} ${shellWord(path)}`;
  const said = worded`${{ path }} can be written by ${{ whom: whom(loose) }}, and the service does what it says: ${{ command }}`;
  return { said, command, path, mode: found.mode & 0o7777 & ~loose };
}

/** The bits of those who may go through the folder. */
function reachable({ mode }: Stats): number {
  return ((mode & 0o010) === 0 ? 0 : 0o070) | ((mode & 0o001) === 0 ? 0 : 0o007);
}

function verb(bits: number): Wording {
  if ((bits & WRITE) === 0) return worded`read`;
  return (bits & READ) === 0 ? worded`written` : worded`read and written`;
}

function whom(bits: number): Wording {
  return (bits & 0o007) === 0 ? worded`its group` : worded`everyone on this machine`;
}

/** Plugins and playbooks with the contents of their folders. */
async function programsOf(paths: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(paths.map(async (path) => [path, ...(await filesIn(path))]));
  return [...new Set(all.flat())];
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** A configuration file with a key, a password or settings of plugins is nothing that others may read. */
function holdsSecrets(
  { config, configOrigins }: Pick<MaintenanceServices, 'config' | 'configOrigins'>,
  path: string,
): boolean {
  const isFrom = (key: keyof typeof configOrigins): boolean => configOrigins[key] === path;
  const hasCredentials = (address: string): boolean => maskedAddress(address) !== address;
  return (
    isFrom('INSTANCE_KEY') ||
    isFrom('DATABASE_PASSWORD') ||
    isFrom('AUDIT_FORWARD_TOKEN') ||
    isFrom('PLUGIN_OPTIONS') ||
    (isFrom('DATABASE_URL') && hasCredentials(config.DATABASE_URL)) ||
    (isFrom('DATABASE_REPLICA_URL') && hasCredentials(config.DATABASE_REPLICA_URL)) ||
    (isFrom('AUDIT_FORWARD') && config.AUDIT_FORWARD.some(hasCredentials))
  );
}
