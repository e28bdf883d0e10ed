import { describe, expect, it } from 'vitest';
import automationPlaybookFire from '../../../src/plugins/automation-playbook-fire/index.ts';
import { hostRecord, program, rule, ruleTypesOf } from './support.ts';

const sets = [rule([{ attribute_name: 'stage', attribute_value: 'x' }])];
const shown = { custom_attributes: sets, automation_customvars: sets };
const playbook = { automation_playbook_fire: [rule([{ playbook: 'setup.yml' }])] };
const inState = (lifecycle_state: unknown) => hostRecord({ members: { lifecycle_state, cmdb_templates: [] } as never });
const OTHERS = ['planned', 'staged', 'decommissioned', 'made up', 7];

describe('hosts whose record says that they are not in service', () => {
  const strict = program(shown, { lifeCycle: true });

  it.each(OTHERS)('are in no inventory while %s, and are explained as such', (state) => {
    const host = inState(state);
    expect(strict.evaluate(host)).toMatchObject({ included: false, variables: { text: '{}' } });
    expect(strict.explain(host)).toMatchObject({
      included: false,
      leftOut: `its lifecycle_state is ${JSON.stringify(state)}, and inventories have active hosts only (CMDB_MODE).`,
      // Counts that explain hosts must not take it for a hit.
      rules: ['left', 'left'].map((outcome) => ({ outcome })),
    });
  });

  it('run no playbook', () => {
    const rules = program(playbook, { lifeCycle: true, types: ruleTypesOf([automationPlaybookFire]) });
    expect(rules.playbooks(inState('active')).hits).toHaveLength(1);
    expect(rules.playbooks(inState('planned')).hits).toEqual([]);
    expect(rules.explain(inState('planned')).rules).toMatchObject([{ outcome: 'left' }]);
  });

  // A host that was archived there and restored here still has the word.
  it.each(['active', 'archived', '', null])('are in it with the state %j', (state) => {
    expect(strict.evaluate(inState(state)).included).toBe(true);
    expect(strict.explain(inState(state)).included).toBe(true);
  });

  it('are in it where nobody keeps a life cycle', () => {
    for (const state of OTHERS) expect(program(shown, {}).evaluate(inState(state)).included).toBe(true);
  });

  it('are known by the member of the record itself', () => {
    const nested = hostRecord({ members: { cmdb_fields: [{ lifecycle_state: 'planned' }] } });
    expect(strict.evaluate(nested).included).toBe(true);
  });
});
