import { CallError, post } from '../calls/call.ts';

/** Request of the document in the frame. */
interface FrameCall {
  readonly muster: 'call';
  readonly id: number;
  readonly action: string;
  readonly input: object;
}

interface FrameHeight {
  readonly muster: 'height';
  /** Pixels. */
  readonly height: number;
}

type FrameAnswer = { readonly muster: 'answer'; readonly id: number } & (
  | { readonly output: unknown }
  | { readonly error: { readonly message: string; readonly code: string } }
);

export function isCall(data: unknown): data is FrameCall {
  if (typeof data !== 'object' || data === null) return false;
  const { muster, id, action, input } = data as Partial<FrameCall>;
  const isAsked = typeof action === 'string' && typeof input === 'object' && input !== null;
  return muster === 'call' && typeof id === 'number' && isAsked;
}

export function isHeight(data: unknown): data is FrameHeight {
  if (typeof data !== 'object' || data === null) return false;
  const { muster, height } = data as Partial<FrameHeight>;
  return muster === 'height' && typeof height === 'number' && Number.isFinite(height);
}

/** Any other text in an address could be an operation, or an action of another plugin. */
const NAME = /^[a-z0-9-]+$/;

/** Calls the action as the logged-in user; the service checks it like every call. */
export async function answerOf(plugin: string, { id, action, input }: FrameCall): Promise<FrameAnswer> {
  try {
    if (!NAME.test(action)) throw new CallError({ message: `there is no action ${action}`, code: 'not_found' });
    const response = await post(`plugin.${plugin}/${action}`, input, 'application/json');
    return { muster: 'answer', id, output: await response.json() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { muster: 'answer', id, error: { message, code: error instanceof CallError ? error.code : 'internal' } };
  }
}
