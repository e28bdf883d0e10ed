import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import type { InventoryCatalogue } from '../../../src/app/inventory/catalogue.ts';
import { type PlaybookRunDeps, type PlaybookRunRequest, runPlaybook } from '../../../src/app/playbooks/run-playbook.ts';
import { AppError, type Storage } from '../../../src/ports/index.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';
import { FakeRunner, untilStopped } from './fake-runner.ts';

let storage: Storage;
let runner: FakeRunner;
let logged: LoggedLine[];

beforeEach(async () => {
  storage = memoryStorage()();
  await storage.start();
  runner = new FakeRunner();
  logged = [];
});
afterEach(() => storage.stop());

function run(more: Partial<PlaybookRunRequest> = {}, deps: Partial<PlaybookRunDeps> = {}) {
  return runPlaybook(
    {
      storage,
      playbookRunner: runner,
      inventories: { waiting: async () => [] } as unknown as InventoryCatalogue,
      config: { PLAYBOOK_TIMEOUT_MINUTES: 60 },
      clock: { now: () => new Date() },
      logger: recordingLogger(logged),
      newId: () => 'a'.repeat(24),
      ...deps,
    },
    {
      playbook: 'a.yml',
      provider: 'automation',
      hostname: null,
      checkMode: false,
      source: 'user',
      startedBy: 'ada',
      extraVariables: null,
      scope: null,
      signal: new AbortController().signal,
      mask: (text) => text,
      ...more,
    },
  );
}

const stored = () => storage.playbooks.find('a'.repeat(24));

describe('a run of a playbook', () => {
  it('that takes too long is ended and has failed', async () => {
    runner.act = async (_call, options) => untilStopped(options);
    const ended = await run({}, { config: { PLAYBOOK_TIMEOUT_MINUTES: 0.001 } });
    expect(ended).toMatchObject({ status: 'failed', exitCode: null, message: expect.stringMatching(/took longer/) });
    expect(await stored()).toMatchObject({ status: 'failed', output: 'PLAY a.yml\n' });
  });

  it('that ended well while it was told to stop has ended well', async () => {
    const stop = new AbortController();
    runner.act = async () => {
      stop.abort();
      return 0;
    };
    expect(await run({ signal: stop.signal })).toMatchObject({ status: 'succeeded', exitCode: 0 });
  });

  it('tells why it could not be run, and nothing of faults of the program', async () => {
    runner.act = async () => {
      throw new AppError('failed', 'the program is gone');
    };
    expect(await run()).toMatchObject({ status: 'failed', message: 'the program is gone' });
    runner.act = async () => {
      throw new TypeError('secret details');
    };
    const faulty = await run();
    expect(faulty.status).toBe('failed');
    expect(faulty.message).not.toContain('secret details');
    expect(logged.map(({ level }) => level)).toEqual(['error']);
  });

  it('hides secrets in what it stores', async () => {
    runner.act = async (_call, { onOutput }) => {
      onOutput('the word is swordfish\n');
      throw new AppError('failed', 'swordfish is wrong');
    };
    const ended = await run({ mask: (text) => text.replaceAll('swordfish', '***') });
    expect(ended.message).toBe('*** is wrong');
    expect(await stored()).toMatchObject({ message: '*** is wrong', output: 'PLAY a.yml\nthe word is ***\n' });
  });

  it('goes on when its record cannot be kept', async () => {
    const { playbooks } = storage;
    const down = async (): Promise<never> => {
      throw new AppError('unavailable', 'the database does not answer');
    };
    const broken = { playbooks: { ...playbooks, keep: down, end: down } };
    expect(await run({}, { storage: broken })).toMatchObject({ status: 'succeeded' });
    expect(await stored()).toMatchObject({ status: 'running' });
    await expect(run({}, { storage: { playbooks: { ...playbooks, begin: down } } })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(runner.calls).toHaveLength(1);
  });
});
