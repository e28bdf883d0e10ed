/**
 * The module that plugins import as `muster/plugin-api`: the ports, functions that read and check members of rule documents, the common
 * options and client of accounts of systems over HTTP, and the schema library that options are declared with.
 */

export * as z from 'zod';
export * from './kit/document/member-table.ts';
export * from './kit/document/members.ts';
export * from './kit/http-account/client.ts';
export * from './kit/http-account/options.ts';
export * from './kit/http-account/refuse-login.ts';
export * from './plugins/shared/rule-types/project.ts';
export * from './ports/index.ts';
