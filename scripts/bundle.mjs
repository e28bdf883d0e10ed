// How the program is bundled: for the build, for `npm run dev`, and for the benchmarks, which must measure the same program.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './report.mjs';

// Chunks lie flat beside the entries, so that `new URL('./sqlite-writer.js', import.meta.url)` means the same file from every one of them.
export const entries = {
  muster: 'src/adapters/cli/main.ts',
  'sqlite-writer': 'src/adapters/storage/sqlite/writer-thread.ts',
  'sqlite-check': 'src/adapters/storage/sqlite/check-thread.ts',
  'main-watch': 'src/adapters/plugin-watch/main-watch-thread.ts',
  'operation-worker': 'src/adapters/workers/worker-thread.ts',
  'sqlite-reader': 'src/plugins/sql/engines/sqlite-process.ts',
  'plugin-api': 'src/plugin-api.ts',
  kit: 'src/kit/index.ts',
  'storage-api': 'src/storage-api.ts',
  testing: 'src/testing.ts',
};

export const assets = { migrations: 'src/adapters/storage/sqlite/migrations', presets: 'src/plugins/rest/presets' };

/** What the pages of the documentation do in a browser. */
export const siteScript = {
  absWorkingDir: root,
  entryPoints: ['scripts/docs-site/site.mjs'],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
};

/** The program reads its version from package.json; the rest of that file would be loaded with every command. */
const versionOnly = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /package\.json$/ }, async ({ path }) => {
      if (path !== join(root, 'package.json')) return undefined;
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** The messages of schemas are English; the other forty languages of zod would be compiled with every command. */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => {
      return { contents: "export { default as en } from './en.js';", loader: 'js' };
    });
  },
};

/** The driver of SQL Server can log in by way of Azure, with fifty megabytes of packages. Accounts have a name and a password. */
const withoutAzure = {
  name: 'without-azure',
  setup(build) {
    build.onResolve({ filter: /^@azure\// }, ({ path }) => ({ path, namespace: 'without-azure' }));
    build.onLoad({ filter: /.*/, namespace: 'without-azure' }, () => ({
      contents: 'module.exports = {};',
      loader: 'js',
    }));
  },
};

export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Packages with compiled parts find those beside their own files.
  external: ['better-sqlite3', '@node-rs/argon2', 'vitest'],
  sourcemap: 'linked',
  sourcesContent: false,
  // A fifth less to read and parse at each start; names stay, and positions are mapped.
  minifyWhitespace: true,
  legalComments: 'none',
  // Bundled CommonJS packages ask for what ES modules do not have.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  logLevel: 'warning',
};

export const programOptions = {
  ...bundleOptions,
  plugins: [versionOnly, englishOnly, withoutAzure],
  entryPoints: entries,
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  legalComments: 'external',
  write: false,
  metafile: true,
};

const INDEXED = ['@mantine/core', '@mantine/hooks'];

/**
 * Components come from their own modules and not through the index of their library: what any page takes from an index goes to the part that
 * every page loads.
 */
const withoutIndexes = {
  name: 'without-indexes',
  setup(build) {
    const modules = new Map();
    build.onStart(async () => {
      for (const library of INDEXED) modules.set(library, await modulesOf(library));
    });
    build.onLoad({ filter: /[/\\](?:admin[/\\]pages|@mantine)[/\\].*\.(?:tsx?|mjs)$/ }, async ({ path }) => {
      const contents = (await sourceOf(path)).replace(
        /^import \{([^}]*)\} from (["'])(@mantine\/\w+)\2;$/gm,
        (whole, names, _, library) => {
          const known = modules.get(library);
          return known === undefined ? whole : directImports(names, library, known);
        },
      );
      return { contents, loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Texts of pages in the language of the reader: marked ones become calls, catalogues of languages modules. */
const messages = {
  name: 'messages',
  setup(build) {
    build.onResolve({ filter: /\.po\?/ }, ({ path, resolveDir }) => {
      const [file, part] = path.split('?');
      return { path: join(resolveDir, file), suffix: `?${part}` };
    });
    build.onLoad({ filter: /\.po$/ }, async ({ path, suffix }) => {
      const { compiledCatalogue } = await import('./messages/catalogue.mjs');
      const texts = compiledCatalogue(await readFile(path, 'utf8'), suffix.slice(1));
      // As JSON, each text would be exported by its own name as well.
      return { contents: `export default ${JSON.stringify(texts)};` };
    });
  },
};

/** A file as it is bundled: of pages, with its texts made calls of the catalogue. */
async function sourceOf(path) {
  // Loaded when something is bundled: `npm test` reads this file before packages are installed.
  const { hasMessages, withMessages } = await import('./messages/transform.mjs');
  const source = await readFile(path, 'utf8');
  if (!hasMessages(source)) return source;
  return (await withMessages(source, path, join(root, 'src/adapters/admin/pages/language/language.ts'))).code;
}

/** The module of each name that the index of a library gives on. */
async function modulesOf(library) {
  const folder = join(root, 'node_modules', library, 'esm');
  const index = await readFile(join(folder, 'index.mjs'), 'utf8');
  const found = new Map();
  for (const [, names, from] of index.matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)) {
    for (const [imported, name] of namesIn(names))
      found.set(name, { imported, path: from.startsWith('.') ? join(folder, from) : from });
  }
  return found;
}

function directImports(names, library, known) {
  return namesIn(names)
    .filter(([imported]) => !imported.startsWith('type '))
    .map(([imported, name]) => {
      const of = known.get(imported);
      if (of === undefined) return `import { ${imported} as ${name} } from '${library}';`;
      return `import { ${of.imported} as ${name} } from ${JSON.stringify(of.path)};`;
    })
    .join(' ');
}

/** `a, b as c` as pairs of what is imported and how it is called here. */
function namesIn(text) {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => one.split(' as '))
    .map(([imported, name = imported]) => [imported, name]);
}

// The admin interface: for browsers, its files named by what is in them.
export const pagesOptions = {
  absWorkingDir: root,
  entryPoints: { main: 'src/adapters/admin/pages/main.tsx' },
  outdir: 'dist/admin',
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  jsx: 'automatic',
  tsconfig: 'src/adapters/admin/pages/tsconfig.json',
  plugins: [withoutIndexes, messages],
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.woff2': 'file', '.svg': 'file' },
  // Modules of the core are imported for their types, which leave nothing behind.
  legalComments: 'external',
  write: false,
  metafile: true,
  logLevel: 'warning',
};
