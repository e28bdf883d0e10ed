import { describe, expect, it } from 'vitest';
import { appErrorOf, plainError } from '../../src/adapters/workers/messages.ts';
import { maskedError } from '../../src/kit/masking/masked.ts';
import { detailOf, phrase, placed, worded } from '../../src/kit/worded.ts';
import { AppError } from '../../src/ports/index.ts';

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

  it('is a detail of an error, which keeps its parts where there are values', () => {
    const detail = detailOf('limit', worded`must be ${{ most: '1000' }} or less`);
    const wording = { template: 'must be {most} or less', values: { most: '1000' } };
    expect(detail).toEqual({ path: 'limit', message: 'must be 1000 or less', wording });
    expect(detailOf('limit', worded`is required`)).toEqual({ path: 'limit', message: 'is required' });
    expect(detailOf('limit', phrase`is required`)).toEqual({ path: 'limit', message: 'is required' });
    const error = new AppError('invalid_input', placed(detail), { details: [detail] });
    expect(error.message).toBe('limit: must be 1000 or less');
    expect(appErrorOf(structuredClone(plainError(error))).details).toEqual([detail]);
    expect(placed({ path: '', message: 'is required' })).toEqual(worded`is required`);
  });

  it('is masked with its details', () => {
    const detail = detailOf('hunter2', worded`${{ name: 'hunter2' }} is taken`);
    const masked = maskedError(new AppError('conflict', placed(detail), { details: [detail] }), (text) =>
      text.replaceAll('hunter2', '***'),
    );
    expect(JSON.stringify([masked.message, masked.wording, masked.details])).not.toContain('hunter2');
    expect(masked.details).toEqual([detailOf('***', worded`${{ name: '***' }} is taken`)]);
  });

  it('is masked however deep it lies, and nothing of it is lost', () => {
    const nested = (name: string) =>
      [1, 2, 3, 4, 5, 6].reduce(
        (inner) => worded`${{ problem: inner }} in line ${{ line: '7' }}`,
        worded`no ${{ name }}`,
      );
    const masked = maskedError(new AppError('failed', nested('hunter2')), (text) => text.replaceAll('hunter2', '***'));
    expect(masked.wording).toEqual(nested('***'));
  });
});
