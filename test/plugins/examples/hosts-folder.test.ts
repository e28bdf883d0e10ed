import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { describeTargetContract } from '../../../src/testing/target.contract.ts';
import { silent } from '../../app/import/support.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { sourceFiles, targetFiles } from '../../support/files.ts';
import { noHttp } from '../../support/no-http.ts';
import { nothingPublished } from '../../support/published.ts';
import { exampleTarget } from './example-plugin.ts';

const type = await exampleTarget('hosts-folder');

function open(folder: string) {
  return type.open(
    type.options.parse({ folder }),
    { name: 'there', address: '', username: '', password: '' },
    {
      logger: silent,
      files: targetFiles,
      sourceFiles,
      http: noHttp,
      published: nothingPublished,
      templates: textTemplates,
    },
  );
}

/** What the documentation offers as a model must keep what a target promises. */
describeTargetContract('the example hosts-folder', {
  async create() {
    const folder = await temporaryFolder();
    const files = async () => (await readdir(folder)).sort();
    return {
      open: () => open(folder),
      hostnames: async () => (await files()).map((file) => basename(file, '.json')),
      async snapshot() {
        const texts = (await files()).map(async (file) => `${file} ${await readFile(join(folder, file), 'utf8')}`);
        return (await Promise.all(texts)).join('\n');
      },
    };
  },
  broken: async () => open(join(await temporaryFolder(), 'absent')),
  isApart: true,
});
