import fc from 'fast-check';
import { compileProgram } from '../../../src/app/rules/engine/program.ts';
import { compileTemplate, type Template } from '../../../src/jinja/template.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';
import { evaluateByTheBook, type ReferenceHost, type ReferenceOperators } from './reference-evaluator.ts';
import { account, hostRecord, programInput } from './support.ts';

/** A rule set with some hosts: each host is a case. */
export interface GeneratedCase {
  readonly rules: Record<string, readonly JsonObject[]>;
  readonly templates: readonly JsonObject[];
  readonly project: string | null;
  readonly hosts: readonly ReferenceHost[];
}

export const HOSTS_PER_CASE = 20;

/** Few names and values, so that rules meet hosts. */
const NAMES = ['os', 'site', 'Site', 'tags', 'a', 'a.b', 'cmk__state', 'cmk__os', 'HOSTNAME', 'new', 'ansible_groups'];
const PATHS = [
  ...NAMES,
  'a.c',
  'a["c"]',
  'e',
  'cmk__state.sub',
  'cmk__state.k.d',
  'cmk__state.deep.er',
  'nothing',
  'nothing.at.all',
];
/** Some of them members of `a`, as sources flatten it, and one under a domain of its own. */
const LABELS = ['os', 'site', 'Site', 'tags', 'a.b', 'a.c.d', 'a.c.e', 'e.x/y', 'ansible_groups'];
const TEXTS = [
  'Linux',
  'linux',
  'LIN',
  'straße',
  'STRASSE',
  'Ärger',
  'ärger',
  'ΣΑΣ',
  'σας',
  'K',
  'k',
  'a,b',
  'a, b ,c',
  'a',
  'b',
  '',
  'true',
  'False',
  'none',
  '0',
  '10',
  'web-01.example.org',
  'all',
  'True',
];
/** Around the beginning of 1970, which is now. */
const TIMES = [
  '1969-12-31',
  '1969-12-31 12:00:00',
  '1969-12-31T12:00:01Z',
  '1969-12-31T14:00:00+02:00',
  '1969-12-24T00:00:00',
  '1970-01-02 00:00:00',
  '1969-13-01',
];
const AGES = ['12h', '1d', '1', '720m', '1w', '0', '0.5d'];
const TEMPLATES = [
  'plain',
  'True',
  'false',
  '',
  '{{ os }}',
  '{{ missing }}',
  'x {{ site|upper }}',
  '{{ FIRST_MATCHING_TAG }}',
  '{{ FIRST_MATCHING_VALUE }}',
  '{{ HOSTNAME }}',
  '{{ tags }}',
  '{{ attributes["a.b"] }}',
  '{{ new }}',
  '{{ a }}',
  '{{ os }},{{ site }}',
  '{{ 1 < 2 }}',
];
const LISTS = ["['n1', 'n2']", '["n1", "n3"]', '{{ result }}', '[{{ missing }}]', 'no list', '["{{ HOSTNAME }}", "x"]'];
const PATTERNS = [
  'lin',
  'Lin.*',
  '^a',
  'web-\\d+',
  '(a|b)',
  '.*',
  '',
  'stra(ss|ß)e$',
  '(?i)LINUX',
  '[a-z]+$',
  'Linux$',
  '(web|srv)',
];
const SPLITS = ['-:0', '.:1', ',:-1', ',:9', ':::0', 'a:0'];
const FILTERS = [
  'os',
  'a',
  'a.c',
  '!a.b',
  '!a.c.*',
  '*',
  'cmk__*',
  '!os',
  '!cmk__*',
  'Linux',
  'L*',
  '!*',
  '1*',
  '!Site',
];
const HOSTNAMES = ['web-01.example.org', 'WEB-01.example.org', 'srv2', 'Ärger.example', 'k'];

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(0, 1, 10, 2.5, -1) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
);
const label = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) });
const nested = fc.oneof(
  label,
  fc.dictionary(
    fc.constantFrom('sub', 'k.d', 'deep'),
    fc.oneof(label, fc.dictionary(fc.constantFrom('er', 'd'), scalar, { noNullPrototype: true })),
    { maxKeys: 3, noNullPrototype: true },
  ),
) as fc.Arbitrary<JsonValue>;

const OPERATOR_NAMES = [
  'equal',
  'in',
  'not_in',
  'swith',
  'ewith',
  'in_list',
  'string_in_list',
  'regex',
  'bool',
  'ignore',
];

const AGE_NAMES = ['older_than', 'newer_than'];

function comparison(
  member: string,
  needles: fc.Arbitrary<string>,
  operators: readonly string[] = OPERATOR_NAMES,
): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...operators).chain((operator) =>
    fc.record({
      [member]:
        operator === 'regex'
          ? fc.constantFrom(...PATTERNS)
          : AGE_NAMES.includes(operator)
            ? fc.constantFrom(...AGES)
            : needles,
      [`${member}_match`]: fc.constant(operator),
      [`${member}_match_negate`]: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  );
}

const needle = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom('a, Linux ,b', 'li', 'in', 'x') },
  { weight: 1, arbitrary: fc.constantFrom('{{ os }}', '{{ missing }}', '{{ site }}') },
);
const plainEqual = fc.constantFrom(...PATHS).map((tag) => ({ tag, tag_match: 'equal' }));
const tagCondition = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: plainEqual }, comparison('tag', fc.constantFrom(...PATHS, 's', 'cmk__'))),
    comparison('value', needle, [...OPERATOR_NAMES, ...AGE_NAMES]),
  )
  .map(([tag, value]): JsonObject => ({ match_type: 'tag', ...tag, ...value }));
const hostCondition = comparison('hostname', fc.constantFrom(...HOSTNAMES, 'web', 'ORG', 'srv2, k')).map(
  (hostname): JsonObject => ({ match_type: 'host', ...hostname }),
);
const conditions = fc.array(fc.oneof({ weight: 4, arbitrary: tagCondition }, hostCondition), { maxLength: 3 });

const template = fc.constantFrom(...TEMPLATES);
const name = fc.constantFrom(...NAMES);
const setOutcome = fc.record({ attribute_name: name, attribute_value: template });
const variableOutcome = fc.record(
  { attribute_name: name, attribute_value: template, expression: fc.constant(true) },
  { requiredKeys: ['attribute_name', 'attribute_value'] },
);
const rewriteOutcome = fc
  .tuple(name, fc.constantFrom('', 'string', 'jinja', 'convert_list'), fc.constantFrom('', 'string', 'split', 'jinja'))
  .chain(([old_attribute_name, overwrite_name, overwrite_value]) =>
    fc.record({
      old_attribute_name: fc.constant(old_attribute_name),
      overwrite_name: fc.constant(overwrite_name),
      overwrite_value: fc.constant(overwrite_value),
      new_attribute_name:
        overwrite_name === 'jinja' ? template : overwrite_name === 'convert_list' ? fc.constantFrom(...LISTS) : name,
      new_value:
        overwrite_value === 'split'
          ? fc.constantFrom(...SPLITS)
          : overwrite_value === 'jinja'
            ? template
            : fc.constantFrom(...TEXTS),
    }),
  );
const filterOutcome = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      action: fc.constantFrom('whitelist_attribute', 'whitelist_attribute_value'),
      attribute_name: fc.constantFrom(...FILTERS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ action: 'ignore_hosts' }) },
);

function rules(outcome: fc.Arbitrary<JsonObject>, maxLength: number): fc.Arbitrary<JsonObject[]> {
  return fc.array(
    fc.record(
      {
        name: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
        _id: fc.integer({ min: 0, max: 9 }).map((digit) => ({ $oid: String(digit).repeat(24) })),
        enabled: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
        sort_field: fc.constantFrom<JsonValue>(0, 1, 2, '1', '10'),
        last_match: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
        condition_typ: fc.constantFrom('all', 'any', 'anyway'),
        project: fc.constantFrom('p', 'Default', ''),
        conditions,
        outcomes: fc.array(outcome, { maxLength: 3 }),
      },
      { requiredKeys: ['name', '_id', 'enabled', 'condition_typ', 'conditions', 'outcomes'] },
    ),
    { maxLength },
  ) as fc.Arbitrary<JsonObject[]>;
}

const host: fc.Arbitrary<ReferenceHost> = fc.record({
  hostname: fc.constantFrom(...HOSTNAMES),
  account: fc.constantFrom('cmdb', undefined),
  labels: fc.dictionary(fc.constantFrom(...LABELS), label, {
    maxKeys: 6,
    noNullPrototype: true,
  }),
  inventory: fc.oneof(
    fc.constant({}),
    fc.record({
      cmk: fc.dictionary(fc.constantFrom('state', 'os'), nested, { noNullPrototype: true }) as fc.Arbitrary<JsonObject>,
    }),
  ) as fc.Arbitrary<Record<string, JsonObject>>,
  templates: fc.subarray(['t1', 't2', 'gone']),
});

export const generatedCase: fc.Arbitrary<GeneratedCase> = fc.record({
  rules: fc.record({
    custom_attributes: rules(setOutcome, 3),
    automation_rewrite: rules(rewriteOutcome as fc.Arbitrary<JsonObject>, 3),
    automation_filter: rules(filterOutcome as fc.Arbitrary<JsonObject>, 2),
    automation_customvars: rules(variableOutcome as fc.Arbitrary<JsonObject>, 3),
  }),
  templates: fc
    .tuple(
      ...['t1', 't2', 't3'].map((hostname) =>
        fc.record({
          hostname: fc.constant(hostname),
          labels: fc.dictionary(name, scalar, { maxKeys: 3, noNullPrototype: true }),
          cmdb_match: fc.constantFrom('os:Linux', 'site:10', 'Site:a,b', ''),
        }),
      ),
    )
    .chain((all) => fc.subarray(all as JsonObject[])),
  project: fc.constantFrom('p', null),
  hosts: fc.array(host, { minLength: HOSTS_PER_CASE, maxLength: HOSTS_PER_CASE }),
});

const compiled = new Map<string, Template>();

function render(text: string, variables: ReadonlyMap<string, JsonValue>): string | undefined {
  const found = compiled.get(text) ?? compileTemplate(text);
  compiled.set(text, found);
  const result = found.render({ get: (variable) => variables.get(variable), attributes: () => variables });
  return result.ok ? result.text : undefined;
}

/** Both answers for every host of a case, as text; `explained` is what the explanation says the result is. */
export function* answers(
  given: GeneratedCase,
  operators: Partial<ReferenceOperators> = {},
): Generator<{ engine: JsonValue; book: JsonValue; explained: () => JsonValue; evaluatedAgain: () => JsonValue }> {
  const { rules: documents, templates, project } = given;
  const program = compileProgram(
    programInput(documents, {
      templates,
      project: project === null ? null : { id: '', name: project },
      accounts: [account()],
    }),
  );
  for (const generated of given.hosts) {
    const record = hostRecord({
      hostname: generated.hostname,
      accountId: generated.account === undefined ? null : 'a1',
      labels: generated.labels,
      inventory: generated.inventory,
      members: { cmdb_templates: generated.templates },
    });
    const evaluate = (): JsonValue => {
      const { included, variables, expressions, groups } = program.evaluate(record);
      return { included, variables: JSON.parse(variables.text), expressions: expressions ?? {}, groups };
    };
    const book = evaluateByTheBook(generated, { rules: documents, templates, project, render, operators });
    yield {
      engine: evaluate(),
      book: { ...book },
      explained: () => {
        const { included, result, groups } = program.explain(record);
        return { included, result, groups };
      },
      evaluatedAgain: evaluate,
    };
  }
}
