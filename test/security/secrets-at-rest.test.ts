import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '../../src/app/backups/operations/back-up.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { rotateKey } from '../../src/app/maintenance/operations/rotate-key.ts';
import { runMaintenance } from '../../src/app/maintenance/operations/run-maintenance.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { removeRule } from '../../src/app/rules/operations/remove-rules.ts';
import { ruleHistory } from '../../src/app/rules/operations/rule-history.ts';
import { createApp } from '../../src/main/compose.ts';
import { type RuleDocument, StoredJson } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { freshFolder } from '../app/storage-transfer/support.ts';
import { callerWith } from './support/callers.ts';
import { STORES } from './support/two-stores.ts';

const PLAIN = {
  inital_password: 'clear-inital-password',
  subscription_password: 'clear-subscription-password',
  cmk_secret: 'clear-{{ CMK_VERSION }}-secret',
  webserver_certificate_private_key: '-----BEGIN PRIVATE KEY-----\nclear-key\n-----END PRIVATE KEY-----',
};
const SETTINGS = { name: 'master', cmk_version: '2.3.0', cmk_user: 'automation', ...PLAIN };
const SITE = { name: 'berlin', enabled: true, server_address: 'cmk1.example.org', settings_master: 'master' };

describe.each(STORES)('secrets at rest over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  beforeEach(async () => {
    opened = await createStorage();
    muster = await OperationsApp.over(opened.storage);
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
  });

  /** Everything that is stored of documents and their past versions. */
  async function everythingStored(): Promise<string> {
    let text = '';
    for (const part of ['rules', 'rule_versions'] as const) {
      for await (const records of opened.storage.transfer.read(part, { batchSize: 100 }))
        text += JSON.stringify(records);
    }
    return text;
  }

  const siteVariables = () =>
    muster.read(renderInventory, { provider: 'cmk_sites', host: SITE.server_address }) as Promise<RuleDocument>;

  /** As an older version stored it. */
  async function lay(id: string, document: RuleDocument, type = 'cmk_site_settings'): Promise<void> {
    await opened.storage.rules.write({
      entries: [
        {
          type,
          id,
          name: String(document.name),
          uniqueName: true,
          document: StoredJson.ofValue({ _id: { $oid: id }, ...document }),
          confirmedBy: 'operator',
        },
      ],
      mode: 'replace',
      at: new Date(),
      actor: { kind: 'system', name: 'test' },
    });
  }

  it('settings of sites: neither in documents, nor in history, export or backup, and all in the inventory', async () => {
    await muster.run(importRules, { rules: { cmk_site_settings: [SETTINGS], cmk_sites: [SITE] } });
    await muster.run(importRules, { rules: { cmk_site_settings: [{ ...SETTINGS, cmk_user: 'b' }] }, override: true });
    const file = join(await freshFolder(), 'backup');
    await muster.run(backUp, { file });
    const raw = await readFile(file);
    const backup = raw[0] === 0x1f ? gunzipSync(raw).toString('utf8') : raw.toString('utf8');
    const texts = [
      await everythingStored(),
      JSON.stringify(await muster.read(exportRules, {})),
      JSON.stringify(await muster.run(ruleHistory, { rule_type: 'cmk_site_settings', rule: 'master' })),
      backup,
    ];
    for (const text of texts) expect(text).not.toContain('clear-');
    expect(await siteVariables()).toMatchObject({
      ...PLAIN,
      cmk_secret: 'clear-2.3.0-secret',
      webserver_private_certificate: PLAIN.webserver_certificate_private_key,
    });
  });

  it('settings come back as they are, by whoever may write rules, and a new clear value takes the old one’s place', async () => {
    const author = callerWith('author', { roles: ['rules'] });
    await muster.run(importRules, { rules: { cmk_site_settings: [SETTINGS] } }, author);
    // One of somebody else waits, and shows no secret of the settings that it names.
    await muster.run(importRules, { rules: { cmk_sites: [SITE] } });
    const { rules }: { rules: RuleDocument[] } = await muster.read(
      listRules,
      { rule_type: 'cmk_site_settings' },
      author,
    );
    await muster.run(importRules, { rules: { cmk_site_settings: rules }, override: true }, author);
    expect(await muster.read(listRules, { rule_type: 'cmk_site_settings' })).toMatchObject({ rules });
    const [settings] = rules;
    const changed = { ...settings, cmk_secret: 'second', inital_password: '{{ACCOUNT:vault:password}}' };
    await muster.run(importRules, { rules: { cmk_site_settings: [changed] }, override: true, confirm: true });
    expect(await siteVariables()).toMatchObject({
      cmk_secret: 'second',
      subscription_password: PLAIN.subscription_password,
    });
    const stored = JSON.stringify(await muster.read(listRules, { rule_type: 'cmk_site_settings' }));
    expect(stored).toContain('{{ACCOUNT:vault:password}}');
  });

  it('what an older version stored in clear is sealed when a service starts, with its history, and once', async () => {
    await lay('a'.repeat(24), SETTINGS);
    await lay('a'.repeat(24), { ...SETTINGS, cmk_user: 'second' });
    await lay('b'.repeat(24), { name: 'ann', api_roles: [], tfa_secret: 'clear-second-factor' }, 'users');
    await muster.run(importRules, { rules: { cmk_sites: [SITE] } });
    expect(await everythingStored()).toContain('clear-');
    const { services } = muster.app;
    const settings = {
      config: services.config,
      origins: services.configOrigins,
      workingDirectory: '/',
      logger: services.logger,
    };
    async function startService(): Promise<void> {
      const service = await createApp({ ...settings, role: 'server', storage: opened.storage });
      await service.start();
      await service.stop();
    }
    await startService();
    expect(await everythingStored()).not.toContain('clear-');
    expect(await siteVariables()).toMatchObject({
      inital_password: PLAIN.inital_password,
      cmk_secret: 'clear-2.3.0-secret',
    });
    const record = await opened.storage.rules.get('cmk_site_settings', 'a'.repeat(24));
    expect(record?.confirmedBy).toBe('operator');
    await startService();
    expect((await opened.storage.rules.get('cmk_site_settings', 'a'.repeat(24)))?.version).toBe(record?.version);
  });

  it('is sealed by maintenance too, and by a rotation of the key also in the history of what was removed', async () => {
    await lay('a'.repeat(24), SETTINGS);
    await muster.run(runMaintenance, {});
    expect(await everythingStored()).not.toContain('clear-');
    await lay('b'.repeat(24), { ...SETTINGS, name: 'gone' });
    await muster.run(removeRule, { rule_type: 'cmk_site_settings', rule: 'gone' });
    expect(await everythingStored()).toContain('clear-');
    await expect(muster.run(rotateKey, {})).rejects.toMatchObject({ code: 'failed' });
    expect(await everythingStored()).not.toContain('clear-');
  });
});
