import Database from 'better-sqlite3';
import { byHand } from './fifty-rules.ts';

const PAGE = 1000;

/** The whole inventory document by hand: pages of a prepared statement, closures for rules, text that is joined as it comes. */
export function inventoryByHand(path: string, write: (text: string) => void): void {
  const database = new Database(path, { readonly: true });
  const accounts = new Map(
    database.prepare("SELECT id, name FROM rules WHERE type = 'accounts'").raw().all() as [string, string][],
  );
  const page = database
    .prepare(
      `SELECT hostname, account_id, labels FROM hosts WHERE archived_at IS NULL AND is_object = 0 AND hostname > ?
       ORDER BY hostname LIMIT ${PAGE}`,
    )
    .raw();
  const names: string[] = [];
  const groups = new Map<string, string[]>();
  let separator = '';
  let after = '';
  write('{"_meta":{"hostvars":{');
  for (;;) {
    const rows = page.all(after) as [string, string, string][];
    let chunk = '';
    for (const [hostname, account, labels] of rows) {
      const host = byHand(hostname, labels, accounts.get(account) ?? '');
      const name = JSON.stringify(hostname);
      chunk += `${separator}${name}:${harmless(host.variables)}`;
      separator = ',';
      names.push(name);
      for (const group of host.groups) {
        const members = groups.get(group);
        if (members === undefined) groups.set(group, [name]);
        else members.push(name);
      }
    }
    write(chunk);
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.[0] ?? '';
  }
  const sorted = [...groups.keys()].sort();
  write(`}},"all":{"hosts":[${names.join(',')}],"children":${JSON.stringify(sorted)}}`);
  for (const group of sorted) write(`,${JSON.stringify(group)}:{"hosts":[${groups.get(group)?.join(',')}]}`);
  write('}');
  database.close();
}

function harmless(json: string): string {
  return /\{[{%#]/.test(json) ? json.replace(/\{(?=[{%#])/g, '{ ') : json;
}
