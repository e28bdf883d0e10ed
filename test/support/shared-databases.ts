import { inject } from 'vitest';

/** The database servers that all test files of this run share. The first one who asks waits for it to start. */
export const sharedMongodbUrl = (): Promise<string> => sharedUrl('mongodb');
export const sharedPostgresqlUrl = (): Promise<string> => sharedUrl('postgresql');

async function sharedUrl(name: string): Promise<string> {
  const answer = await fetch(inject('databaseStarter') + name);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
