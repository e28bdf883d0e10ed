import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, PlaybookStore, RememberedMatch } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import { PLAYBOOK_RUN_COLUMNS, type PlaybookRunRow, toPlaybookRun } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

/** Every decision is one statement of the writer thread, so other threads and processes on the file see it whole. */
export function sqlitePlaybooks(read: () => Connection, writer: () => WriterClient, clock: Clock): PlaybookStore {
  const now = () => clock.now().getTime();
  return {
    async begin({ leaseMs, startedAt, ...run }) {
      const startedBy = wellFormed(run.startedBy);
      const sent = { ...run, startedBy, startedAt: startedAt.getTime(), leaseUntil: now() + leaseMs };
      await writer().call('beginPlaybookRun', sent);
    },

    async keep({ id, leaseMs, output }) {
      const sent = { id, leaseUntil: now() + leaseMs, output: output === undefined ? null : wellFormed(output) };
      return writer().call('keepPlaybookRun', sent, 1, output?.length ?? 0);
    },

    async end({ at, message, output, ...end }) {
      const sent = { ...end, at: at.getTime(), message: wellFormed(message), output: wellFormed(output) };
      return writer().call('endPlaybookRun', sent, 1, output.length);
    },

    requestCancel: async (id) => writer().call('requestPlaybookCancel', { id, now: now() }),

    async find(id) {
      const sql = `SELECT ${PLAYBOOK_RUN_COLUMNS}, output FROM playbook_runs WHERE id = ?`;
      const row = read().get<PlaybookRunRow & { readonly output: string }>(sql, id);
      if (row === undefined) return undefined;
      const { output, ...run } = row;
      return { ...toPlaybookRun(run, now()), output };
    },

    async latest({ limit, before }) {
      const moment = now();
      const behind = before === undefined ? '' : 'WHERE (started_at, id) < (?, ?)';
      const place = before === undefined ? [] : [before.startedAt.getTime(), before.id];
      const sql = `SELECT ${PLAYBOOK_RUN_COLUMNS} FROM playbook_runs ${behind} ORDER BY started_at DESC, id DESC LIMIT ?`;
      return read()
        .all<PlaybookRunRow>(sql, ...place, Math.max(limit, 0))
        .map((row) => toPlaybookRun(row, moment));
    },

    prune: async (before) => writer().call('prunePlaybookRuns', { before: before.getTime(), now: now() }),

    async *matches(batchSize) {
      const sql = `SELECT hostname, rule_id, playbook, since FROM playbook_matches
        WHERE (hostname, rule_id, playbook) > (?, ?, ?) ORDER BY hostname, rule_id, playbook LIMIT ?`;
      let last: [string, string, string] = ['', '', ''];
      for (;;) {
        const rows = read().allRaw<[string, string, string, number]>(sql, ...last, batchSize);
        const end = rows.at(-1);
        if (end === undefined) return;
        yield rows.map(toMatch);
        if (rows.length < batchSize) return;
        last = [end[0], end[1], end[2]];
        await turn();
      }
    },

    remember: async ({ since, ...match }) =>
      writer().call('rememberPlaybookMatch', { ...match, since: since.getTime() }),

    async forget(matches) {
      const sent = matches.map(({ hostname, ruleId, playbook }) => ({ hostname, ruleId, playbook }));
      return writer().call('forgetPlaybookMatches', sent, sent.length);
    },
  };
}

function toMatch([hostname, ruleId, playbook, since]: [string, string, string, number]): RememberedMatch {
  return { hostname, ruleId, playbook, since: new Date(since) };
}
