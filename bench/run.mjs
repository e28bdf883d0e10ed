#!/usr/bin/env node
// Builds the program and the benchmarks apart from dist/, then runs those that are named, or all: `npm run bench -- import inventory`.
import { pathToFileURL } from 'node:url';
import { buildBenchmarks } from './support/build.mjs';

const { folder } = await buildBenchmarks();
await import(pathToFileURL(`${folder}/main.js`).href);
