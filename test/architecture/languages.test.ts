import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATION_TITLES } from '../../generated/operation-titles.ts';
import { catalogues, messagesOfPages, readCatalogue } from '../../scripts/messages/catalogue.mjs';
import { compiled } from '../../scripts/messages/transform.mjs';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { listAccountTypes } from '../../src/app/accounts/operations/list-account-types.ts';
import { listPlugins } from '../../src/app/maintenance/operations/list-plugins.ts';
import { showConfig } from '../../src/app/maintenance/operations/show-config.ts';
import { describeRuleTypes } from '../../src/app/rules/operations/describe-rule-types.ts';
import { listCronJobs } from '../../src/app/runs/cron/operations/list-jobs.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { ROOT } from './source-files.ts';

const SERVICE_TEXTS = join(ROOT, 'src/adapters/admin/pages/language/service-texts.json');

/** Texts of pages stand in one catalogue a language: src/adapters/admin/pages/language/*.po. After a new text: npm run messages. */
describe.each(catalogues())('the catalogue of $language', ({ path }) => {
  const catalogue = [...readCatalogue(readFileSync(path, 'utf8'))];
  const ofService = (key: string): boolean => key.startsWith('service\u0004');

  it('has every text, and no other; else: npm run messages', async () => {
    expect(catalogue.map(([key]) => key).sort()).toEqual([...(await messagesOfPages()).keys()].sort());
  });

  it('translates all of them', () => {
    expect(catalogue.filter(([, translation]) => translation === '').map(([key]) => key)).toEqual([]);
  });

  it('puts the same values and the same elements into a translation', () => {
    const different = catalogue
      .filter(([key]) => !ofService(key))
      .filter(([key, translation]) => translation !== '' && wantedBy(key).join() !== wantedBy(translation).join());
    expect(different).toEqual([]);
  });

  it('leaves what stands in code as it is', () => {
    const different = catalogue
      .filter(([key]) => ofService(key))
      .filter(([key, translation]) => translation !== '' && codeIn(key).join() !== codeIn(translation).join());
    expect(different).toEqual([]);
  });
});

it('the list of texts that come from the service is as the service has them; else: UPDATE_MESSAGES=1, then npm run messages', async () => {
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage);
  const texts = [
    ...textsIn(await muster.run(listAccountTypes, {})),
    ...textsIn(await muster.run(describeRuleTypes, {})),
    ...textsIn(await muster.run(listCronJobs, {})),
    ...textsIn(await muster.run(listPlugins, {})),
    ...textsIn(await muster.run(showConfig, {})),
    ...Object.values(OPERATION_TITLES),
  ];
  await storage.stop();
  const list = `${JSON.stringify([...new Set(texts)].sort(), null, 2)}\n`;
  if (process.env.UPDATE_MESSAGES) writeFileSync(SERVICE_TEXTS, list);
  expect(JSON.parse(list)).toEqual(JSON.parse(readFileSync(SERVICE_TEXTS, 'utf8')));
});

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if ((name === 'title' || name === 'description') && typeof member === 'string')
      return member === '' ? [] : [member];
    return textsIn(member);
  });
}

function codeIn(text: string): string[] {
  return Array.from(text.matchAll(/`[^`]+`|\{\{[^}]*\}\}|\{\w+\}/g), ([code]) => code).sort();
}

/** Names of the values and numbers of the elements of a text, each once. */
function wantedBy(message: string): string[] {
  const found = new Set<string>();
  const collect = (parts: readonly unknown[]): void => {
    for (const part of parts) {
      if (typeof part === 'string') for (const [tag] of part.matchAll(/<\/?\d+\/?>/g)) found.add(tag);
      if (!Array.isArray(part)) continue;
      const [name, , forms] = part;
      found.add(`{${name}}`);
      if (typeof forms === 'object') for (const form of Object.values(forms)) if (Array.isArray(form)) collect(form);
    }
  };
  collect(compiled(message.split('\u0004').at(-1) ?? ''));
  return [...found].sort();
}
