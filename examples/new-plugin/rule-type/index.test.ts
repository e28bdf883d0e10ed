import { describeRuleTypeContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.ts';

const { ruleType, compiler } = pluginUnderTest(plugin);

const rule = (...outcomes: object[]) => ({ name: 'a rule', enabled: true, condition_typ: 'anyway', outcomes }) as never;

describeRuleTypeContract({
  type: ruleType('my_plugin'),
  compiler,
  valid: [rule(), rule({ attribute_name: 'place', attribute_value: '{{ site }}, rack {{ rack }}' })],
  invalid: [
    { document: rule({ attribute_value: 'x' }), path: 'outcomes.0.attribute_name' },
    { document: rule({ attribute_name: 'place', attribute_value: '{{ site' }), path: 'outcomes.0.attribute_value' },
  ],
});
