import { dirname } from 'node:path';
import { pendingDocuments } from '../rules/pending-documents.ts';
import { freeBytes, type KeptFolder, keptFolders } from './folders.ts';
import type { MaintenanceServices } from './services.ts';
import type { Gauge } from './upkeep-parts.ts';

/** Longest time a result is reused, however frequent the requests; backups are hours apart, and tokens end by the day. */
const REMEMBERED_MS = 60_000;
/** If the figures take longer, callers get earlier ones. */
const ANSWERS_WITHIN_MS = 3_000;
/** Tokens that end within this are replaced in time. */
export const ENDING_DAYS = 14;

/** Matters that need an operator's attention sooner or later. */
export interface Upkeep {
  /** Those of features. */
  readonly gauges: readonly Gauge[];
  readonly free: readonly { readonly folder: 'data' | 'database' | 'backups'; readonly bytes: number }[];
  readonly folders: readonly KeptFolder[];
  /** Since when the oldest entry of the audit log waits to be forwarded, beyond the usual; `undefined` when none does. */
  readonly auditWaitsSince: Date | undefined;
  /** When the tokens end that do so soon, or did not yet at the last look, the next first. */
  readonly endingTokens: readonly Date[];
  readonly pendingDocuments: number;
}

/** Reports the state of upkeep to frequent callers. */
export class UpkeepWatch {
  readonly #services: () => MaintenanceServices;
  #looking: { readonly until: number; readonly found: Promise<void> } | undefined;
  #last: Upkeep | undefined;

  constructor(services: () => MaintenanceServices) {
    this.#services = services;
  }

  /** `undefined` until it was found once. */
  async read(): Promise<Upkeep | undefined> {
    const now = this.#services().clock.now().getTime();
    if (this.#looking === undefined || this.#looking.until <= now) {
      const found = lookAt(this.#services()).then(
        (upkeep) => {
          this.#last = upkeep;
        },
        () => undefined,
      );
      this.#looking = { until: now + REMEMBERED_MS, found };
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ANSWERS_WITHIN_MS);
    });
    await Promise.race([this.#looking.found, late]);
    clearTimeout(timer);
    return this.#last;
  }
}

async function lookAt(services: MaintenanceServices): Promise<Upkeep> {
  const { machineFiles, auditForwarding, users, clock } = services;
  const { dataFolder, backupFolder, database } = machineFiles;
  const places = [
    ['data', dataFolder],
    ['database', database[0] === undefined ? undefined : dirname(database[0])],
    ['backups', backupFolder],
  ] as const;
  const free: Upkeep['free'][number][] = [];
  for (const [folder, path] of places) {
    const bytes = path === undefined ? undefined : await freeBytes(path);
    if (bytes !== undefined) free.push({ folder, bytes });
  }
  const late = (await auditForwarding.states()).flatMap(({ lateSince }) => lateSince ?? []);
  const now = clock.now().getTime();
  const ends = (await users.list()).flatMap(({ disabled, tokens }) =>
    disabled ? [] : tokens.flatMap(({ expiresAt }) => expiresAt ?? []),
  );
  let waiting = 0;
  for await (const _ of pendingDocuments(services)) waiting++;
  return {
    gauges: (await Promise.all(services.features.map((feature) => feature.gauges?.(services) ?? []))).flat(),
    free,
    folders: await keptFolders(services),
    auditWaitsSince: byTime(late)[0],
    endingTokens: byTime(ends.filter((end) => end.getTime() > now && end.getTime() < now + ENDING_DAYS * 86_400_000)),
    pendingDocuments: waiting,
  };
}

function byTime(dates: readonly Date[]): readonly Date[] {
  return [...dates].sort((one, other) => one.getTime() - other.getTime());
}
