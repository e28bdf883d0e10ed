import { compileProgram } from '../../../src/app/rules/engine/program.ts';
import type { AccountField, ProgramAccount, ProgramInput } from '../../../src/app/rules/engine/program-input.ts';
import automationCustomvars from '../../../src/plugins/automation-customvars/index.ts';
import automationFilter from '../../../src/plugins/automation-filter/index.ts';
import automationRewrite from '../../../src/plugins/automation-rewrite/index.ts';
import customAttributes from '../../../src/plugins/custom-attributes/index.ts';
import type { HostRecord } from '../../../src/ports/host.ts';
import { type JsonObject, StoredJson } from '../../../src/ports/json.ts';
import type { Plugin } from '../../../src/ports/plugin.ts';
import type { RuleType } from '../../../src/ports/rule-type.ts';

/** The rule types that plugins register. */
export function ruleTypesOf(plugins: readonly Plugin<undefined>[]): readonly RuleType[] {
  const types: RuleType[] = [];
  const nothing = () => undefined;
  for (const plugin of plugins) {
    plugin.register(
      {
        logger: { debug: nothing, info: nothing, warn: nothing, error: nothing } as never,
        ruleType: (type) => types.push(type),
        source: nothing,
        target: nothing,
        job: nothing,
        jobName: nothing,
        recordProcessor: nothing,
        action: nothing,
        page: nothing,
        templateFilter: nothing,
        secretSource: nothing,
        notificationChannel: nothing,
        signInMethod: nothing,
        conditionOperator: nothing,
        store: nothing,
        inventoryProvider: nothing,
        inventoryProviderFamily: nothing,
      },
      undefined,
    );
  }
  return types;
}

export const EVALUATED = ruleTypesOf([customAttributes, automationRewrite, automationFilter, automationCustomvars]);

export interface HostParts {
  readonly hostname?: string;
  readonly accountId?: string | null;
  readonly labels?: JsonObject;
  readonly inventory?: Record<string, JsonObject>;
  readonly members?: JsonObject;
}

export function hostRecord(parts: HostParts = {}): HostRecord {
  return {
    hostname: parts.hostname ?? 'web01.example.org',
    accountId: parts.accountId === undefined ? 'a1' : parts.accountId,
    isObject: false,
    objectType: 'host',
    labels: StoredJson.ofText(JSON.stringify(parts.labels ?? {})),
    inventory: StoredJson.ofText(JSON.stringify(parts.inventory ?? {})),
    members: StoredJson.ofText(JSON.stringify(parts.members ?? {})),
    folder: null,
    createdAt: new Date(0),
    lastSeen: null,
    lastUpdate: null,
    archive: null,
  };
}

export function account(fields: Record<string, string> = {}): ProgramAccount {
  const all = new Map(Object.entries({ name: 'cmdb', ...fields }));
  const field = (name: string): AccountField | undefined => {
    const text = all.get(name);
    return text === undefined ? undefined : { text, isSecret: name === 'password' };
  };
  return { id: 'a1', name: 'cmdb', field };
}

export interface Rules {
  readonly [type: string]: readonly JsonObject[];
}

export function programInput(rules: Rules, more: Partial<ProgramInput> = {}): ProgramInput {
  return {
    revision: '1',
    project: null,
    types: EVALUATED,
    rules: new Map(Object.entries(rules)),
    templates: [],
    accounts: [account()],
    now: () => new Date(0),
    ...more,
  };
}

export function program(rules: Rules, more: Partial<ProgramInput> = {}) {
  return compileProgram(programInput(rules, more));
}

let lastName = 0;

/** An enabled rule that always hits. */
export function rule(outcomes: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { name: `rule ${++lastName}`, enabled: true, condition_typ: 'anyway', conditions: [], outcomes, ...more };
}
