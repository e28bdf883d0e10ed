import type { OfferedOutput } from '../../offered-operations.ts';

/** One host as an operator sees it. */
export type Host = OfferedOutput<'hosts/show-host'>;
export type FoundHost = OfferedOutput<'search/search-hosts'>['hosts'][number];
export type Labels = Host['labels'];

/** Answers shown by host lists, pages of hosts and inventories, requested again after a host changed. */
export const HOST_CHANGES = ['hosts', 'inventory', 'relations'] as const;
