import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import { packError, toAppError } from './errors.ts';
import { openWriter } from './open.ts';
import { type JobOutcome, runGroup } from './write/group.ts';
import type { FromWriter, SentJob, SentResult, ToWriter, WriterData } from './writer-protocol.ts';

/**
 * The one thread of this process that writes. Takes whatever waits, from all threads of the process, into one
 * transaction, and answers after its commit.
 */

/** Entries in one transaction; more would let single writes wait too long behind bulk ones. */
const MAX_GROUP_WEIGHT = 5_000;

interface Queued extends SentJob {
  readonly port: MessagePort;
}

const { path, lockTimeoutMs } = workerData as WriterData;
const ports = new Set<MessagePort>();
let queue: Queued[] = [];
let connection: Connection | undefined;
let closing = false;
let scheduled = false;

function listen(port: MessagePort): void {
  ports.add(port);
  port.on('message', (message: ToWriter) => {
    receive(port, message);
    work();
  });
  port.on('close', () => ports.delete(port));
}

function receive(port: MessagePort, message: ToWriter): void {
  if (message.type === 'jobs') for (const job of message.jobs) queue.push({ ...job, port });
  else if (message.type === 'connect') listen(message.port);
  else closing = true;
}

/** Runs one group; the rest waits for the next turn of the loop, so that other ports are heard in between. */
function work(): void {
  if (scheduled) return;
  for (const port of ports) {
    for (let waiting = receiveMessageOnPort(port); waiting !== undefined; waiting = receiveMessageOnPort(port)) {
      receive(port, waiting.message as ToWriter);
    }
  }
  if (queue.length > 0) {
    const group = takeGroup();
    answer(group, run(group));
  }
  if (queue.length > 0) {
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      work();
    });
  } else if (closing) {
    connection?.close();
    connection = undefined;
    for (const port of ports) port.close();
  }
}

function takeGroup(): Queued[] {
  let weight = 0;
  let count = 0;
  while (count < queue.length && (count === 0 || weight + (queue[count]?.weight ?? 0) <= MAX_GROUP_WEIGHT)) {
    weight += queue[count]?.weight ?? 0;
    count++;
  }
  const group = queue.slice(0, count);
  queue = queue.slice(count);
  return group;
}

function run(group: readonly Queued[]): JobOutcome[] {
  try {
    connection ??= openWriter(path, lockTimeoutMs);
    return runGroup(connection, group);
  } catch (error) {
    const failure = toAppError(error, path);
    return group.map(() => ({ error: failure }));
  }
}

function answer(group: readonly Queued[], outcomes: readonly JobOutcome[]): void {
  const byPort = new Map<MessagePort, SentResult[]>();
  group.forEach(({ id, port }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) return;
    const result = 'error' in outcome ? { id, error: packError(outcome.error) } : { id, value: outcome.value };
    const results = byPort.get(port);
    if (results === undefined) byPort.set(port, [result]);
    else results.push(result);
  });
  for (const [port, results] of byPort) port.postMessage({ results } satisfies FromWriter);
}

if (parentPort !== null) listen(parentPort);
