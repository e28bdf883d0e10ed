import { inject } from 'vitest';

/** The database server that all test files of this run share. The first one who asks waits half a second for it to start. */
export async function sharedMongodbUrl(): Promise<string> {
  const answer = await fetch(inject('mongodbStarter'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
