// Puts the many small parts of the bundled pages together into few files: each costs a round trip, where the line is long.
import { basename, relative } from 'node:path';
import { root } from './report.mjs';

const MAIN = 'src/adapters/admin/pages/main.tsx';
const INSIDE = 'src/adapters/admin/pages/router.tsx';

/** Names the loader of a part by its entry module: the start, the pages behind the login, one room of them, or a part wanted later. */
function loaderOf(entry) {
  if (entry === MAIN) return 'main';
  if (entry === INSIDE) return 'inside';
  const [, room, isPage] = /^src\/adapters\/admin\/pages\/([a-z]+)\/.*?(-pages?)?\.[a-z]+(?:\?\w+)?$/.exec(entry) ?? [];
  return isPage === undefined ? `later-${room}-${basename(entry)}` : `room-${room}`;
}

/**
 * Names the file for a part with several loaders; a part with one loader is in the file of that loader. A file needs only parts that all its loaders
 * need too, so files form no cycles.
 */
function sharedFile(loaders) {
  const all = [...loaders];
  if (loaders.has('main')) return 'base';
  if (loaders.has('inside') || all.some((loader) => loader.includes('-overview'))) return 'shell';
  return all.some((loader) => loader.startsWith('room-')) ? 'rooms' : all.sort().join('-');
}

/** Groups the scripts of a bundle. Returns for each loader its script, with the files that it needs. */
export async function groupScripts({ outputFiles, metafile: { outputs } }) {
  const loaders = new Map();
  const entries = new Map();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || !path.endsWith('.js')) continue;
    const loader = loaderOf(entryPoint);
    entries.set(loader, [...(entries.get(loader) ?? []), basename(path)]);
    for (const needed of [path, ...neededBy(path, (of) => importsOf(outputs[of]))])
      loaders.set(basename(needed), (loaders.get(basename(needed)) ?? new Set()).add(loader));
  }
  const files = new Map(
    outputFiles.map(({ path, text }) => [
      basename(path),
      { text, names: outputs[relative(root, path)]?.exports ?? [] },
    ]),
  );
  const output = await regrouped(files, entries, (part) => {
    const by = loaders.get(part);
    return by === undefined || by.size === 1 ? null : sharedFile(by);
  });
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const scripts = new Map();
  for (const { facadeModuleId, fileName } of output) {
    const loader = [...entries].find(([name, parts]) => name === facadeModuleId || parts.includes(facadeModuleId))?.[0];
    if (loader !== undefined) scripts.set(loader, [fileName, ...neededBy(fileName, (of) => chunks.get(of).imports)]);
  }
  const encoder = new TextEncoder();
  return { scripts, outputs: output.map(({ fileName, code }) => ({ name: fileName, contents: encoder.encode(code) })) };
}

async function regrouped(files, entries, fileOf) {
  // Loaded when something is bundled: `npm test` reads this file before packages are installed.
  const { rolldown } = await import('rolldown');
  // All pages of a room become one module: a page with its own import would need a file that only refers to another.
  const rooms = new Map([...entries].filter(([loader]) => loader.startsWith('room-')));
  const roomOf = new Map([...rooms].flatMap(([room, parts]) => parts.map((part) => [part, room])));
  const member = (part, name) => `${part.replace(/\W/g, '_')}_${name}`;
  const exportsOf = (part) =>
    `export { ${files
      .get(part)
      .names.map((name) => `${name} as ${member(part, name)}`)
      .join(', ')} } from './${part}';`;
  const fromRoom = (whole, part) => {
    if (!roomOf.has(part)) return whole;
    const members = files.get(part).names.map((name) => `${name}:room.${member(part, name)}`);
    return `import("./${roomOf.get(part)}").then(room=>({${members.join()}}))`;
  };
  const bundle = await rolldown({
    input: { main: entries.get('main')[0] },
    preserveEntrySignatures: false,
    plugins: [
      {
        name: 'bundled',
        resolveId: (id) => basename(id),
        load: (id) =>
          rooms.get(id)?.map(exportsOf).join('\n') ??
          files.get(id)?.text.replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, fromRoom),
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: false, mangle: true, codegen: true },
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'shared', name: fileOf }] },
  });
  await bundle.close();
  return output;
}

/** Lists the files that one needs before it runs, so that all are requested at once. */
export function neededBy(file, importsIn) {
  const found = new Set();
  const visit = (of) => {
    for (const needed of importsIn(of)) {
      if (found.has(needed)) continue;
      found.add(needed);
      visit(needed);
    }
  };
  visit(file);
  return [...found];
}

/** Lists the files that a file of the bundle imports directly. */
export function importsOf({ imports }) {
  return imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
}
