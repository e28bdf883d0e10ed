import { maskedError } from '../../kit/masking/masked.ts';
import { settingsMask } from '../../kit/masking/secret-mask.ts';
import { issueText, PLAIN_MESSAGES } from '../../kit/plain-message.ts';
import { AppError, type JsonObject, type PluginAction } from '../../ports/index.ts';
import type { Entrances } from '../kernel/entrances.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { defineOperation, type ExtensionServices } from './services.ts';

type Effect = AnyOperation['effect'];

/** The effects that an action may call: no stronger ones than its own. */
const REACH: Readonly<Record<Effect, readonly Effect[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  destructive: ['read', 'write', 'destructive'],
};

/** No area of the program has such a name. */
const AREA = 'plugin.';

interface ActionId {
  readonly plugin: string;
  readonly action: string;
}

/** The name of its operation, `plugin.<plugin>/<action>`. */
export function actionName({ plugin, action }: ActionId): string {
  return `${AREA}${plugin}/${action}`;
}

/** The plugin action of an operation; `undefined` for those of the program. */
export function actionIdOf(name: string): ActionId | undefined {
  if (!name.startsWith(AREA)) return undefined;
  const [plugin = '', action = ''] = name.slice(AREA.length).split('/');
  return { plugin, action };
}

const made = new WeakMap<PluginAction, AnyOperation<ExtensionServices>>();

/** The actions of plugins as operations, so that they are checked, refused and audited like all others. */
export function actionOperations(plugins: PluginRegistry): readonly AnyOperation<ExtensionServices>[] {
  return plugins.actions().map(({ pluginId, item }) => operationOf(pluginId, item));
}

/** The action of a plugin by the name of its operation. */
export function actionNamed(plugins: PluginRegistry, name: string): AnyOperation<ExtensionServices> | undefined {
  const id = actionIdOf(name);
  if (id === undefined) return undefined;
  const action = plugins.action(id.plugin, id.action);
  return action === undefined ? undefined : operationOf(id.plugin, action);
}

function operationOf(pluginId: string, action: PluginAction): AnyOperation<ExtensionServices> {
  const known = made.get(action);
  if (known !== undefined) return known;
  const { id, title, description, effect, roles, withinAccounts, input, output } = action;
  const operation = defineOperation({
    name: actionName({ plugin: pluginId, action: id }),
    title,
    description,
    effect,
    roles,
    // In the service it runs where a plugin that never gives control back is left out.
    weight: 'heavy',
    ...(withinAccounts !== true && { acrossAccounts: true }),
    at: entrancesOf(pluginId, action),
    input,
    output,
    run: async (given, { services, caller, signal }) => {
      const { config, plugins, logger, http } = services;
      // It may have been left out since the entrances were made.
      if (plugins.action(pluginId, id) !== action) {
        throw new AppError('unavailable', `plugin ${pluginId} was left out; "muster plugins" says why`);
      }
      const call = { pluginId, what: `action ${id}`, timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS, signal };
      const mask = settingsMask(config.PLUGIN_OPTIONS[pluginId], plugins.secretSettings(pluginId) ?? new Set());
      try {
        return await guarded(call, async (inner) => {
          const answer: unknown = await action.run(given, {
            signal: inner,
            logger: logger.child({ plugin: pluginId }),
            http,
            user: caller.name,
            operation: (name, value) =>
              services.callOperation(name, value, caller, { signal: inner, effects: REACH[effect] }),
          });
          return checkedAnswer(action, answer);
        });
      } catch (error) {
        throw maskedError(error, mask);
      }
    },
  });
  made.set(action, operation as AnyOperation<ExtensionServices>);
  return operation as AnyOperation<ExtensionServices>;
}

function entrancesOf(pluginId: string, { id, at, effect, input }: PluginAction): Entrances<unknown, unknown> {
  const members = 'shape' in input ? Object.keys(input.shape as object) : [];
  const path = `plugins/${pluginId}/${id}` as const;
  const asks = effect === 'read' ? { query: members } : { body: 'optional' as const };
  return {
    ...(at.rest === true && { rest: { path: effect === 'read' ? `GET /${path}` : `POST /${path}`, ...asks } }),
    ...(at.tool === true && { tool: { name: `plugin_${pluginId}_${id}`, replaces: effect !== 'read' } }),
    ...(at.page === true && { page: true }),
    ...(at.command === true && { remote: true }),
  };
}

function checkedAnswer({ output }: PluginAction, answer: unknown): JsonObject {
  const result = output.safeParse(answer, PLAIN_MESSAGES);
  if (result.success) return result.data as JsonObject;
  const [issue] = result.error.issues;
  const where = issue === undefined ? '' : `: ${issueText(issue)}`;
  throw new Error(`what it answered is not what it promises${where}`);
}
