import { expect, test } from 'vitest';
import { endingOf } from '../../../src/adapters/admin/pages/playbooks/endings.ts';

test.each([
  ['fatal: [web01]: UNREACHABLE! => {"changed": false}', 'failed'],
  ['failed: [web01] (item=nginx) => {"msg": "no package"}', 'failed'],
  ['ERROR! the playbook: site.yml could not be found', 'failed'],
  ['[ERROR]: Task failed: no such module', 'failed'],
  ['web01                      : ok=2    changed=1    unreachable=0    failed=1    skipped=0', 'failed'],
  ['web01                      : ok=2    changed=1    unreachable=1    failed=0    skipped=0', 'failed'],
  ['web01                      : ok=2    changed=1    unreachable=0    failed=0    skipped=0', undefined],
  ['changed: [web01]', 'changed'],
  ['skipping: [web01]', 'skipped'],
  ['...ignoring', 'skipped'],
  ['ok: [web01] => {"msg": "the last run failed: twice"}', undefined],
  ['TASK [failed services] ****', undefined],
  ['', undefined],
])('%s', (line, ending) => {
  expect(endingOf(line)).toBe(ending);
});
