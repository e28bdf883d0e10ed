import { join } from 'node:path';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { filesTarget } from '../../../src/plugins/files/target.ts';
import { jsonFileTarget } from '../../../src/plugins/json-file/target.ts';
import { describeFileTargetFaults } from '../../../src/testing/file-target-faults.contract.ts';
import { silent } from '../../app/import/support.ts';
import { sourceFiles, targetFiles } from '../../support/files.ts';
import { noHttp } from '../../support/no-http.ts';
import { nothingPublished } from '../../support/published.ts';
import { exampleTarget } from '../examples/example-plugin.ts';

for (const format of ['jsonl', 'json'] as const) {
  describeFileTargetFaults(`json_file, ${format}`, {
    open: (folder, wrapped) => jsonFileTarget({ path: join(folder, 'hosts.out'), format }, wrapped(targetFiles)),
  });
}

const SHAPES = {
  'csv in one file': { shape: 'csv', fields: 'HOSTNAME,os,filling', path: 'hosts.csv' },
  'a file for each host': { shape: 'yaml', path: '{{ HOSTNAME }}.yml' },
  'a template': { shape: 'template', template: '{{ HOSTNAME }} {{ os }} {{ filling }}', path: 'hosts.conf' },
  'a tree of Ansible': { shape: 'ansible', layout: 'tree', path: '.' },
} as const;

for (const [name, { path, ...options }] of Object.entries(SHAPES)) {
  describeFileTargetFaults(`files, ${name}`, {
    open(folder, wrapped) {
      const services = { files: wrapped(targetFiles), published: nothingPublished, templates: textTemplates };
      return filesTarget(filesOptions().parse({ ...options, path: join(folder, path) }), { name: 'out' }, services);
    },
  });
}

const example = await exampleTarget('hosts-folder');
describeFileTargetFaults('the example hosts-folder', {
  open: (folder, wrapped) =>
    example.open(
      example.options.parse({ folder }),
      { name: 'there', address: '', username: '', password: '' },
      {
        logger: silent,
        files: wrapped(targetFiles),
        sourceFiles,
        http: noHttp,
        published: nothingPublished,
        templates: textTemplates,
      },
    ),
});
