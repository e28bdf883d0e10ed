import { t } from '@lingui/core/macro';
import type { Progress } from '../../../../app/kernel/operation.ts';
import type { OfferedInput, OfferedName, OfferedOutput } from '../../offered-operations.ts';
import { serviceTexts } from '../language/language.ts';
import { inLanguage, sentence, type Worded } from '../language/service-texts.ts';
import { below } from './below.ts';

interface Detail {
  readonly path: string;
  readonly message: string;
  readonly wording?: Worded;
}

/** A refusal or fault, as the service has put it into words. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(body: { message?: string; code?: string; details?: readonly Detail[]; wording?: Worded }) {
    super(sentence(body.message, body.wording) ?? t`unexpected answer from the service; try again`);
    this.code = body.code ?? 'internal';
    this.details = (body.details ?? []).map(({ path, message, wording }) => ({
      path,
      message: sentence(message, wording),
    }));
  }
}

const UNREACHABLE = { message: t`the service does not answer; is it running?`, code: 'unreachable' };

/** Sends one request to the service. Throws `CallError` for anything other than an answer to it. */
export async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch(() => undefined);
  if (response === undefined) throw new CallError(UNREACHABLE);
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Record<string, never>;
  await serviceTexts();
  throw new CallError(body);
}

/** The answer as it comes. */
export async function post(name: string, input: unknown, accept: string, signal?: AbortSignal): Promise<Response> {
  const asked = request(below(`/admin/api/operations/${name}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
  const [answer] = await Promise.all([asked, serviceTexts()]);
  return answer;
}

/** Calls an operation of the service. Work that only reads ends once `signal` is aborted. */
export async function call<Name extends OfferedName>(
  name: Name,
  input: OfferedInput<Name>,
  signal?: AbortSignal,
): Promise<OfferedOutput<Name>> {
  return inLanguage(name, (await (await post(name, input, 'application/json', signal)).json()) as OfferedOutput<Name>);
}

/** Calls long work and reports its progress. */
export async function callWithProgress<Name extends OfferedName>(
  name: Name,
  input: OfferedInput<Name>,
  onProgress: (progress: Progress) => void,
): Promise<OfferedOutput<Name>> {
  const response = await post(name, input, 'application/x-ndjson');
  for await (const line of linesOf(response)) {
    const message = JSON.parse(line) as { progress?: Progress; result?: unknown; error?: Record<string, never> };
    if (message.progress !== undefined) onProgress(message.progress);
    else if (message.error !== undefined) throw new CallError(message.error);
    else return inLanguage(name, message.result as OfferedOutput<Name>);
  }
  throw new CallError({
    message: t`the connection ended before the work did; see the log for how it continued`,
    code: 'cut',
  });
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
