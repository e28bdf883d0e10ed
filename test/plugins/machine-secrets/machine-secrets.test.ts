import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { machineSecrets } from '../../../src/adapters/secrets/machine-secrets.ts';
import { environmentSecrets, fileSecrets } from '../../../src/plugins/machine-secrets/sources.ts';
import type { SecretSource, SecretSourceType } from '../../../src/ports/index.ts';
import { describeSecretSourceContract } from '../../../src/testing.ts';
import { silent } from '../../app/import/support.ts';
import { noHttp } from '../../support/no-http.ts';

const CONTEXT = { signal: new AbortController().signal };

let base: string;
let environment: Record<string, string | undefined>;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'muster-secrets-'));
  await mkdir(join(base, 'open/inner'), { recursive: true });
  await writeFile(join(base, 'open/netbox'), 's3cret of netbox\n');
  await writeFile(join(base, 'open/inner/two-lines'), 'one\ntwo\n\n');
  await writeFile(join(base, 'open/instance.key'), 'key');
  await writeFile(join(base, 'outside'), 'not yours');
  await symlink(join(base, 'outside'), join(base, 'open/link-out'));
  await symlink('inner/two-lines', join(base, 'open/link-in'));
  environment = { MUSTER_SECRET_A: 'value of a', OTHER: 'no', MUSTER_SECRET_EMPTY: '', EXACT: 'value of exact' };
});
afterEach(() => rm(base, { recursive: true }));

function open(type: SecretSourceType): SecretSource {
  const machine = machineSecrets({
    folders: [join(base, 'open')],
    closed: [join(base, 'open/instance.key')],
    variables: ['MUSTER_SECRET_*', 'EXACT'],
    environment,
  });
  return type.open({ logger: silent, http: noHttp, machine });
}

const opened = (type: SecretSourceType) => async () => ({ source: open(type), close: async () => undefined });

describeSecretSourceContract('file', {
  type: fileSecrets,
  open: opened(fileSecrets),
  secrets: { netbox: 's3cret of netbox', 'inner/two-lines': 'one\ntwo\n', 'link-in': 'one\ntwo\n' },
  absent: ['nothing', 'netbox/below', 'inner', 'link-out', 'instance.key', '/etc/passwd'],
  refused: ['../outside', 'inner/../../outside'],
  change: (secret) => writeFile(join(base, 'open/netbox'), secret),
});

describeSecretSourceContract('env', {
  type: environmentSecrets,
  open: opened(environmentSecrets),
  secrets: { MUSTER_SECRET_A: 'value of a', EXACT: 'value of exact' },
  absent: ['MUSTER_SECRET_NO', 'MUSTER_SECRET_EMPTY', 'OTHER', 'EXACTLY'],
  refused: ['MUSTER-SECRET', ''],
  async change(secret) {
    environment.MUSTER_SECRET_A = secret;
  },
});

it('takes whole paths below a folder, and says which folders there are', async () => {
  const files = open(fileSecrets);
  expect(await files.read(join(base, 'open/netbox'), CONTEXT)).toBe('s3cret of netbox');
  await expect(files.read(join(base, 'outside'), CONTEXT)).rejects.toThrow(/SECRET_DIRS names .*open/);
  await expect(files.read(join(base, 'open/../outside'), CONTEXT)).rejects.toThrow('SECRET_DIRS');
});

it('reads no file of any size', async () => {
  await writeFile(join(base, 'open/large'), 'x'.repeat(70_000));
  await expect(open(fileSecrets).read('large', CONTEXT)).rejects.toThrow('too large for a secret');
});
