#!/usr/bin/env node
// `npm run dev`: serves the program from the sources, and again after each change; open pages load themselves again.
// `npm run dev -- user add olga --role all`: any command, with the program and the data of that service.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocs } from './build-docs.mjs';
import { pageFiles, QUICKLY, writePages } from './build-pages.mjs';
import { programFiles, writeProgram } from './build-program.mjs';
import { pagesOptions, programOptions } from './bundle.mjs';
import { writeCatalogue } from './catalogue.mjs';
import { dim, fail, green, note, red, root, SetupError, stream } from './report.mjs';

// Beside dist/, so that tests and `bin/muster` never meet a build for developers, and as deep, since the program looks beside itself.
const folder = '.dev';
const program = join(root, folder, 'muster.js');

const settings = {
  SERVICE_DATA_DIR: `${folder}/data`,
  SERVICE_DATABASE_URL: `sqlite:${folder}/data/muster.db`,
  ...process.env,
};

const bundles = {
  program: {
    options: { ...programOptions, outdir: folder },
    files: programFiles,
    write: (outputs, previous) =>
      writeProgram(join(root, folder), outputs, [...previous, 'admin', 'data', 'docs-site']),
  },
  pages: {
    // React says more about mistakes when it is built for development.
    options: {
      ...pagesOptions,
      outdir: `${folder}/admin`,
      minify: false,
      sourcemap: 'linked',
      define: { 'process.env.NODE_ENV': '"development"' },
      inject: ['scripts/dev-reload.mjs'],
    },
    files: pageFiles,
    write: (pages, previous) => writePages(join(root, folder, 'admin'), pages, previous, QUICKLY),
  },
};

/** The one service that runs, from the last build that was good. */
class Service {
  #child;

  async restart() {
    await this.stop();
    // In a group of its own: Ctrl-C reaches this script only, which then asks the service once.
    const child = spawn(process.execPath, ['--enable-source-maps', program, 'serve'], {
      cwd: root,
      env: settings,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    this.#child = child;
    child.on('exit', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      note(`${red('✗')} The service ended (${code ?? 'by a signal'}). It starts again after the next change.`);
    });
  }

  /** Requests under way get three seconds. */
  async stop() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timeout = setTimeout(() => child.kill('SIGTERM'), 3_000);
    await ended;
    clearTimeout(timeout);
  }
}

const service = new Service();
const built = new Map();
/** What is under way: builds are written and the service is begun again one after the other. */
let work = Promise.resolve();
let stopping = false;

async function accept(name, result) {
  if (stopping) return;
  const { files, write } = bundles[name];
  const before = built.get(name);
  try {
    if (result.errors.length > 0) throw new SetupError('The messages above say where.');
    const hash = result.outputFiles.map((file) => `${file.path} ${file.hash}`).join('\n');
    if (before?.hash === hash) return;
    built.set(name, { hash, files: await write(files(result), before?.files ?? []) });
  } catch (error) {
    const goesOn =
      built.size === Object.keys(bundles).length ? 'The last good build goes on running' : 'Nothing runs yet';
    note(
      `${red('✗')} The ${name} did not build. ${goesOn}. ${error instanceof SetupError ? error.message : error.stack}`,
    );
    return;
  }
  note(`${green('✓')} Built the ${name} ${dim(new Date().toLocaleTimeString())}`);
  if (built.size === Object.keys(bundles).length) await service.restart();
}

async function watch() {
  const { context } = await import('esbuild').catch(() => {
    throw new SetupError('The packages are not installed. Run this once:\n\n  npm run setup');
  });
  const contexts = await Promise.all(
    Object.entries(bundles).map(([name, { options }]) => {
      const tell = (build) => {
        if (name === 'program') build.onStart(writeCatalogue);
        build.onEnd((result) => {
          work = work.then(() => accept(name, result));
        });
      };
      return context({ ...options, plugins: [...(options.plugins ?? []), { name: 'accept', setup: tell }] });
    }),
  );
  const stop = async () => {
    // Once: npm and the terminal both hand on one Ctrl-C. The service takes three seconds at most.
    if (stopping) return;
    stopping = true;
    await Promise.all(contexts.map((each) => each.dispose()));
    await work;
    await service.stop();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await buildDocs(join(root, folder, 'docs-site'));
  note('Builds and serves after each change. Commands for it: npm run dev -- user add <name> --role all');
  await Promise.all(contexts.map((each) => each.watch()));
}

async function main() {
  const command = process.argv.slice(2);
  if (command.length === 0) return watch();
  if (!existsSync(program)) throw new SetupError('There is no build for developers yet. Run "npm run dev" first.');
  process.exitCode = await stream(process.execPath, [program, ...command], {
    env: settings,
    stdio: 'inherit',
  });
}

main().catch(fail);
