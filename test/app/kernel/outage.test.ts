import { describe, expect, it } from 'vitest';
import { Outage } from '../../../src/app/kernel/outage.ts';
import { AppError } from '../../../src/ports/index.ts';

const away = () => Promise.reject(new AppError('unavailable', 'away'));
const refused = expect.objectContaining({ code: 'unavailable' });

describe('an outage', () => {
  it('is waited out by a call that is made again, and told to it', async () => {
    const told: boolean[] = [];
    const answer = await new Outage({ longestMs: 5_000 }).through((isAgain) => {
      told.push(isAgain);
      return told.length < 3 ? away() : Promise.resolve('there');
    });
    expect([answer, told]).toEqual(['there', [false, true, true]]);
  });

  it('ends for a call that never succeeds, also while others are answered', async () => {
    const outage = new Outage({ longestMs: 300 });
    const others = setInterval(() => void outage.through(async () => undefined), 20);
    await expect(outage.through(away)).rejects.toEqual(refused);
    clearInterval(others);
  });

  it('is waited for once, however many calls come one after the other', async () => {
    const outage = new Outage({ longestMs: 300 });
    await expect(outage.through(away)).rejects.toEqual(refused);
    let tries = 0;
    const call = () => {
      tries++;
      return away();
    };
    await expect(outage.through(call)).rejects.toEqual(refused);
    expect(tries).toBe(1);
  });

  it('is no matter of other errors', async () => {
    let tries = 0;
    const call = () => Promise.reject(new AppError('conflict', `try ${++tries}`));
    await expect(new Outage({ longestMs: 5_000 }).through(call)).rejects.toMatchObject({ message: 'try 1' });
  });

  it('does not give a step twice that was read', async () => {
    let failures = 0;
    async function* from(first: number): AsyncGenerator<number> {
      for (let step = first; step < 6; step++) {
        if (step % 2 === 0 && failures++ % 2 === 0) await away();
        yield step;
      }
    }
    const steps: number[] = [];
    const reading = new Outage({ longestMs: 5_000 }).read((last?: number) => from(last === undefined ? 0 : last + 1));
    for await (const step of reading) steps.push(step);
    expect(steps).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
