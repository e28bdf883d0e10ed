// How the program is bundled, for the build and for the benchmarks, which must measure the same program.
import { root } from './report.mjs';

// Chunks lie flat beside the entries, so that `new URL('./sqlite-writer.js', import.meta.url)` means the same file from every one of them.
export const entries = {
  muster: 'src/adapters/cli/main.ts',
  'sqlite-writer': 'src/adapters/storage/sqlite/writer-thread.ts',
  'sqlite-check': 'src/adapters/storage/sqlite/check-thread.ts',
  'operation-worker': 'src/adapters/workers/worker-thread.ts',
  'plugin-api': 'src/plugin-api.ts',
  testing: 'src/testing.ts',
};

export const assets = { migrations: 'src/adapters/storage/sqlite/migrations' };

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
  legalComments: 'none',
  // Bundled CommonJS packages ask for what ES modules do not have.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  logLevel: 'warning',
};

export const splitOptions = { ...bundleOptions, splitting: true, chunkNames: 'chunk-[hash]' };
