import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { runCronPass } from '../../../src/app/runs/cron/operations/run-pass.ts';
import type { Clock } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { exportedDocuments, fixtureText } from '../../oracle/fixtures.ts';
import { Entrances } from '../../security/support/entrances.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

/** When the reference was asked; its configuration had this too. All is asked at that moment, refusals among it, which nobody counted there. */
const ASKED_AT = '2026-11-02T10:30:00Z';
const CONFIG: Partial<Config> = {
  CMDB_MODE: true,
  INVENTORY_MERGE_ATTRIBUTES: ['contact'],
  RATE_LIMIT_401_PER_MINUTE: 1_000,
};

/** What every user of the recorded installation has there, and here after the import. */
const PASSWORD = 'Oracle-pass-1';
const tokenOf = (user: string): string => `cmdb_pat_oracle-throw-away-token-of-${user}`;

/** The recorded installation after its export was imported into a store of ours, at the time of the recording. */
export class MovedInstallation {
  readonly muster: OperationsApp;
  /** By the passwords of there. */
  readonly entrances: Entrances;
  readonly #opened: OpenedStorage;

  private constructor(opened: OpenedStorage, muster: OperationsApp) {
    this.#opened = opened;
    this.muster = muster;
    this.entrances = Entrances.beside(muster, PASSWORD);
  }

  static async over(
    create: () => Promise<OpenedStorage>,
    { at = ASKED_AT, ...config }: Partial<Config> & { readonly at?: string } = {},
  ): Promise<MovedInstallation> {
    const opened = await create();
    const clock: Clock = { now: () => new Date(at) };
    const given = { ...CONFIG, ...config };
    const muster = await OperationsApp.over(opened.storage, given, recordingLogger([]), undefined, clock);
    await muster.run(importRules, { text: fixtureText('everything/export.jsonl') });
    return new MovedInstallation(opened, muster);
  }

  /** A request as the reference got it: of a user with the token that was issued there, or with headers of its own. */
  ask(request: {
    readonly user?: string;
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<LightMyRequestResponse> {
    const { user, method = 'GET', path, body, headers } = request;
    return this.entrances.http.inject({
      method: method as InjectOptions['method'],
      url: `/api/v1${path}`,
      headers: { ...(user === undefined ? {} : { authorization: `Bearer ${tokenOf(user)}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as string | object }),
    } as InjectOptions);
  }

  async runCron(): Promise<void> {
    await this.muster.run(runCronPass, {});
  }

  /** The hosts of the export that are not among these. */
  foreignTo(hostnames: readonly string[]): readonly string[] {
    const known = new Set(hostnames);
    const exported = exportedDocuments('everything/export.jsonl').get('host_objects') ?? [];
    return exported.map(({ hostname }) => String(hostname)).filter((hostname) => !known.has(hostname));
  }

  async stop(): Promise<void> {
    await this.entrances.close();
    await this.muster.stop();
    await this.#opened.close();
  }
}
