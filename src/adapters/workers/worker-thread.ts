import { Readable } from 'node:stream';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { loadOperation } from '../../app/catalogue/load-operation.ts';
import { prepareInventories, type ServedHost } from '../../app/inventory/prepare-inventories.ts';
import type { StreamAnswer } from '../../app/kernel/operation.ts';
import type { App } from '../../main/compose.ts';
import { createApp } from '../../main/compose.ts';
import type { WorkerSettings } from '../../main/settings.ts';
import { AppError } from '../../ports/index.ts';
import { endProcess } from '../plugin-watch/end-process.ts';
import { pluginWatch } from '../plugin-watch/plugin-watch.ts';
import { Pulse, TICK_MILLISECONDS } from '../plugin-watch/pulse.ts';
import type { HeldPlugin } from './held-plugins.ts';
import { type FromWorker, type PlainError, plainError, type ToWorker } from './messages.ts';
import type { ThreadData } from './operation-thread.ts';

/**
 * The entry of an operation worker: its own composition of the application, with its own connection for reading and the
 * process's writer for writing.
 */

const port = parentPort as MessagePort;
const {
  settings,
  writer,
  pulse: memory,
  watchesPlugins,
  leftOut,
} = workerData as ThreadData & { settings: WorkerSettings };
const CHUNK_CHARACTERS = 64 * 1024;
/** Chunks that may be under way to the reader. */
const INITIAL_CREDIT = 4;

interface RunningJob {
  readonly controller: AbortController;
  credit: number;
  wake: (() => void) | undefined;
}

const jobs = new Map<number, RunningJob>();
const encoder = new TextEncoder();
let broken = false;
let stopping = false;
const ready: Promise<App> = startApp();
ready.then(
  () => send({ kind: 'ready' }),
  () => {
    broken = true;
  },
);

port.on('message', (message: ToWorker) => {
  if (message.kind === 'stop') {
    void stop();
  } else if (message.kind === 'prepare') {
    void prepare();
  } else if (message.kind === 'leave_out') {
    void ready.then(
      (app) => leaveOut(app, message.plugins),
      () => undefined,
    );
  } else if (message.kind === 'run') {
    void run(message);
  } else {
    const job = jobs.get(message.id);
    if (job === undefined) return;
    if (message.kind === 'pull') job.credit++;
    else job.controller.abort(new AppError('cancelled', 'the caller went away'));
    job.wake?.();
  }
});

async function startApp(): Promise<App> {
  const pulse = new Pulse(memory);
  setInterval(() => pulse.heartbeat(), TICK_MILLISECONDS / 2).unref();
  if (watchesPlugins) pluginWatch.install(pulse);
  const app = await createApp({ ...settings, role: 'worker', ...(writer === undefined ? {} : { writer }) });
  leaveOut(app, leftOut);
  await app.start();
  return app;
}

/**
 * Loads what the first inventory needs, compiles its rules and renders a host; secrets stay sealed until a request needs them.
 */
async function prepare(): Promise<void> {
  let error: PlainError | undefined;
  let served: ServedHost | undefined;
  try {
    const { services } = await ready;
    await loadOperation(services.plugins, 'inventory/render-inventory');
    served = await prepareInventories(services);
  } catch (thrown) {
    // Work cut off by a stop does not count as a fault.
    if (!stopping) error = plainError(thrown);
  }
  await ready.then(sendTimings, () => undefined);
  send({ kind: 'prepared', served, error });
  endIfBroken();
}

function leaveOut(app: App, plugins: readonly HeldPlugin[]): void {
  for (const { pluginId, message } of plugins) app.services.plugins.fail(pluginId, message);
}

async function run(message: Extract<ToWorker, { kind: 'run' }>): Promise<void> {
  const { id } = message;
  const job: RunningJob = { controller: new AbortController(), credit: INITIAL_CREDIT, wake: undefined };
  jobs.set(id, job);
  try {
    const app = await ready.catch((error: unknown) => {
      send({ kind: 'lost', id, error: plainError(error) });
      return undefined;
    });
    if (app === undefined) return;
    const operation = await loadOperation(app.services.plugins, message.operation);
    if (operation === undefined) throw new AppError('internal', `there is no operation ${message.operation}`);
    const options = {
      signal: job.controller.signal,
      ...(message.answerCharacters !== undefined && { answerCharacters: message.answerCharacters }),
      progress: (progress: Extract<FromWorker, { kind: 'progress' }>['progress']) =>
        send({ kind: 'progress', id, progress }),
    };
    if (operation.answer === 'value' && message.asJson) {
      await sendJson(id, job, await app.executor.json(operation, message.input, message.caller, options));
    } else if (operation.answer === 'value') {
      send({ kind: 'value', id, value: await app.executor.value(operation, message.input, message.caller, options) });
    } else {
      await sendStream(id, job, await app.executor.stream(operation, message.input, message.caller, options));
    }
  } catch (error) {
    send({ kind: 'error', id, error: plainError(error) });
  } finally {
    jobs.delete(id);
    void ready.then(sendTimings, () => undefined);
    // A plugin that was given up may still be running.
    job.controller.abort();
    endIfBroken();
  }
}

/** The reason this thread could not start may be over soon: the next operation gets a thread that tries again. */
function endIfBroken(): void {
  if (broken && jobs.size === 0) endProcess(1);
}

function sendTimings({ services }: App): void {
  const calls = services.timings.store.drain();
  if (calls.length > 0) send({ kind: 'timed', calls });
}

/**
 * A long text is sent in pieces, at the pace of its reader: otherwise the main thread would keep it for a reader that has
 * stopped.
 */
async function sendJson(id: number, job: RunningJob, answer: string | StreamAnswer): Promise<void> {
  if (typeof answer !== 'string') return sendStream(id, job, answer);
  if (answer.length <= CHUNK_CHARACTERS) return send({ kind: 'value', id, value: answer });
  return sendStream(id, job, {
    mediaType: 'application/json',
    unchanged: false,
    body: Readable.from(piecesOf(answer)),
  });
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + CHUNK_CHARACTERS;
    // A surrogate pair must not be split.
    const piece = text.slice(at, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end);
    yield piece;
    at += piece.length;
  }
}

async function sendStream(id: number, job: RunningJob, answer: StreamAnswer): Promise<void> {
  const { body, ...head } = answer;
  send({ kind: 'stream', id, head });
  let text = '';
  const sendText = async (): Promise<void> => {
    if (text !== '') await sendChunk(id, job, text);
    text = '';
  };
  for await (const chunk of body) {
    if (typeof chunk !== 'string') {
      await sendText();
      await sendChunk(id, job, chunk);
      continue;
    }
    text += chunk;
    if (text.length < CHUNK_CHARACTERS) continue;
    // A record may be megabytes long, and few chunks are under way.
    for (const piece of piecesOf(text)) await sendChunk(id, job, piece);
    text = '';
  }
  await sendText();
  send({ kind: 'end', id });
}

/** Text was encoded for this message; bytes may still be needed by their producer, and are shared or copied. */
async function sendChunk(id: number, job: RunningJob, chunk: string | Uint8Array): Promise<void> {
  while (job.credit === 0) {
    job.controller.signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      job.wake = resolve;
    });
  }
  job.controller.signal.throwIfAborted();
  job.credit--;
  if (typeof chunk !== 'string') return send({ kind: 'chunk', id, bytes: chunk });
  const bytes = encoder.encode(chunk);
  port.postMessage({ kind: 'chunk', id, bytes } satisfies FromWorker, [bytes.buffer]);
}

async function stop(): Promise<void> {
  stopping = true;
  const app = await ready.catch(() => undefined);
  await app?.stop();
  port.close();
  endProcess(0);
}

function send(message: FromWorker): void {
  port.postMessage(message);
}
