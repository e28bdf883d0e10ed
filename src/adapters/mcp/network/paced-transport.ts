import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { AnswerRoom } from './answer-rooms.ts';
import type { EventStream } from './event-stream.ts';

export interface PacedTransportOptions {
  readonly stream: EventStream;
  readonly room: AnswerRoom;
  readonly sessionId?: string;
}

interface Call {
  hasBegun: boolean;
  /** The work on it has begun and not ended. */
  isRunning: boolean;
  isAnswered: boolean;
  /** True once the answer is no longer wanted. */
  isGivenUp: boolean;
  /** Withdraws a waiting request. */
  withdraw(): void;
  /** Leaves the room. */
  leave(): void;
  /** Called when the answer was taken, or there will be none. */
  over(): void;
}

/**
 * Most unread bytes at which small messages are still sent in addition to answers: a client that does not read gets its progress
 * later.
 */
const UNREAD_WITH_SMALL = 65_536;

/** Answers with events of one stream, and begins a request only when there is room for its answer. */
export class PacedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly sessionId?: string;
  readonly #stream: EventStream;
  readonly #room: AnswerRoom;
  readonly #calls = new Map<RequestId, Call>();
  #isClosed = false;

  constructor({ stream, room, sessionId }: PacedTransportOptions) {
    this.#stream = stream;
    this.#room = room;
    if (sessionId !== undefined) this.sessionId = sessionId;
  }

  async start(): Promise<void> {
    // The stream is open.
  }

  /** Whether a request with this id has no answer yet. */
  isUnderWay(id: RequestId): boolean {
    return this.#calls.has(id);
  }

  /** Takes a message of the client; `over` is called when its answer was taken, or when it gets none. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined, over: () => void = () => undefined): void {
    if (!isJSONRPCRequest(message)) {
      this.onmessage?.(message, extra);
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        const id = message.params?.requestId as RequestId;
        const call = this.#calls.get(id);
        // A finished answer is sent all the same.
        if (call !== undefined && !call.isAnswered) this.#giveUp(id, call);
      }
      over();
      return;
    }
    const nothing = (): void => undefined;
    const call: Call = {
      hasBegun: false,
      isRunning: false,
      isAnswered: false,
      isGivenUp: false,
      withdraw: nothing,
      leave: nothing,
      over,
    };
    this.#calls.set(message.id, call);
    const begin = (leave: () => void): void => {
      call.hasBegun = true;
      call.leave = leave;
      this.onmessage?.(message, extra);
    };
    // A client that asks whether we live is not to wait for calls that take their time.
    if (message.method === 'ping' && this.#stream.unread < UNREAD_WITH_SMALL) begin(nothing);
    else call.withdraw = this.#room.enter(begin);
  }

  /** Marks the beginning of work on a call; returns a function to call when it has ended, even if the client has gone. */
  running(id: RequestId): () => void {
    const call = this.#calls.get(id);
    if (call === undefined) return () => undefined;
    call.isRunning = true;
    return () => {
      call.isRunning = false;
      if (call.isGivenUp) this.#finish(id, call);
    };
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) {
      if (this.#stream.unread < UNREAD_WITH_SMALL) this.#stream.send('message', JSON.stringify(message));
      return;
    }
    const { id } = message;
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined || call.isGivenUp) return;
    call.isAnswered = true;
    this.#stream.send('message', JSON.stringify(message), () => this.#finish(id, call));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream.end();
    for (const [id, call] of [...this.#calls]) this.#giveUp(id, call);
    this.#room.close();
    this.onclose?.();
  }

  #giveUp(id: RequestId, call: Call): void {
    call.isGivenUp = true;
    if (!call.hasBegun || call.isAnswered) {
      call.withdraw();
      this.#finish(id, call);
      return;
    }
    // Work that has begun keeps its place until it has ended. It may be about to begin just now.
    setImmediate(() => {
      if (!call.isRunning) this.#finish(id, call);
    });
  }

  #finish(id: RequestId, call: Call): void {
    if (this.#calls.get(id) !== call) return;
    this.#calls.delete(id);
    call.leave();
    call.over();
  }
}
