import { maskedError, maskedValue } from '../../kit/masking/masked.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import { AppError, type EvaluatedHost, type HostRecord, type JsonObject, type PlanRule } from '../../ports/index.ts';
import { anyTargetTypeOf, hasPlans } from '../accounts/account-types.ts';
import { type Caller, wholeAccountsOf } from '../kernel/caller.ts';
import type { DesiredTargetObject, ExplainedTarget } from '../rules/services.ts';
import type { RunServices } from '../runs/services.ts';
import { groupRulesOf, inGroups, knownProject } from './in-groups.ts';
import { prepareTarget } from './open-target.ts';
import { fieldOf } from './plans/decisions/canonical.ts';
import { type DesiredObject, desiredObjects, ruleOf, targetRecord } from './plans/desired-objects.ts';
import { prepareObjectTarget } from './plans/open-object-target.ts';

/** Accounts that hosts are exported to, as far as the caller reaches them, by name. */
export async function targetAccounts(services: RunServices, caller: Caller): Promise<readonly string[]> {
  const accounts = await services.accounts.list(wholeAccountsOf(caller));
  return accounts.filter(({ type }) => services.plugins.target(type) !== undefined).map(({ name }) => name);
}

/**
 * Returns what is needed to explain a host of a target. Throws `AppError` if the account has no target or cannot be opened, or if
 * its project does not exist. Sends no request to the target's system.
 */
export async function explainedTarget(services: RunServices, name: string, caller: Caller): Promise<ExplainedTarget> {
  const account = await services.accounts.inScope(name, wholeAccountsOf(caller));
  const { type } = anyTargetTypeOf(services, account);
  const known = async (named: string) => {
    const project = await knownProject(services, named);
    const groupRules = await groupRulesOf(services, project);
    return { account: account.name, type: type.id, project, ...(groupRules === undefined ? {} : { groupRules }) };
  };
  if (!hasPlans(services, account.type)) return known((await prepareTarget(services, account)).options.project);
  const { options, pluginId, mask, open } = await prepareObjectTarget(services, account);
  const opened = { ...(await open(mask)), pluginId, mask };
  const common = await known(options.project);
  return {
    ...common,
    takes: opened.takes,
    wanted(record: HostRecord, evaluated: EvaluatedHost): readonly DesiredTargetObject[] {
      const handed = targetRecord(record, inGroups(evaluated, record, common.groupRules));
      try {
        const desired = desiredObjects(opened, handed, opened.target.wanted(handed));
        return desired.map((one) => shownObject(one, ruleOf(handed, one.object), mask));
      } catch (error) {
        if (error instanceof AppError) throw maskedError(error, mask);
        const reason = error instanceof Error ? error.message : String(error);
        throw new AppError(
          'failed',
          mask(`plugin ${opened.pluginId}: the target could not determine the desired state: ${reason}`),
        );
      }
    },
  };
}

/** As a plan shows it. */
function shownObject(
  { object, kind }: DesiredObject,
  rule: PlanRule | null,
  mask: (text: string) => string,
): DesiredTargetObject {
  const fields = Object.entries({ ...object.initial, ...object.fields }).map(([name, value]) => [
    name,
    fieldOf(kind, name)?.secret === true ? MASK : maskedValue(value, mask),
  ]);
  return { kind: kind.id, key: mask(object.key), fields: Object.fromEntries(fields) as JsonObject, rule };
}
