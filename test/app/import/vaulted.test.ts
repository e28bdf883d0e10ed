import { describe, expect, it } from 'vitest';
import { isVaultedText, withoutVaulted } from '../../../src/kit/records/vaulted.ts';
import { documentsOf } from '../../../src/plugins/yaml/documents.ts';
import type { JsonObject } from '../../../src/ports/index.ts';

const TEXT = '$ANSIBLE_VAULT;1.2;AES256;prod\n3132\n';

describe('what a vault encrypted', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ os: 'debian', pw: TEXT }, { os: 'debian' }],
    [{ 'db.pw.__ansible_vault': 'x', os: 'debian' }, { os: 'debian' }],
    [{ db: { pw: { __ansible_vault: 'x' }, port: 1 } }, { db: { port: 1 } }],
    [{ list: [{ __ansible_vault: 'x' }, 'b'] }, { list: [null, 'b'] }],
    [{ json: '[{"__ansible_vault":"x"}]', n: 1 }, { n: 1 }],
  ])('is not in %j', (given, kept) => expect(withoutVaulted(given)).toEqual(kept));

  it('is told from what speaks of it', () => {
    const plain = { note: 'see ANSIBLE_VAULT in the docs', os: 'debian' };
    expect(withoutVaulted(plain)).toBe(plain);
    expect(isVaultedText('__ansible_vault')).toBe(false);
  });

  it('is known in YAML by its tag', () => {
    const [read] = documentsOf('- {pw: !vault "6162", b: 1}\n- pw: !vault-encrypted |\n    6162\n');
    expect((read as readonly JsonObject[]).map(withoutVaulted)).toEqual([{ b: 1 }, {}]);
  });
});
