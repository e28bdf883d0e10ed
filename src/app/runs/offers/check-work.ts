import { messageOf, worded } from '../../../kit/worded.ts';
import type { AccountServices } from '../../accounts/services.ts';
import { runsAt, takes } from './taking.ts';
import { waitingJobs } from './waiting-work.ts';

/** A node that lives takes an offer within seconds, or says at least every half minute that it will. */
const LONG_MS = 60_000;

/** Returns doctor's findings about accounts that no node takes; none if all is well. */
export async function checkWork(services: AccountServices) {
  const long = (await waitingJobs(services)).filter(({ work }) => work.waitingMs >= LONG_MS);
  const waiting = long.map(({ account, groupName, runsAt: value }) => ({
    account,
    said: worded`account ${{ account }} in cron group ${{ group: groupName }} waits for a node that takes ${{ value }}, and fails after 5 minutes; start a node with ${{ value }} in TAKES, or change runs_at of the account`,
  }));
  const known = new Set(long.map(({ account }) => account));
  const found = [...waiting, ...(await untaken(services)).filter(({ account }) => !known.has(account))];
  return found.map(({ said }) => ({ check: 'nodes', ok: false, ...messageOf(said) }));
}

/** With one node, it is known beforehand what no node takes. */
async function untaken({ accounts, plugins, config, hasOtherNodes }: AccountServices) {
  if (hasOtherNodes) return [];
  const all = await accounts.list(null);
  return all
    .filter(({ type, enabled }) => enabled && (plugins.source(type) ?? plugins.target(type)) !== undefined)
    .filter((account) => !takes(config.TAKES, runsAt(account)))
    .map((account) => ({
      account: account.name,
      said: worded`cron jobs of account ${{ account: account.name }} run at ${{ value: runsAt(account) }}, which TAKES of this node does not name, and its database has no other node; add it to TAKES, or change runs_at of the account`,
    }));
}
