import { AppError, PLUGIN_API_VERSION, type PluginHost } from '../../../ports/index.ts';

/** Plugins of others may say anything. */
interface Versioned {
  readonly id: string;
  readonly apiVersion: number;
}

/** Throws for a plugin of a version that this program does not have. */
export function requireVersion({ id, apiVersion }: Versioned): void {
  const has = PLUGIN_API_VERSION;
  if (Number.isSafeInteger(apiVersion) && apiVersion >= 1 && apiVersion <= has) return;
  const what =
    apiVersion > has
      ? `update Muster, or get a version of the plugin for ${has}`
      : `its author sets apiVersion to ${has}, see "Versions of the interface" in docs/plugins.md`;
  throw new AppError(
    'invalid_input',
    `plugin ${id} is written for version ${apiVersion} of the plugin interface, and this Muster has ${has}: ${what}`,
  );
}

/**
 * The door for a plugin of its version. What came later is refused: a program of the version that it names would load the plugin and
 * misunderstand it, such as take a target with objects for one that has nothing to write.
 */
export function doorOfVersion({ id, apiVersion }: Versioned, door: PluginHost): PluginHost {
  if (apiVersion >= 2) return door;
  const refuse = (what: string): never => {
    throw new AppError(
      'invalid_input',
      `plugin ${id} says apiVersion ${apiVersion}, and ${what} with version 2: set apiVersion: 2 in the plugin`,
    );
  };
  return {
    ...door,
    ruleType(type) {
      const { evaluation } = type;
      const isLater =
        evaluation?.target !== undefined || evaluation?.stage === 'target' || evaluation?.hostsOnly === true;
      if (isLater) refuse(`rules of a target (${type.id}) came`);
      door.ruleType(type);
    },
    target(type) {
      if ('kinds' in type) refuse(`targets with objects (${type.id}) came`);
      door.target(type);
    },
  };
}
