/** What plugins import as `muster/plugin-api`: the ports, and the schema library that options are declared with. */
export * from './ports/index.ts';
export * as z from 'zod';
