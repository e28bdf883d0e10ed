import { archive, restore } from '../../../../app/hosts/decisions/archive.ts';
import { contributeLabels } from '../../../../app/hosts/decisions/contribution.ts';
import { type RuleEffect, ruleChangesOf } from '../../../../app/hosts/decisions/folder-seats.ts';
import { HostDraft, type HostScales } from '../../../../app/hosts/decisions/host-draft.ts';
import { saveLabels } from '../../../../app/hosts/decisions/label-write.ts';
import type { ChangeRequest, NamedChange } from '../../../../app/hosts/decisions/named-change.ts';
import { putDocument } from '../../../../app/hosts/decisions/replacement.ts';
import { saveSection } from '../../../../app/hosts/decisions/section.ts';
import { undo } from '../../../../app/hosts/decisions/undo.ts';
import type { Connection } from '../connection.ts';
import type { WriteContext } from './context.ts';
import { hostOf, isLikely, LoadedHost, loadRow, sizeOf } from './loaded-host.ts';
import { putRule, WRITTEN_RULE, type WrittenRule } from './rules.ts';
import { storeDraft, storeLastSeen } from './store-draft.ts';

/** Changes that callers may request from the writer thread by name: a function cannot be sent to it. */
const CHANGES = { saveLabels, contributeLabels, saveSection, archive, restore, undo, putDocument };

/** A change of named hosts on its way to the writer thread. */
export interface ChangeMessage extends ChangeRequest<unknown, unknown> {
  readonly change: string;
  /** How large a host may be. */
  readonly maxBytes: number;
}

export function changeNamedHosts(context: WriteContext, message: ChangeMessage): readonly unknown[] {
  // The change that the message names has made the message; `hostWrites` checks that they go together.
  const change = CHANGES[message.change as keyof typeof CHANGES] as NamedChange<unknown, unknown, unknown>;
  return changeHosts(context, change, message, message.maxBytes);
}

/** Lets a change decide on each host and writes what became different, entry by entry. */
export function changeHosts<Message, Entry, Outcome>(
  context: WriteContext,
  change: NamedChange<Message, Entry, Outcome>,
  { message, hostnames, entries }: ChangeRequest<Message, Entry>,
  maxBytes: number,
): readonly Outcome[] {
  const { connection } = context;
  const fastPath = change.glancing?.(message);
  const decide = change.deciding(message);
  const scales = scalesOf(connection, maxBytes);
  const effects: RuleEffect[] = [];
  const outcomes = entries.map((entry, index) => {
    const hostname = hostnames[index] ?? '';
    const likely = change.likely?.(entry);
    const row = loadRow(connection, hostname, likely);
    if (row !== undefined && fastPath !== undefined && isLikely(row)) {
      const again = fastPath({ accountId: row[1], archive: null, lastSeen: row[7], runId: row[8] });
      if (again !== undefined) {
        storeLastSeen(context, row, again);
        return again.outcome;
      }
    }
    const loaded = row && hostOf(connection, row, likely);
    const draft = new HostDraft(hostname, loaded, scales);
    const outcome = decide(draft, entry);
    storeDraft(context, draft, loaded);
    if (draft.effects.length > 0) effects.push(...draft.effects);
    return outcome;
  });
  applyEffects(context, effects);
  return outcomes;
}

/** Returns the outcome for each host of a change that only answers. Only reads: runs on the caller's connection. */
export function askAboutHosts<Message, Entry, Outcome>(
  connection: Connection,
  change: NamedChange<Message, Entry, Outcome>,
  { message, hostnames, entries }: ChangeRequest<Message, Entry>,
  maxBytes: number,
): readonly Outcome[] {
  const decide = change.deciding(message);
  const scales = scalesOf(connection, maxBytes);
  return entries.map((entry, index) => {
    const hostname = hostnames[index] ?? '';
    const likely = change.likely?.(entry);
    const row = loadRow(connection, hostname, likely);
    const loaded = row && hostOf(connection, row, likely);
    return decide(new HostDraft(hostname, loaded, scales), entry);
  });
}

/** Changes weigh a host before they change it, and each entry has a draft of its own: the stored size is the right one. */
function scalesOf(connection: Connection, limit: number): HostScales {
  return { limit, weigh: (host) => (host instanceof LoadedHost ? sizeOf(connection, host.row[0]) : 0) };
}

function applyEffects(context: WriteContext, effects: readonly RuleEffect[]): void {
  const by = effects.at(-1);
  if (by === undefined) return;
  for (const { type, change } of ruleChangesOf(effects)) {
    for (const rule of context.connection.all<WrittenRule>(`${WRITTEN_RULE} WHERE type = ?`, type)) {
      const document = change(rule.document);
      if (document !== undefined) putRule(context, { ...rule, document }, rule, by);
    }
  }
}
