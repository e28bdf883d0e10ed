import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { OperationsApp } from '../operations/operations-app.ts';

it('values of host templates are collected as the imported settings of an existing installation say', async () => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  const muster = await OperationsApp.over(storage);
  await muster.addAccounts('api');
  const labels = { os: 'linux', contact: 'ada' };
  await muster.run(saveHost, { hostname: 'web1', account: 'api', labels });
  const template = { hostname: 'linux', object_type: 'template', labels: { contact: 'bob' }, cmdb_match: 'os:linux' };
  await muster.run(importRules, { rules: { cmdb_templates: [template] } });
  const contact = async () => {
    const evaluator = await muster.app.services.evaluators.forProject(null);
    const host = await storage.hosts.find('web1');
    return host && evaluator.evaluate(host).variables.value.contact;
  };
  expect(await contact()).toBe('ada');
  await muster.run(importRules, { rules: { system_config: [{ name: 'settings', merge_attributes: ['contact'] }] } });
  expect(await contact()).toBe('ada,bob');
  await muster.stop();
});
