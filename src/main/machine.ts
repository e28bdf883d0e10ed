import { isAbsolute, join, resolve } from 'node:path';
import { localFiles } from '../adapters/files/local-files.ts';
import { sourcePrograms } from '../adapters/playbooks/source-programs.ts';
import type { InstanceKeys } from '../adapters/secrets/aes-gcm-secret-box.ts';
import { type MayBeFirst, parseInstanceKey } from '../adapters/secrets/instance-key.ts';
import { fixedInstanceKey, instanceKeysOfFile, previousKeyPath } from '../adapters/secrets/instance-key-file.ts';
import { fileKeyRotation, refusedKeyRotation } from '../adapters/secrets/key-rotation.ts';
import { machineSecrets } from '../adapters/secrets/machine-secrets.ts';
import type { MachineFiles } from '../app/maintenance/services.ts';
import type { FileAccess, KeyRotation, MachineSecrets, ProcessIdentity, ProgramAccess } from '../ports/index.ts';
import { CONFIG_FILE_NAMES } from './config/load.ts';
import { packagedFile } from './packaged-file.ts';
import { playbookFolder } from './playbooks.ts';
import type { AppInput, ComposedInput } from './settings.ts';

export function instanceKeys(input: AppInput, mayBeFirst: MayBeFirst): InstanceKeys {
  const { INSTANCE_KEY } = input.config;
  if (INSTANCE_KEY !== '') return fixedInstanceKey(() => parseInstanceKey(INSTANCE_KEY, 'INSTANCE_KEY'));
  return instanceKeysOfFile(instanceKeyPath(input), mayBeFirst);
}

export function keyRotation(input: AppInput, mayBeFirst: MayBeFirst): KeyRotation {
  const path = instanceKeyPath(input);
  if (input.config.INSTANCE_KEY === '') return fileKeyRotation(path, mayBeFirst);
  return refusedKeyRotation(
    `the instance key comes from INSTANCE_KEY, which this command cannot change: write its value into ${path} (mode 0600), remove INSTANCE_KEY, and run the command again; from then on the key is in that file`,
  );
}

function instanceKeyPath({ config, workingDirectory }: AppInput): string {
  const path = config.INSTANCE_KEY_FILE === '' ? join(config.DATA_DIR, 'instance.key') : config.INSTANCE_KEY_FILE;
  return isAbsolute(path) ? path : resolve(workingDirectory, path);
}

/** The files of this machine that the accounts of sources and targets can reach. */
export function accountFiles(input: ComposedInput, identity: ProcessIdentity): FileAccess {
  const { config, workingDirectory } = input;
  const { secrets, configuration, dataFolder, plugins, playbookFolder } = machineFiles(input);
  const at = (path: string): string => resolve(workingDirectory, path);
  const imports = join(dataFolder, 'imports');
  const exports = join(dataFolder, 'exports');
  const named = [...config.FILE_SOURCE_DIRS, ...config.FILE_TARGET_DIRS];
  return localFiles({
    workingDirectory,
    absoluteFolders: [...named, ...(isAbsolute(config.DATA_DIR) ? [imports, exports] : [])].filter((path) =>
      isAbsolute(path),
    ),
    process: identity,
    sourceFolders: config.FILE_SOURCE_DIRS.length === 0 ? [imports] : config.FILE_SOURCE_DIRS.map(at),
    targetFolders: config.FILE_TARGET_DIRS.length === 0 ? [exports] : config.FILE_TARGET_DIRS.map(at),
    dataFolder,
    openInData: [imports, exports],
    configurationFolders: [configurationFolder(workingDirectory)],
    programs: [...['ansible', 'bin', 'dist', 'node_modules', 'src'].map(packagedFile), playbookFolder, ...plugins],
    secretFiles: [...secrets, ...configuration, ...input.stores.copies(config.DATABASE_URL, workingDirectory)],
  });
}

/** The files and variables of this machine that documents may name as secrets. */
export function openedSecrets(input: ComposedInput): MachineSecrets {
  const { config, workingDirectory } = input;
  const { secrets, configuration, dataFolder } = machineFiles(input);
  const folders = config.SECRET_DIRS.map((path) => resolve(workingDirectory, path));
  return machineSecrets({
    folders: folders.length === 0 ? [join(dataFolder, 'secrets')] : folders,
    closed: [...secrets, ...configuration, ...input.stores.copies(config.DATABASE_URL, workingDirectory)],
    variables: config.SECRET_ENVIRONMENT,
    environment: process.env,
  });
}

/** The programs that accounts of the operator have run. */
export function accountPrograms({ config, workingDirectory }: AppInput): ProgramAccess {
  return sourcePrograms({ workingDirectory, environment: process.env, passed: config.PLAYBOOK_ENVIRONMENT });
}

export function machineFiles(input: ComposedInput): MachineFiles {
  const { config, workingDirectory } = input;
  const at = (path: string): string => resolve(workingDirectory, path);
  const key = instanceKeyPath(input);
  const database = input.stores.files(config.DATABASE_URL, workingDirectory);
  const isPath = (name: string): boolean => name.startsWith('.') || name.includes('/');
  return {
    secrets: [key, previousKeyPath(key), ...(config.TLS_KEY === '' ? [] : [at(config.TLS_KEY)]), ...database],
    database,
    dataFolder: at(config.DATA_DIR),
    backupFolder: config.BACKUP_DIR === '' ? join(at(config.DATA_DIR), 'backups') : at(config.BACKUP_DIR),
    configuration: CONFIG_FILE_NAMES.map((name) => join(configurationFolder(workingDirectory), name)),
    plugins: config.PLUGINS.filter(isPath).flatMap((path) => [
      ...new Set([at(path), resolve(configurationFolder(workingDirectory), path)]),
    ]),
    playbookFolder: playbookFolder(input),
  };
}

/** The folder that is searched for configuration files. */
export function configurationFolder(workingDirectory: string): string {
  return resolve(workingDirectory, process.env.SERVICE_CONFIG_DIR ?? '');
}
