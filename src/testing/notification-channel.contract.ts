import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification, NotificationChannel } from '../ports/index.ts';

/** Behaviour of a receiver for the next notifications. `loses`: it has taken one, and its answer is lost. */
export type ReceiverFault = 'refuses' | 'is silent' | 'loses';

/** A receiver of a test, and a channel to it. */
export interface OpenedReceiver {
  readonly channel: NotificationChannel;
  /** Received texts in order, one for each time that something was sent, taken or not. */
  received(): readonly string[];
  /** `undefined`: it takes what comes. */
  behave(fault: ReceiverFault | undefined): void;
  close(): Promise<void>;
}

export interface NotificationChannelHarness {
  /** Opens a receiver that accepts everything. Called again for each test. */
  open(): Promise<OpenedReceiver>;
  /** Faults that the sender can detect; a receiver that answers nothing has none. */
  readonly faults: readonly ReceiverFault[];
  /** Texts that no message may hold: what the channel logs in with. */
  readonly own: readonly string[];
}

const TIMEOUT_MS = 10_000;

function notification(number: number, more: Partial<Notification> = {}): Notification {
  return {
    id: `65a1b2c3d4e5f607182930${number.toString().padStart(2, '0')}`,
    event: 'run_failed',
    subject: 'crm',
    title: `Import ${number} of crm failed`,
    text: 'line 3 is wrong',
    at: '2026-11-26T10:00:00.000Z',
    rule: 'ops',
    ...more,
  };
}

/** Tests the promises of a way to receivers: the outbox sends at least once, in order, and relies on them. */
export function describeNotificationChannelContract(name: string, harness: NotificationChannelHarness): void {
  describe(`${name} as a channel for notifications`, () => {
    let receiver: OpenedReceiver;
    const signal = (): AbortSignal => new AbortController().signal;
    const send = (given: Notification, aborts = signal()) => receiver.channel.send(given, { signal: aborts });
    /** Without an answer, a sent message is on its way for a moment. */
    const arrived = (count: number) =>
      expect.poll(() => receiver.received().length, { timeout: TIMEOUT_MS }).toBe(count);
    const failure = (given: Notification, aborts?: AbortSignal): Promise<Error> =>
      send(given, aborts).then(
        () => expect.fail('it says that it was sent'),
        (error: Error) => error,
      );

    beforeEach(async () => {
      receiver = await harness.open();
    });
    afterEach(() => receiver.close());

    it('sends notifications one by one, in order, each with its id', async () => {
      for (const number of [1, 2, 3]) await send(notification(number));
      await arrived(3);
      for (const [index, text] of receiver.received().entries()) expect(text).toContain(notification(index + 1).id);
    });

    it('gives what is sent again the id that it had', async () => {
      await send(notification(4));
      await send(notification(4));
      await arrived(2);
      for (const text of receiver.received()) expect(text).toContain(notification(4).id);
    });

    it('sends one, whatever its texts are', async () => {
      const hostile = 'a\r\nBcc: b@example.org\r\n.\r\n\u0000 <!channel> @all \u{1f600} "';
      await send(notification(5, { title: hostile, text: hostile.repeat(20), subject: hostile, rule: hostile }));
      await send(notification(6));
      await arrived(2);
      expect(receiver.received()[1]).toContain(notification(6).id);
    });

    it('sends nothing when it is called off before', async () => {
      await failure(notification(7), AbortSignal.abort());
      await send(notification(8));
      await arrived(1);
    });

    for (const fault of harness.faults.filter((each) => each !== 'is silent')) {
      it(`throws when the receiver ${fault}, tries once, and sends the same again when it is asked to`, async () => {
        receiver.behave(fault);
        const error = await failure(notification(9));
        expect(receiver.received()).toHaveLength(1);
        for (const secret of harness.own) expect(error.message).not.toContain(secret);
        receiver.behave(undefined);
        await send(notification(9));
        await arrived(2);
        for (const text of receiver.received()) expect(text).toContain(notification(9).id);
      });
    }

    if (harness.faults.includes('is silent')) {
      it('ends when it is called off while the receiver is silent', async () => {
        receiver.behave('is silent');
        const controller = new AbortController();
        const failed = failure(notification(10), controller.signal);
        await arrived(1);
        controller.abort();
        const from = performance.now();
        await failed;
        expect(performance.now() - from).toBeLessThan(TIMEOUT_MS / 2);
      });
    }

    it('throws when nobody is there, and holds its secrets back', async () => {
      await receiver.close();
      const error = await failure(notification(11));
      for (const secret of harness.own) expect(error.message).not.toContain(secret);
    });
  });
}
