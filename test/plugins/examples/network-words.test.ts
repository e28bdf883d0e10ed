import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { pluginUnderTest } from '../../../src/main/plugin-under-test.ts';
import type { Plugin } from '../../../src/ports/index.ts';
import {
  describeConditionOperatorContract,
  describeTemplateFilterContract,
} from '../../../src/testing/rule-language.contract.ts';
import { ROOT } from '../../architecture/source-files.ts';

offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
const file = pathToFileURL(join(ROOT, 'examples/plugins/network-words/index.js')).href;
const plugin = pluginUnderTest(((await import(file)) as { default: Plugin }).default);

/** What the documentation offers as a model must keep what such words promise. */
describeConditionOperatorContract('the example in_network', {
  operator: plugin.conditionOperator('in_network'),
  tests: [
    {
      text: '10.20.0.0/16',
      holds: ['10.20.3.4', '10.20.255.255'],
      fails: ['10.21.0.1', 'web01', '', '2001:db8::1', 7],
    },
    { text: '2001:db8::/32', holds: ['2001:db8::1'], fails: ['2001:db9::1', '10.20.3.4'] },
  ],
  refused: ['elsewhere', '10.20.0.0/33', ''],
});

describeTemplateFilterContract('the example floor', {
  filter: plugin.templateFilter('floor'),
  answers: [
    { given: ['4.12'], answer: 4 },
    { given: ['12.1'], answer: 12 },
  ],
});
