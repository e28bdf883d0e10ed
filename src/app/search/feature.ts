import { feature } from '../catalogue/declared-feature.ts';
import type { RunParts } from '../runs/run-parts.ts';
import type { UserParts } from '../users/user-parts.ts';

/** Queries for hosts, saved ones, and what is doubtful about hosts. */
export const search = feature<RunParts & UserParts>({
  id: 'search',
  hostsOfSearch: async (...given) => (await import('./hosts-of-search.ts')).hostsOfSearch(...given),
  forgetUser: async (...given) => (await import('./saved-searches.ts')).removePrivateSearches(...given),
});
