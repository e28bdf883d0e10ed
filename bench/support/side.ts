import type { Side } from './benchmark.ts';
import { BENCHMARKS } from './catalogue.ts';

/** The process of one side: `side.js <benchmark> <side> <arguments as JSON>`. Its last line of output are the figures. */

const [, , name = '', side = '', args = '{}'] = process.argv;
const { benchmark } = await (BENCHMARKS[name] ?? unknown)();
const run = benchmark.sides[side] ?? unknown;
const figures = await (run as Side)(JSON.parse(args) as never);
const rssMb = process.resourceUsage().maxRSS / 1024;
// A server has told everything over its channel.
if (process.send !== undefined) process.exit(0);
process.stdout.write(`\n${JSON.stringify({ rssMb, ...figures })}\n`, () => process.exit(0));

function unknown(): never {
  throw new Error(`there is no benchmark ${name} with a side ${side}`);
}
