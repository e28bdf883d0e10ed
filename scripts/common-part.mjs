// Puts what nearly all commands share into few files. Every import() begins an entry, and esbuild makes a chunk of the modules that the
// same entries need: with 150 entries, what `muster inventory` needs of the application lay in 120 files, and Node takes about as
// long to find, link and visit each as to compile it. Operations and commands are loaded beside the whole application anyway, so each of
// them names all small modules that it has in common with others of them: then the same entries need all of these. The same command
// loads the same modules from 40 files, with a tenth fewer instructions. What help loads stays as it is.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What every command loads to do its work. */
const APPLICATION = [
  'src/adapters/cli/open-application.ts',
  'src/adapters/logging/quiet-logger.ts',
  'src/adapters/storage/sqlite/storage.ts',
];
/** Help is these, and what they load: it stays as small as it is. */
const COMMAND_LINE = 'src/adapters/cli/main.ts';
const GROUPS = ['src/adapters/cli/program.ts', 'src/adapters/cli/command-groups.ts', 'generated/commands.ts'];
/** Chunks below this many bytes of source are joined; larger ones are worth a file of their own. */
const SMALL = 20_000;

/** By entry, the modules that it is to name. `inputs` are those of a metafile. */
export function commonPart(inputs) {
  const graph = new ModuleGraph(inputs);
  const entries = graph.dynamicEntries();
  const application = graph.closure(APPLICATION);
  const users = usersOf(graph, entries);
  const sizes = sizesOf(inputs, users);
  const ofHelp = new Set(graph.dynamicImports(GROUPS));
  const help = graph.closure([COMMAND_LINE, ...ofHelp]);
  const common = [...application].filter((module) => {
    if (help.has(module) || entries.has(module)) return false;
    const set = users.get(module) ?? '';
    return sizes.get(set) < SMALL && set.split('\n').some((entry) => entry !== '' && !application.has(entry));
  });
  const named = new Map();
  for (const entry of entries) {
    const closure = graph.closure([entry]);
    if (ofHelp.has(entry) || !common.some((module) => closure.has(module))) continue;
    named.set(
      entry,
      common.filter((module) => !graph.closure([module]).has(entry)),
    );
  }
  return named;
}

class ModuleGraph {
  #inputs;

  constructor(inputs) {
    this.#inputs = inputs;
  }

  /** The modules with all that they import, and so on. */
  closure(modules) {
    const found = new Set(modules.filter((module) => module in this.#inputs));
    for (const module of found) for (const each of this.#imports(module, false)) found.add(each);
    return found;
  }

  dynamicImports(modules) {
    return modules.flatMap((module) => this.#imports(module, true));
  }

  dynamicEntries() {
    return new Set(this.dynamicImports(Object.keys(this.#inputs)));
  }

  #imports(module, isDynamic) {
    return this.#inputs[module].imports
      .filter(
        ({ kind, external, path }) => !external && path in this.#inputs && (kind === 'dynamic-import') === isDynamic,
      )
      .map(({ path }) => path);
  }
}

/** By module, the entries that need it, each on a line. */
function usersOf(graph, entries) {
  const users = new Map();
  for (const entry of entries) {
    for (const module of graph.closure([entry])) users.set(module, `${users.get(module) ?? ''}${entry}\n`);
  }
  return users;
}

/** How many bytes the same entries need. */
function sizesOf(inputs, users) {
  const sizes = new Map();
  for (const [module, set] of users) sizes.set(set, (sizes.get(set) ?? 0) + inputs[module].bytes);
  return sizes;
}

/** Has the entries import what they are to name. */
export function namingCommonPart(root, named) {
  return {
    name: 'common-part',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const modules = named.get(relative(root, path).replaceAll('\\', '/'));
        if (modules === undefined) return undefined;
        const imports = modules.map((module) => `import ${JSON.stringify(join(root, module))};`);
        return { contents: `${await readFile(path, 'utf8')}\n${imports.join('\n')}\n`, loader: 'ts' };
      });
    },
  };
}
