import { renameChange } from '../../../app/hosts/decisions/rename.ts';
import { edgeKey } from '../../../app/hosts/decisions/shown-edges.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import type { HostRename, HostStore, RenameOutcome } from '../../../ports/index.ts';
import { reachNote } from '../shared/feed-notes.ts';
import { transferKey } from '../shared/transfer-key.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

/** `HostStore.rename` in memory. */
export function renameHosts(
  state: MemoryState,
  { hosts, at, actor }: Parameters<HostStore['rename']>[0],
): readonly RenameOutcome[] {
  return hosts.map((given) => {
    const rename = { from: wellFormed(given.from), to: wellFormed(given.to) };
    const { from, to } = rename;
    const host = state.hosts.get(from);
    if (host === undefined) return 'not_found';
    if (state.hosts.has(to)) return 'name_taken';
    state.removeHost(from);
    state.addHost({ ...host, hostname: to, lastUpdate: Math.max(host.lastUpdate ?? 0, at.getTime()) });
    const history = new Map((state.history.get(from) ?? []).map((change) => [change, { ...change, hostname: to }]));
    for (const [number, change] of state.changes) state.changes.set(number, history.get(change) ?? change);
    state.history.delete(from);
    state.history.set(to, [...history.values()]);
    const change = state.remember({ hostname: to, at, actor, ...renameChange(rename) });
    const reach = reachNote({ accountId: host.accountId, templates: templatesOf(host.members) });
    state.addToFeed([{ at, actor, note: { kind: 'renamed', hostname: to, from, change, ...reach } }]);
    renameEdges(state, rename);
    moveMarks(state, rename);
    state.bump('hosts');
    return 'renamed';
  });
}

function renameEdges({ relations }: MemoryState, { from, to }: HostRename): void {
  const now = (name: string): string => (name === from ? to : name);
  const touched = relations.filter(({ hostname, target }) => hostname === from || target === from);
  if (touched.length === 0) return;
  const moved = touched.map((edge) => ({ ...edge, hostname: now(edge.hostname), target: now(edge.target) }));
  const places = new Set([...touched, ...moved].map((edge) => `${edgeKey(edge)} ${edge.source}`));
  const others = relations.filter((edge) => !places.has(`${edgeKey(edge)} ${edge.source}`));
  const kept = moved.filter(({ hostname, target }) => hostname !== target);
  relations.splice(0, relations.length, ...others, ...kept);
}

function moveMarks({ marks }: MemoryState, { from, to }: HostRename): void {
  for (const [key, mark] of marks) {
    if (mark.hostname !== from) continue;
    marks.delete(key);
    marks.set(transferKey(to, mark.kind, mark.value, mark.accountId), { ...mark, hostname: to });
  }
}
