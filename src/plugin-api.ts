/**
 * What plugins import as `muster/plugin-api`: the ports, how members of rule documents are read and checked, what accounts of systems
 * over HTTP have in common, and the schema library that options are declared with.
 */

export * as z from 'zod';
export * from './kit/document/member-table.ts';
export * from './kit/document/members.ts';
export * from './kit/http-account/client.ts';
export * from './kit/http-account/options.ts';
export * from './kit/http-account/refuse-login.ts';
export * from './plugins/shared/rule-types/project.ts';
export * from './ports/index.ts';
