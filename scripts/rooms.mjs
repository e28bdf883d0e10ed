#!/usr/bin/env node
// Measures the structure of the sources: `npm run rooms` prints lines, files, importers and floors of each room, the lines of the
// core, the floors and cycles of `src/app`, and how many files some behaviours pass through. `npm run rooms -- <revision>` prints
// those of a revision beside them, and `npm run rooms -- --walk 'GET /objects/<host>'` the files of one walk.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { parseSync } from '@babel/core';
import { root } from './report.mjs';

/** The rooms that a maintainer has to know; a feature's room is opened when it is needed. */
const CORE = [
  'src/kit/',
  'src/main/',
  'src/plugins/shared/',
  'src/ports/',
  ...['accounts', 'catalogue', 'extensions', 'hosts', 'inventory', 'journal', 'kernel', 'rules', 'users', 'words'].map(
    (room) => `src/app/${room}/`,
  ),
  // Rooms that are features now are below `runs` in earlier revisions.
  ...['active', 'cron', 'figures', 'import', 'past', 'views'].map((room) => `src/app/runs/${room}/`),
  /^src\/app\/runs\/[^/]+$/,
];

/** The template engine, now and before: a walk that reaches it has arrived. */
const LIBRARIES = ['src/jinja/', 'src/app/templating/'];

const EXECUTOR = 'src/app/kernel/executor.ts';
const LISTENER = ['operation-call', 'errors', 'answers', 'request-context'].map(
  (name) => `src/adapters/listener/${name}.ts`,
);
const sqlite = (...names) => names.map((name) => `src/adapters/storage/sqlite/${name}.ts`);

/** By name, the files where a behaviour begins, and where it goes on behind a port. */
const WALKS = {
  'row of a CSV file to byte of an inventory': [
    'src/plugins/csv/index.ts',
    'src/app/runs/import/operations/import-account.ts',
    ...sqlite('write/change-hosts'),
    'src/app/inventory/operations/render-inventory.ts',
    'src/app/inventory/render.ts',
    'src/plugins/automation-inventory/provider.ts',
  ],
  'GET /objects/<host>': [
    'src/adapters/http/route.ts',
    ...LISTENER,
    'src/adapters/listener/entity-tags.ts',
    EXECUTOR,
    'src/app/hosts/operations/get-host.ts',
    ...sqlite('host-query', 'rows'),
  ],
  '"archive host" of a page': [
    'src/adapters/admin/pages/hosts/host-actions.tsx',
    'src/adapters/admin/pages/calls/use-call.ts',
    ...LISTENER,
    EXECUTOR,
    'src/app/hosts/operations/archive-hosts.ts',
    ...sqlite('connection', 'host-query', 'writer-client', 'writer-protocol', 'write/change-hosts'),
  ],
  'plan of NetBox and its apply': [
    'src/app/exports/export-run.ts',
    'src/app/exports/plans/plan-run.ts',
    'src/app/exports/plans/apply-plan.ts',
    'src/plugins/netbox/export/open-target.ts',
    ...sqlite('plans', 'write/plans'),
  ],
};

/** Where files of the walks were in earlier revisions. */
const EARLIER = [
  ['src/app/exports/plans/', 'src/app/runs/plans/'],
  ['src/app/exports/', 'src/app/runs/export/'],
  ['src/plugins/netbox/export/', 'src/plugins/netbox/target/'],
];

const earlier = (path) => EARLIER.reduce((found, [now, then]) => found.replace(now, then), path);

function sourcesOf(folder) {
  const sources = new Map();
  for (const name of readdirSync(join(folder, 'src'), { recursive: true })) {
    const path = `src/${name.replaceAll('\\', '/')}`;
    if (/\.tsx?$/.test(path)) sources.set(path, readFileSync(join(folder, path), 'utf8'));
  }
  return sources;
}

/** The declarations of a file by name with the names that they use, its imports and exports by name, and all files it imports. */
function moduleOf(path, text) {
  const { body } = parseSync(text, {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'] },
  }).program;
  const module = { declarations: new Map(), imports: new Map(), exports: new Map(), files: new Set(), stars: [] };
  const resolved = (specifier) => posix.normalize(posix.join(posix.dirname(path), specifier));
  for (const statement of body) {
    const source = statement.source?.value;
    if (source?.startsWith('.')) module.files.add(resolved(source));
    if (statement.type === 'ImportDeclaration') {
      if (statement.importKind === 'type' || !source.startsWith('.')) continue;
      for (const { local, imported, importKind } of statement.specifiers)
        if (importKind !== 'type')
          module.imports.set(local.name, { file: resolved(source), name: imported?.name ?? '*' });
    } else if (statement.type === 'ExportAllDeclaration') module.stars.push(resolved(source));
    else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      for (const { local, exported } of statement.specifiers)
        module.exports.set(
          exported.name,
          source ? { file: resolved(source), name: local.name } : { local: local.name },
        );
    } else declare(module, statement, resolved);
  }
  return module;
}

function declare(module, statement, resolved) {
  const declaration = statement.declaration ?? statement;
  if (declaration.type.startsWith('TS')) return;
  const uses = usesOf(declaration, resolved);
  for (const { file } of uses.loaded) module.files.add(file);
  const names = (declaration.declarations ?? [declaration]).map(({ id }) => id?.name ?? 'default');
  for (const name of names) {
    module.declarations.set(name, uses);
    if (statement.type.startsWith('Export'))
      module.exports.set(statement.type === 'ExportDefaultDeclaration' ? 'default' : name, { local: name });
  }
}

/** The names that a declaration uses, and what it loads by `import()`. */
function usesOf(declaration, resolved) {
  const uses = { names: new Set(), loaded: [] };
  const visit = (node, parents) => {
    if (node.type.startsWith('TS')) {
      if (node.expression?.type) visit(node.expression, parents);
      return;
    }
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') uses.names.add(node.name);
    const specifier =
      node.type === 'CallExpression' && node.callee.type === 'Import' ? node.arguments[0].value : undefined;
    if (specifier?.startsWith('.')) uses.loaded.push({ file: resolved(specifier), names: takenNames(parents) });
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child])
        if (typeof each?.type === 'string') visit(each, [node, ...parents].slice(0, 3));
  };
  visit(declaration, []);
  return uses;
}

/** Follows the declarations that are used from the files of `starts` on; returns the files that hold them. */
function walk(modules, named) {
  const starts = named.map((path) => (modules.has(path) ? path : earlier(path)));
  const missing = starts.filter((start) => !modules.has(start));
  if (missing.length > 0) throw new Error(`No such file, name another start of the walk: ${missing.join(', ')}`);
  const met = new Set();
  const seen = new Set();
  const queue = starts.map((start) => [start, '*']);
  while (queue.length > 0) {
    const [path, name = '*'] = queue.pop();
    const module = modules.get(path);
    if (module === undefined || LIBRARIES.some((library) => path.startsWith(library)) || seen.has(`${path}#${name}`))
      continue;
    seen.add(`${path}#${name}`);
    if (name === '*') queue.push(...[...module.declarations.keys()].map((each) => [path, each]));
    const uses = module.declarations.get(name);
    if (uses === undefined) {
      const exported = module.exports.get(name);
      if (exported?.local !== undefined) queue.push([path, exported.local]);
      else if (exported !== undefined) queue.push([exported.file, exported.name]);
      else queue.push(...module.stars.map((file) => [file, name]));
      continue;
    }
    met.add(path);
    for (const used of uses.names) {
      const imported = module.imports.get(used);
      if (imported !== undefined) queue.push([imported.file, imported.name]);
      else if (used !== name && module.declarations.has(used)) queue.push([path, used]);
    }
    for (const { file, names } of uses.loaded) queue.push(...names.map((each) => [file, each]));
  }
  return met;
}

/** The names that are taken of a module: by a pattern, as a member, or all of them. */
function takenNames([, outer, third]) {
  if (outer?.type === 'MemberExpression') return [outer.property.name];
  if (outer?.type === 'VariableDeclarator' && outer.id.type === 'ObjectPattern')
    return outer.id.properties.map(({ key }) => key.name);
  return third?.type === 'MemberExpression' ? [third.property.name] : ['*'];
}

/** The room of a file: a folder of `src/app`, `src/adapters` or `src/plugins`, else one of `src`. */
function roomOf(path) {
  const [, area, room] = path.split('/');
  return ['app', 'adapters', 'plugins'].includes(area) && room.includes('.') === false
    ? `src/${area}/${room}`
    : `src/${area.replace(/\.ts$/, '')}`;
}

const linesOf = (text) => text.split('\n').length - 1;

/** Lines, files, importers and floor of each room. */
function roomsOf(sources, modules) {
  const rooms = new Map();
  for (const [path, text] of sources) {
    const room = rooms.get(roomOf(path)) ?? { lines: 0, files: 0, importers: new Set() };
    rooms.set(roomOf(path), room);
    room.lines += linesOf(text);
    room.files += 1;
  }
  for (const [path, { files }] of modules)
    for (const file of files)
      if (modules.has(file) && roomOf(file) !== roomOf(path)) rooms.get(roomOf(file)).importers.add(path);
  const floors = floorsOf(folderImports(modules));
  for (const path of sources.keys()) {
    const room = rooms.get(roomOf(path));
    room.floor = Math.max(room.floor ?? 0, floors.get(posix.dirname(path)));
  }
  return rooms;
}

/** By folder, the folders that its files import, types too; `folderOf` says which folder a file counts for. */
function folderImports(modules, folderOf = posix.dirname) {
  const edges = new Map([...modules.keys()].map((path) => [folderOf(path), new Set()]));
  for (const [path, { files }] of modules)
    for (const file of files)
      if (modules.has(file) && folderOf(file) !== folderOf(path)) edges.get(folderOf(path)).add(folderOf(file));
  return edges;
}

/** By folder, the longest chain of imports between folders that begins there; a cycle counts as one. */
function floorsOf(edges) {
  const component = componentsOf(edges);
  const floors = new Map();
  const floorOf = (id) => {
    if (floors.has(id)) return floors.get(id);
    const below = [...edges].filter(([folder]) => component.get(folder) === id).flatMap(([, targets]) => [...targets]);
    const others = new Set(below.map((folder) => component.get(folder)).filter((other) => other !== id));
    const floor = 1 + Math.max(0, ...[...others].map(floorOf));
    floors.set(id, floor);
    return floor;
  };
  return new Map([...edges.keys()].map((folder) => [folder, floorOf(component.get(folder))]));
}

/** By node, the number of its cycle (Tarjan). */
function componentsOf(edges) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const component = new Map();
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const target of edges.get(node)) {
      if (!index.has(target)) visit(target);
      if (!component.has(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) !== index.get(node)) return;
    for (let member; member !== node; ) {
      member = stack.pop();
      component.set(member, node);
    }
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return component;
}

/** Folders that import each other, a list for each cycle. */
function cyclesOf(edges) {
  const cycles = new Map();
  for (const [folder, cycle] of componentsOf(edges)) cycles.set(cycle, [...(cycles.get(cycle) ?? []), folder]);
  return [...cycles.values()].filter((folders) => folders.length > 1);
}

/** How the files below a folder import each other. */
function structureOf(modules, area) {
  const own = new Map([...modules].filter(([path]) => path.startsWith(`${area}/`)));
  const byRoom = floorsOf(folderImports(own, roomOf));
  const byFolder = folderImports(own);
  return {
    floors: Math.max(...byRoom.values()),
    folderFloors: Math.max(...floorsOf(byFolder).values()),
    cycles: cyclesOf(byFolder).map((folders) => folders.map((folder) => folder.slice(area.length + 1) || '.')),
  };
}

function modulesOf(sources) {
  return new Map([...sources].map(([path, text]) => [path, moduleOf(path, text)]));
}

function measure(folder) {
  const sources = sourcesOf(folder);
  const modules = modulesOf(sources);
  const lines = (chosen) =>
    [...sources].filter(([path]) => chosen(path)).reduce((sum, [, text]) => sum + linesOf(text), 0);
  const isCore = (path) => CORE.some((room) => (typeof room === 'string' ? path.startsWith(room) : room.test(path)));
  const app = structureOf(modules, 'src/app');
  const ofRules = app.cycles.filter((folders) => folders.some((folder) => /^rules(\/|$)/.test(folder)));
  return {
    rooms: roomsOf(sources, modules),
    totals: {
      'lines of src': lines(() => true),
      'files of src': sources.size,
      core: lines(isCore),
      'floors of src/app, by room': app.floors,
      'floors of src/app, by folder': app.folderFloors,
      'cycles between folders of src/app/rules': ofRules.length,
      'cycles between folders of src/app': app.cycles.length,
    },
    cycles: app.cycles,
    walks: Object.fromEntries(Object.entries(WALKS).map(([name, starts]) => [name, walk(modules, starts).size])),
  };
}

/** The sources of a revision, in a folder of their own. */
function checkedOut(revision) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-rooms-'));
  const archive = execFileSync('git', ['archive', revision, 'src'], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return folder;
}

const count = (figure) => figure?.size ?? figure;

function print(now, before) {
  const beside = (value, earlier) => (before === undefined ? `${value}` : `${value} (${earlier ?? 0})`).padStart(18);
  console.log(
    `${'room'.padEnd(34)}${['lines', 'files', 'importers', 'floors'].map((title) => title.padStart(18)).join('')}`,
  );
  for (const [name, room] of [...now.rooms].sort(([, a], [, b]) => b.lines - a.lines)) {
    const earlier = before?.rooms.get(name);
    const cells = ['lines', 'files', 'importers', 'floor'].map((figure) =>
      beside(count(room[figure]), count(earlier?.[figure])),
    );
    console.log(`${name.padEnd(34)}${cells.join('')}`);
  }
  for (const [title, value] of Object.entries(now.totals))
    console.log(`${title}: ${beside(value, before?.totals[title]).trim()}`);
  for (const folders of now.cycles) console.log(`  ${folders.join(' ↔ ')}`);
  console.log('files that these pass:');
  for (const [name, value] of Object.entries(now.walks))
    console.log(`  ${name}: ${beside(value, before?.walks[name]).trim()}`);
}

const [revision, name] = process.argv.slice(2);
if (revision === undefined) print(measure(root));
else if (revision === '--walk') {
  if (!Object.hasOwn(WALKS, name)) throw new Error(`Name one of these walks: ${Object.keys(WALKS).join(', ')}`);
  const sources = sourcesOf(root);
  for (const path of [...walk(modulesOf(sources), WALKS[name])].sort())
    console.log(`${linesOf(sources.get(path)).toString().padStart(5)} ${path}`);
} else {
  const folder = checkedOut(revision);
  try {
    print(measure(root), measure(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
