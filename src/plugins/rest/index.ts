import * as z from 'zod';
import { refuseLogin } from '../../kit/http-account/refuse-login.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { definePlugin, PLUGIN_API_VERSION, type Source } from '../../ports/index.ts';
import { targetAccountOptions } from './export/options.ts';
import { REST_TARGET_RULES } from './export/rule-types.ts';
import { IDOIT_RULES } from './i-doit/rule-types.ts';
import { JIRA_RULES } from './jira/rule-types.ts';
import { restJobNames } from './job-names.ts';
import { jiraJobs, partJobs } from './jobs.ts';
import { type AccountOptions, accountOptions } from './options.ts';
import type { RestRequest } from './read.ts';
import type { PartRequest } from './read-part.ts';
import type { SystemPart } from './system-parts.ts';
import { IDOIT, JIRA_CLOUD, SYSTEM_TYPES, systemOptions } from './system-types.ts';

const FIELD_TITLES = { password: 'Password or API token' } as const;

const settings = z.strictObject({
  presets: z.string().default('presets').describe('Folder with presets of your own'),
});

const idoitOptions = madeOnce(() => systemOptions(IDOIT));
const jiraOptions = madeOnce(() => systemOptions(JIRA_CLOUD));

export default definePlugin({
  id: 'rest',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from systems that answer JSON over HTTP, and keeps objects of such systems.',
  options: settings,
  register(host, { presets: folder }) {
    host.source({
      id: 'rest',
      aliases: ['external_restapi'],
      title: 'JSON over HTTP',
      description: 'Any REST, GraphQL or JSON-RPC service: each object of a list is a host.',
      fieldTitles: FIELD_TITLES,
      get options() {
        return accountOptions();
      },
      presets: {
        list: async () => (await import('./list-presets.ts')).sourcePresets(folder),
        starter: async (name) => (await import('./starter.ts')).starter(name),
      },
      refuse: async (options) => (await import('./plan.ts')).refuseOptions(options),
      open: (options, account, services) => sourceOf({ options, account, services, folder }),
    });
    for (const system of SYSTEM_TYPES) {
      const { id, title, description, preset, parameters: names, ignored, own: further, parts } = system;
      const isPassedOver = (name: string): boolean =>
        names.includes(name) || Object.hasOwn(ignored?.() ?? {}, name) || Object.hasOwn(further?.shape() ?? {}, name);
      const options = madeOnce(() => systemOptions(system));
      host.source({
        id,
        title,
        description,
        fieldTitles: FIELD_TITLES,
        get options() {
          return options();
        },
        ...(parts === undefined ? {} : { parts }),
        refuse: async (given) => refuseUnlikePreset(given),
        open(given, account, services) {
          const own = Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined);
          const others = Object.entries(given).filter(([name]) => !isPassedOver(name));
          const options: AccountOptions = { ...Object.fromEntries(others), ...further?.options(given), preset };
          const parameters = Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
          const request = { options, account, services, parameters, folder };
          return parts === undefined ? sourceOf(request) : sourceOfParts({ request, given }, parts);
        },
      });
    }
    for (const type of [...REST_TARGET_RULES, ...IDOIT_RULES, ...JIRA_RULES]) host.ruleType(type);
    for (const job of [...partJobs, ...jiraJobs]) host.job(job);
    for (const name of restJobNames) host.jobName(name);
    host.target({
      id: IDOIT.id,
      title: IDOIT.title,
      description: 'Objects of hosts by JSON-RPC, as rules of i-doit say them.',
      fieldTitles: FIELD_TITLES,
      get options() {
        return idoitOptions();
      },
      kinds: 'by_account',
      async open(options, account, services) {
        const { openIdoitTarget } = await import('./i-doit/target.ts');
        return openIdoitTarget({ options, account, services, folder });
      },
    });
    host.target({
      id: JIRA_CLOUD.id,
      title: JIRA_CLOUD.title,
      description: 'Objects of Assets for hosts, as rules of Jira say them.',
      fieldTitles: FIELD_TITLES,
      get options() {
        return jiraOptions();
      },
      kinds: 'by_account',
      async open(options, account, services) {
        const { openJiraTarget } = await import('./jira/target.ts');
        return openJiraTarget({ options, account, services });
      },
    });
    host.target({
      id: 'rest_target',
      title: 'Objects over HTTP',
      description:
        'Objects of any REST or JSON-RPC service, kept as hosts want them: by requests that options or a preset say.',
      fieldTitles: FIELD_TITLES,
      get options() {
        return targetAccountOptions();
      },
      kinds: 'by_account',
      takes: 'all',
      presets: {
        list: async () => (await import('./list-presets.ts')).targetPresets(folder),
        starter: async (name) => (await import('./export/starter.ts')).targetStarter(name),
      },
      async refuse(options) {
        if (options.preset === undefined) refuseLogin(options);
        (await import('./export/open-target.ts')).refuseObjects(options.objects);
      },
      async open(options, account, services) {
        const { openRestTarget } = await import('./export/open-target.ts');
        return openRestTarget({ options, account, services, folder });
      },
    });
  },
});

/** No preset that comes with the program logs in by OAuth, and those for sessions have the path. */
function refuseUnlikePreset(given: Readonly<Record<string, unknown>>): void {
  refuseLogin({ ...given, login_path: '' });
}

/** Without a part it reads what the preset of the account does, which is the first part. */
function sourceOfParts({ request, given }: PartRequest, parts: readonly SystemPart[]): Source {
  const [first] = parts;
  return {
    ...sourceOf(request),
    ...(first === undefined ? {} : { parts: [first.id] }),
    async *read(context) {
      const { readPart } = await import('./read-part.ts');
      yield* readPart({ request, given }, parts, context);
    },
  };
}

function sourceOf(request: RestRequest): Source {
  return {
    async *read(context) {
      // Most commands read nothing.
      const { readRest } = await import('./read.ts');
      yield* readRest(request, context);
    },
    async check(context) {
      const { checkRest } = await import('./check.ts');
      return checkRest(request, context);
    },
  };
}
