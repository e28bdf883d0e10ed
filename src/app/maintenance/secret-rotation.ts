import { setTimeout as sleep } from 'node:timers/promises';
import { memberInteger, memberText } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import {
  type Actor,
  AppError,
  documentPlace,
  type JsonObject,
  type JsonValue,
  type RenewSecret,
  StoredJson,
  type TransferPart,
  type TransferRecord,
} from '../../ports/index.ts';
import type { Progress } from '../kernel/operation.ts';
import { changeSecretTexts } from '../rules/secrets/secret-members.ts';
import type { MaintenanceServices } from './services.ts';

export interface ResealOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface ResealReport {
  /** Number of secrets, in documents and in their past versions, that were resealed. */
  readonly resealed: number;
  /** Secrets that open under neither key: they were lost before, and stay as they are. */
  readonly unreadable: readonly string[];
}

const BATCH_SIZE = 500;
/** Another process may have sealed a secret under the old key just before it was replaced; by now it has stored it. */
const SETTLE_MS = 1_000;
const MOST_PASSES = 10;

/**
 * Seals every stored secret under the new key: in the documents by compare-and-set, so that no edit is lost, and in their
 * past versions, so that going back to one still works. Ends when a whole pass has found nothing left to do.
 */
export async function resealSecrets(
  services: MaintenanceServices,
  renew: RenewSecret,
  options: ResealOptions,
): Promise<ResealReport> {
  let resealed = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (pass > 0) await sleep(SETTLE_MS, undefined, { signal: options.signal });
    const outcome = new PassOutcome();
    await resealPart(services, 'rules', renew, outcome, options);
    await resealPart(services, 'rule_versions', renew, outcome, options);
    resealed += outcome.resealed;
    if (pass > 0 && outcome.resealed === 0 && !outcome.disturbed) return { resealed, unreadable: outcome.unreadable };
  }
  throw new AppError('conflict', 'secrets are constantly being changed; run the command again to continue');
}

class PassOutcome {
  resealed = 0;
  readonly unreadable: string[] = [];
  /** Whether another writer changed a document meanwhile. */
  disturbed = false;
}

async function resealPart(
  services: MaintenanceServices,
  part: Extract<TransferPart, 'rules' | 'rule_versions'>,
  renew: RenewSecret,
  outcome: PassOutcome,
  options: ResealOptions,
): Promise<void> {
  let done = 0;
  for await (const records of services.storage.transfer.read(part, { batchSize: BATCH_SIZE })) {
    options.signal.throwIfAborted();
    for (const record of records) {
      const renewed = await renewRecord(services, record, renew, outcome);
      if (renewed === undefined) continue;
      const stored =
        part === 'rules' ? replaceRule(services, renewed.record, options) : replaceVersion(services, renewed.record);
      if (await stored) outcome.resealed += renewed.secrets;
      else outcome.disturbed = true;
    }
    done += records.length;
    options.progress({ done, unit: 'records', note: part.replace('_', ' ') });
  }
}

/** The record with its secrets resealed; `undefined` if none had to be. */
async function renewRecord(
  { plugins }: MaintenanceServices,
  record: TransferRecord,
  renew: RenewSecret,
  outcome: PassOutcome,
): Promise<{ readonly record: TransferRecord; readonly secrets: number } | undefined> {
  const type = plugins.ruleType(memberText(record.value, 'type'));
  const text = memberText(record.value, 'document');
  const document = JSON.parse(text) as JsonObject;
  const renewed = new Map<string, string>();
  let secrets = 0;
  async function renewText(secret: string, place?: string): Promise<string> {
    try {
      const sealed = await renew(secret, place);
      if (sealed === undefined) return secret;
      renewed.set(secret, sealed);
      secrets++;
      return sealed;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'failed') throw error;
      if (type !== undefined) outcome.unreadable.push(describe(record));
      return secret;
    }
  }
  let changed: JsonObject | undefined;
  if (type === undefined || type.kept !== undefined) {
    // Not all secret members are known, so all texts are checked; this binds none of them to a place.
    for (const found of allTexts(document)) await renewText(found);
  } else {
    const id = memberText(record.value, 'id');
    changed = await changeSecretTexts(document, type.secretMembers, (secret) =>
      renewText(secret.text, documentPlace(type.id, id, secret.member)),
    );
  }
  if (secrets === 0) return undefined;
  const inText = replacedIn(text, renewed);
  // A text that occurs in two places is sealed for each of them.
  const isRight = changed === undefined || JSON.stringify(JSON.parse(inText)) === JSON.stringify(changed);
  const value = { ...record.value, document: isRight ? inText : JSON.stringify(changed) };
  return { record: { ...record, value }, secrets };
}

/** Replaces in the text itself, because serialising the document again would move members that look like integers. */
function replacedIn(text: string, renewed: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [old, sealed] of renewed) result = result.replaceAll(JSON.stringify(old), () => JSON.stringify(sealed));
  return result;
}

function describe({ value }: TransferRecord): string {
  const version = value.place === undefined ? '' : ` (version ${memberText(value, 'version')})`;
  return `${memberText(value, 'type')} ${memberText(value, 'name')}${version}`;
}

async function replaceRule(
  { storage, plugins, clock }: MaintenanceServices,
  { value }: TransferRecord,
  { actor }: ResealOptions,
): Promise<boolean> {
  const type = memberText(value, 'type');
  const uniqueValue = memberText(value, 'uniqueValue');
  const entry = {
    type,
    id: memberText(value, 'id'),
    name: memberText(value, 'name'),
    uniqueName: plugins.ruleType(type)?.uniqueNames ?? false,
    ...(uniqueValue === '' ? {} : { uniqueValue }),
    document: StoredJson.ofText<JsonObject>(memberText(value, 'document')),
    confirmedBy: 'keep' as const,
  };
  const expectedVersion = memberInteger(value, 'version') ?? 0;
  const request = { entry, expectedVersion, at: clock.now(), actor };
  let outcome = await storage.rules.replace(request);
  // Two documents of one name were there before; the rotation is not the place to settle that.
  if (outcome === 'name_taken')
    outcome = await storage.rules.replace({ ...request, entry: { ...entry, uniqueName: false } });
  return outcome === 'replaced';
}

/** False when pruning moved the version to another place meanwhile. */
async function replaceVersion({ storage }: MaintenanceServices, record: TransferRecord): Promise<boolean> {
  try {
    await storage.transfer.write('rule_versions', [record]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false;
    throw error;
  }
}

/** Returns all texts, for documents whose secret members are unknown. */
export function allTexts(document: JsonObject): readonly string[] {
  const found = new Set<string>();
  collectAll(document, found);
  return [...found];
}

function collectAll(value: JsonValue | undefined, found: Set<string>): void {
  if (typeof value === 'string') found.add(value);
  else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) collectAll(item, found);
  else if (isJsonObject(value)) for (const item of Object.values(value)) collectAll(item, found);
}
