import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourcePrograms } from '../../../src/adapters/playbooks/source-programs.ts';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import plugin from '../../../src/plugins/ansible/index.ts';
import type { Source, SourceItem } from '../../../src/ports/index.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';
import { noHttp } from '../../support/no-http.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const logger = recordingLogger([]);

/** Programs as an account of the operator has them run, by a service with this environment. */
export function programsOf(environment: Readonly<Record<string, string | undefined>> = pythonEnvironment()) {
  const access = sourcePrograms({ workingDirectory: process.cwd(), environment, passed: [] });
  return access.sources({ anywhere: true, advice: 'ask the operator' });
}

export function open(fields: Readonly<Record<string, unknown>>, programs = programsOf()): Source {
  const registry = new PluginRegistry();
  plugin.register(registry.door(plugin.id, logger, []), undefined);
  const type = registry.source('ansible')?.item;
  if (type === undefined) throw new Error('there is no source ansible');
  const { source } = parseAccountOptions(type, fields);
  const account = { name: 'lab', address: '', username: '', password: '' };
  return type.open(source, account, { logger, files: sourceFiles, programs, http: noHttp });
}

export async function itemsOf(source: Source, signal = new AbortController().signal): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of source.read({ signal, progress: () => undefined })) items.push(...batch);
  return items;
}

/** A program that stands in for ansible-inventory: a script of the shell. */
export async function standIn(script: string): Promise<string> {
  const path = join(await temporaryFolder(), 'ansible-inventory');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}
