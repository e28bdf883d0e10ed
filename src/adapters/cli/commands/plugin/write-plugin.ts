import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadPlugins } from '../../../../app/kernel/plugin-host/load.ts';
import { PluginRegistry } from '../../../../app/kernel/plugin-host/registry.ts';
import { packagedFile } from '../../../../main/packaged-file.ts';
import { BUILTIN_PLUGINS } from '../../../../plugins/index.ts';
import { AppError, type Logger, PLUGIN_API_VERSION } from '../../../../ports/index.ts';

export type PluginKind = 'source' | 'target' | 'provider' | 'rule-type' | 'job' | 'processor' | 'action';

export interface NewPlugin {
  readonly name: string;
  readonly kind: PluginKind;
  readonly typescript: boolean;
  /** Folder in which the plugin's own folder is created. */
  readonly directory: string;
}

export interface WrittenPlugin {
  readonly folder: string;
  /** Names in the folder, sorted. */
  readonly files: readonly string[];
}

/** Form of the names of plugins; the folder has the same name. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST_NAME = 60;

/** Writes the folder of a new plugin, which must not be there. */
export async function writePlugin(plugin: NewPlugin): Promise<WrittenPlugin> {
  const { name, directory } = plugin;
  await requireName(plugin);
  const files = await filesOf(plugin, join(directory, name));
  const folder = join(directory, name);
  try {
    await mkdir(folder);
  } catch (error) {
    throw folderFault(name, error);
  }
  try {
    for (const [file, text] of files) await writeFile(join(folder, file), text, { flag: 'wx' });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw folderFault(name, error);
  }
  return { folder, files: [...files.keys()].sort() };
}

function folderFault(name: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new AppError('conflict', `${name} is there already; choose another name`);
  return new AppError('failed', `${name} cannot be written: ${code ?? String(error)}`, { cause: error });
}

async function requireName({ name, kind }: NewPlugin): Promise<void> {
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    const rule = `lower-case words joined by dashes, such as my-cmdb, with ${LONGEST_NAME} characters at most`;
    throw new AppError('invalid_input', `the name of a plugin must be ${rule}`);
  }
  const registry = new PluginRegistry();
  const none = { modules: [], settings: {}, directories: [], timeoutSeconds: 1, logger: SILENT };
  await loadPlugins(registry, { builtin: BUILTIN_PLUGINS, ...none });
  const isTaken = {
    source: () => isAccountType(registry, name),
    target: () => isAccountType(registry, name),
    provider: () => registry.isProviderName(name),
    'rule-type': () => registry.ruleType(identOf(name)) !== undefined,
    job: () => registry.namedJob(titleOf(name)) !== undefined,
    processor: () => registry.recordProcessor(name) !== undefined,
    // Its names are those of the plugin.
    action: () => false,
  }[kind];
  if (isTaken() || registry.has(name)) {
    throw new AppError('conflict', `${name} is the name of something that is built in; choose another one`);
  }
}

function isAccountType(registry: PluginRegistry, name: string): boolean {
  return name === 'api' || registry.source(name) !== undefined || registry.target(name) !== undefined;
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

async function filesOf({ name, kind, typescript }: NewPlugin, folder: string): Promise<ReadonlyMap<string, string>> {
  const extension = typescript ? 'ts' : 'js';
  // Many tools take a folder called `target` for build output.
  const templates = packagedFile(`examples/new-plugin/${kind === 'target' ? 'export-target' : kind}`);
  const files = new Map<string, string>();
  for (const file of (await readdir(templates)).sort()) {
    if (!file.endsWith(`.${extension}`) && file !== 'README.md') continue;
    files.set(file, filled(await readFile(join(templates, file), 'utf8'), { name, extension, folder }));
  }
  const own = JSON.parse(await readFile(packagedFile('package.json'), 'utf8'));
  files.set('package.json', jsonText(packageOf(name, typescript, own.devDependencies)));
  // The program is copied and not linked, so that its suites find the test runner of the plugin.
  files.set('.npmrc', 'install-links=true\n');
  files.set('.gitignore', typescript ? 'node_modules\ndist\n' : 'node_modules\n');
  if (typescript) files.set('tsconfig.json', jsonText(TSCONFIG));
  return files;
}

function filled(
  template: string,
  { name, extension, folder }: { readonly name: string; readonly extension: string; readonly folder: string },
): string {
  return template
    .replaceAll('my-plugin', name)
    .replaceAll('my_plugin', identOf(name))
    .replaceAll('My plugin', titleOf(name))
    .replace(/apiVersion: \d+/, `apiVersion: ${PLUGIN_API_VERSION}`)
    .replaceAll('{{index}}', `index.${extension}`)
    .replaceAll('{{test}}', `index.test.${extension}`)
    .replaceAll('{{simulator}}', `simulator.${extension}`)
    .replaceAll('{{folder}}', folder);
}

/** Rule types are named with low lines. */
function identOf(name: string): string {
  return name.replaceAll('-', '_');
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `versions`: of the packages that this program is tested with. */
function packageOf(name: string, typescript: boolean, versions: Readonly<Record<string, string>>): object {
  const tools = ['vitest', ...(typescript ? ['@types/node', 'typescript'] : [])];
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    main: typescript ? 'dist/index.js' : 'index.js',
    scripts: typescript ? { build: 'tsc', test: 'tsc && vitest run index.test.ts --dir .' } : { test: 'vitest run' },
    devDependencies: {
      muster: `file:${dirname(packagedFile('package.json'))}`,
      ...Object.fromEntries(tools.map((tool) => [tool, versions[tool] ?? '*'])),
    },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['*.ts'],
};

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
