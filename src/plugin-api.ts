/** What plugins import as `muster/plugin-api`: the ports, and the schema library that options are declared with. */

export * as z from 'zod';
export * from './ports/index.ts';
