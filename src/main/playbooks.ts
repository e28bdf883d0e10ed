import { resolve } from 'node:path';
import { ansiblePlaybookRunner } from '../adapters/playbooks/ansible/ansible-runner.ts';
import { refusedPlaybookRunner } from '../adapters/playbooks/refused-runner.ts';
import type { ConfigKey } from '../app/kernel/config/schema.ts';
import type { PlaybookCatalogue, PlaybookRunner } from '../ports/index.ts';
import { packagedFile } from './packaged-file.ts';
import type { AppInput, ComposedInput } from './settings.ts';

export function playbookFolder({ config, workingDirectory }: AppInput): string {
  return config.PLAYBOOK_DIR === '' ? packagedFile('ansible') : resolve(workingDirectory, config.PLAYBOOK_DIR);
}

/** The manifest is read by few commands, and reading YAML costs all that load it. */
export function lazyPlaybookCatalogue(directory: string): PlaybookCatalogue {
  return {
    async list() {
      const { manifestPlaybookCatalogue } = await import('../adapters/playbooks/manifest/manifest-catalogue.ts');
      return manifestPlaybookCatalogue({ directory }).list();
    },
  };
}

/** Its inventory comes from a further process of this very program: with the same Node.js, directory and settings. */
export function playbookRunner(input: ComposedInput): PlaybookRunner {
  const { config, origins, workingDirectory } = input;
  if (!input.stores.isShared(config.DATABASE_URL)) {
    return refusedPlaybookRunner(
      'playbooks get their inventory from a separate process, which cannot read the memory of this one; use another DATABASE_URL',
    );
  }
  const flags = Object.entries(origins).filter(([, origin]) => origin.startsWith('--'));
  const settings = flags.map(([key]) => [`SERVICE_${key}`, String(config[key as ConfigKey])]);
  const isPath = config.ANSIBLE_PLAYBOOK.includes('/');
  return ansiblePlaybookRunner({
    program: isPath ? resolve(workingDirectory, config.ANSIBLE_PLAYBOOK) : config.ANSIBLE_PLAYBOOK,
    directory: playbookFolder(input),
    inventoryScript: packagedFile('ansible/inventory'),
    environment: {
      ...process.env,
      ...Object.fromEntries(settings),
      MUSTER_DIRECTORY: workingDirectory,
      MUSTER_NODE: process.execPath,
    },
    passed: config.PLAYBOOK_ENVIRONMENT,
  });
}
