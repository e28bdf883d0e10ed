import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { heldText, Pulse, SilenceMeter, TICK_MILLISECONDS, ticksOf } from './pulse.ts';

/**
 * Entry of the thread that watches the main one. A plugin that holds the main thread for good keeps it from receiving signals, so
 * the process is ended, with the name of the plugin. Acknowledged work is stored.
 */

const { memory, timeoutSeconds } = workerData as {
  readonly memory: SharedArrayBuffer;
  readonly timeoutSeconds: number;
};
const pulse = new Pulse(memory);
const meter = new SilenceMeter(pulse);
const timeoutTicks = ticksOf(timeoutSeconds);

setInterval(() => {
  const ticks = meter.tick();
  const { calls } = pulse;
  if (ticks < timeoutTicks || calls.length === 0) return;
  writeSync(2, `muster: ${heldText(calls, ticks)}; the program ends. Fix the plugin, or take it out of PLUGINS\n`);
  process.kill(process.pid, 'SIGKILL');
}, TICK_MILLISECONDS);
