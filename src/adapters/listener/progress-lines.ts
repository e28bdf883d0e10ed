import type { Progress } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { plainDetails } from './errors.ts';

/** Lines of JSON: `{"progress": …}` as often as the reader keeps up, at the end `{"result": …}` or `{"error": …}`. */
export const PROGRESS_TYPE = 'application/x-ndjson';

/** Output that a slow reader has not taken; more loses its beginning. */
const MOST_OUTPUT = 256 * 1024;

export interface ProgressOptions {
  /** Seconds without progress after which a client that follows it gets an empty line, as a sign that work continues. */
  readonly heartbeatSeconds?: number | undefined;
  /** Further members of an error for this client, in addition to those that all get. */
  readonly membersOf?: ((error: AppError) => object) | undefined;
}

/**
 * Runs long work and reports its progress. Progress that has not been read yet is replaced by newer; an empty line means that
 * work continues.
 */
export async function* progressLines(
  run: (progress: (progress: Progress) => void) => Promise<unknown>,
  { heartbeatSeconds, membersOf }: ProgressOptions = {},
): AsyncGenerator<string> {
  let latest: Progress | undefined;
  let wake = (): void => undefined;
  let end: string | undefined;
  const finish = (line: object): void => {
    end = `${JSON.stringify(line)}\n`;
    wake();
  };
  run((progress) => {
    latest = joined(latest, progress);
    wake();
  }).then(
    (result) => finish({ result }),
    (error: unknown) => finish({ error: errorOf(error, membersOf) }),
  );
  while (end === undefined) {
    if (latest === undefined) {
      let timer: NodeJS.Timeout | undefined;
      const woken = new Promise<boolean>((resolve) => {
        wake = () => resolve(true);
        if (heartbeatSeconds !== undefined) timer = setTimeout(() => resolve(false), heartbeatSeconds * 1000);
      });
      const isWoken = await woken;
      clearTimeout(timer);
      if (!isWoken) yield '\n';
      continue;
    }
    const line = { progress: latest };
    latest = undefined;
    yield `${JSON.stringify(line)}\n`;
  }
  yield end;
}

/** Pending progress is replaced by newer, except for printed output. */
function joined(waiting: Progress | undefined, newer: Progress): Progress {
  if (waiting?.output === undefined) return newer;
  return { ...newer, output: (waiting.output + (newer.output ?? '')).slice(-MOST_OUTPUT) };
}

function errorOf(error: unknown, membersOf: ProgressOptions['membersOf']): object {
  if (!(error instanceof AppError) || error.code === 'internal') {
    return { message: 'something went wrong on our side; the log of the service has it', code: 'internal' };
  }
  return {
    message: error.message,
    code: error.code,
    ...(error.details.length > 0 && { details: plainDetails(error) }),
    ...membersOf?.(error),
  };
}
