import { describe, expect, it } from 'vitest';
import { appErrorOf, plainError } from '../../../src/adapters/workers/messages.ts';
import { worded } from '../../../src/app/kernel/worded.ts';
import { AppError } from '../../../src/ports/index.ts';

describe('a sentence with named values', () => {
  it('is the text that it would be without names, and keeps its parts', () => {
    const name = '{x} {y}';
    expect(worded`there is no host ${{ name }}; ${{ count: 12 }} others, not ${{ name }}`).toEqual({
      text: 'there is no host {x} {y}; 12 others, not {x} {y}',
      template: 'there is no host {name}; {count} others, not {name}',
      values: { name, count: 12 },
    });
    expect(worded`nothing is put in`).toEqual({ text: 'nothing is put in', template: 'nothing is put in', values: {} });
  });

  it('holds another one', () => {
    const inner = worded`the import of ${{ name: 'dc' }}`;
    expect(worded`${{ run: inner }} is running`).toEqual({
      text: 'the import of dc is running',
      template: '{run} is running',
      values: { run: inner },
    });
  });

  it('is the message of an error, also of one that comes from another thread', () => {
    const wording = worded`there is no user ${{ name: 'olga' }}`;
    const error = new AppError('not_found', wording);
    expect(error.message).toBe('there is no user olga');
    const crossed = appErrorOf(structuredClone(plainError(error)));
    expect([crossed.message, crossed.wording]).toEqual(['there is no user olga', wording]);
    expect(appErrorOf(plainError(new AppError('not_found', 'plain'))).wording).toBeUndefined();
  });
});
