import { cpus } from 'node:os';
import { BENCHMARKS } from './catalogue.ts';
import { Kit } from './kit.ts';

const names = process.argv.slice(2);
const wrong = names.filter((name) => !(name in BENCHMARKS));
if (wrong.length > 0) {
  process.stderr.write(`no benchmark ${wrong.join(', ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}\n`);
  process.exit(2);
}
process.stdout.write(`Node ${process.version}, ${cpus().length} processors; least of several fresh processes each\n`);
for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
  const load = BENCHMARKS[name];
  if (load === undefined) continue;
  const { benchmark } = await load();
  const start = performance.now();
  const kit = new Kit(name);
  process.stdout.write(`\n${name}: ${benchmark.title}\n`);
  try {
    await benchmark.measure(kit);
  } catch (error) {
    process.stdout.write(`  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await kit.close();
  }
  process.stdout.write(`  (${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
}
