import { parentPort, workerData } from 'node:worker_threads';
import type { CheckData, FromCheck } from './check.ts';
import { Connection } from './connection.ts';
import { packError, toAppError } from './errors.ts';
import { findProblems } from './find-problems.ts';

/** Checks one database over a connection of its own, and ends. */

const { path, lockTimeoutMs, only } = workerData as CheckData;

function send(message: FromCheck): void {
  parentPort?.postMessage(message);
}

try {
  const connection = new Connection(path, lockTimeoutMs);
  connection.pragma('query_only = ON');
  for (const problem of findProblems(connection, only)) send({ problem });
  connection.close();
} catch (error) {
  send({ error: packError(toAppError(error, path)) });
}
