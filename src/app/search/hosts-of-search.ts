import { worded } from '../../kit/worded.ts';
import { grouped } from '../../kit/words/amounts.ts';
import { AppError } from '../../ports/index.ts';
import { required } from '../hosts/decisions/check.ts';
import type { HostSearch } from '../runs/run-parts.ts';
import { hostField } from './decisions/host-fields.ts';
import { parseQuery } from './decisions/parse-query.ts';
import { testsOf } from './decisions/query.ts';
import { lookAtFound, MOST_LOOKED, openSearch } from './open-search.ts';

/** Refuses searches that cannot look at every host, because the caller acts on all hosts of the answer. */
export const hostsOfSearch: HostSearch = async ({ where, provider }, call) => {
  const search = await openSearch({ where, provider, kind: 'hosts', state: 'active' }, call);
  const hostnames = new Set<string>();
  const isWhole = await lookAtFound(search, call.progress, (hosts) => {
    for (const { hostname } of hosts) hostnames.add(hostname);
  });
  if (!isWhole) {
    const most = grouped(MOST_LOOKED);
    throw new AppError(
      'invalid_input',
      worded`there are more than ${{ most }} hosts to look at; limit it to a group instead`,
    );
  }
  return { hostnames, asksInventory: asksInventory(where) };
};

function asksInventory(where: string): boolean {
  return testsOf(required(parseQuery(where))).some((test) => {
    const { own, served } = test.kind === 'test' ? hostField(test.field) : {};
    return own === 'group' || served !== undefined;
  });
}
