import type { Clock } from '../ports/index.ts';

export const systemClock: Clock = { now: () => new Date() };
