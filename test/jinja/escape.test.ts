import { describe, expect, it } from 'vitest';
import { compileTemplate, type TemplateResult } from '../../src/jinja/template.ts';
import { scopeOf } from './scope.ts';

const hostile = {
  name: 'web01',
  n: 7,
  tags: ['a', 'b'],
  d: JSON.parse('{"a": 1, "__proto__": {"own": "yes"}, "constructor": "data", "toString": "data"}'),
  nothing: null,
};

function render(template: string): TemplateResult {
  try {
    return compileTemplate(template).render(scopeOf(hostile));
  } catch (error) {
    return { ok: false, text: '', error: { kind: 'fault', message: String(error) } };
  }
}

/** From the history of Jinja2, nunjucks, handlebars and JavaScript sandboxes. */
const ESCAPES = [
  '{{ range.constructor("return process")() }}',
  "{{ range.constructor(\"return global.process.mainModule.require('child_process').execSync('id')\")() }}",
  '{{ ({}).constructor.constructor("return process")() }}',
  '{{ {}.constructor.constructor("return this")() }}',
  '{{ [].constructor.constructor("return this")() }}',
  '{{ "".constructor.constructor("return this")() }}',
  '{{ (1).constructor }}',
  '{{ name.constructor }}',
  '{{ name["constructor"]["constructor"]("return process")() }}',
  '{{ name.__proto__ }}',
  '{{ tags.__proto__ }}',
  '{{ tags["__proto__"] }}',
  '{{ tags.constructor }}',
  '{{ tags.length }}',
  '{{ name.length }}',
  '{{ n.toFixed(2) }}',
  '{{ n.toString() }}',
  '{{ name.toString }}',
  '{{ name.valueOf() }}',
  '{{ name.__defineGetter__ }}',
  '{{ tags.map }}',
  '{{ tags.push("x") }}',
  '{{ tags.concat.call }}',
  '{{ d.hasOwnProperty }}',
  '{{ d.valueOf }}',
  '{{ d.__lookupGetter__("a") }}',
  '{{ d.constructor.constructor }}',
  '{{ d.constructor("return process")() }}',
  '{{ dict().constructor }}',
  '{{ dict().__proto__ }}',
  '{{ dict().set("a", 1) }}',
  '{{ namespace().constructor }}',
  '{{ namespace().members }}',
  '{{ namespace().attribute }}',
  '{{ namespace().attribute("x") }}',
  '{{ attributes.set("x", 1) }}',
  '{{ attributes.constructor }}',
  '{{ attributes.__proto__ }}',
  '{{ attributes["__proto__"] }}',
  '{{ attributes.size }}',
  '{{ __proto__ }}',
  '{{ constructor }}',
  '{{ toString }}',
  '{{ process }}',
  '{{ process.env }}',
  '{{ globalThis }}',
  '{{ global.process }}',
  '{{ require("child_process") }}',
  '{{ import("fs") }}',
  '{{ this }}',
  '{{ self }}',
  '{{ self.__init__.__globals__ }}',
  '{{ self._TemplateReference__context.cycler.__init__.__globals__.os.popen("id").read() }}',
  '{{ cycler.__init__.__globals__.os }}',
  '{{ joiner.__init__.__globals__.os }}',
  '{{ namespace.__init__.__globals__.os }}',
  '{{ lipsum.__globals__["os"].popen("id").read() }}',
  '{{ lipsum() }}',
  '{{ config.items() }}',
  '{{ request.application.__globals__ }}',
  '{{ "".__class__.__mro__[1].__subclasses__() }}',
  '{{ "".__class__.__base__.__subclasses__() }}',
  '{{ ().__class__.__bases__[0].__subclasses__() }}',
  '{{ []["__class__"] }}',
  '{{ name|attr("__class__") }}',
  '{{ ""|attr("__class__")|attr("__mro__") }}',
  '{{ tags|map(attribute="__proto__")|list }}',
  '{{ tags|map(attribute="constructor")|list }}',
  '{{ tags|map(attribute="constructor.name")|join }}',
  '{{ [d]|map(attribute="__class__")|list }}',
  '{{ tags|map("constructor")|list }}',
  '{{ tags|map("__proto__")|list }}',
  '{{ tags|select("constructor")|list }}',
  '{{ tags|sort(attribute="constructor") }}',
  '{{ tags|groupby("__proto__") }}',
  '{{ tags|sum(attribute="constructor") }}',
  '{{ name|constructor }}',
  '{{ name|toString }}',
  '{{ name|__proto__ }}',
  '{{ name is constructor }}',
  '{{ name is __proto__ }}',
  '{{ "{0.__class__}".format(name) }}',
  '{{ "{0.constructor}".format(name) }}',
  '{{ "{0[constructor]}".format(d) }}',
  '{{ "{x.__init__.__globals__}".format(x=name) }}',
  '{{ "{0.__class__.__mro__}"|format(name) }}',
  '{{ "%(constructor)s" % {} }}',
  '{{ "%(__proto__)s" % {} }}',
  '{{ "{constructor}".format(a=1) }}',
  '{{ "{0.__class__}".format_map(d) }}',
  '{{ eval("process") }}{{ process }}',
  "{{ eval(\"__import__('os').system('id')\").x }}",
  '{{ eval("().__class__").x }}',
  '{{ eval.constructor }}',
  '{{ get_list.__globals__ }}',
  '{{ get_list.call }}',
  '{{ get_list }}',
  '{{ range }}',
  '{{ datetime.constructor }}',
  '{{ datetime.datetime.now().constructor }}',
  '{{ datetime.sys.modules }}',
  '{{ datetime.now().__class__ }}',
  '{{ datetime }}',
  '{{ get_ip_interface("10.0.0.1/8").constructor }}',
  '{{ get_ip_interface("10.0.0.1/8").__class__ }}',
  '{% for x in tags %}{{ loop.constructor }}{% endfor %}',
  '{% for x in tags %}{{ loop.__proto__ }}{% endfor %}',
  '{% for x in tags %}{{ loop.attribute("x") }}{% endfor %}',
  '{% set ns = namespace() %}{% set ns.__proto__ = 1 %}{{ ns.polluted }}',
  '{% set x = dict(__proto__=1) %}{{ x.polluted }}',
  '{% set d.a = 2 %}{{ d.a }}',
  '{% set __proto__ = {"polluted": 1} %}{{ {}.polluted }}',
  '{% include "/etc/passwd" %}',
  '{% import "os" as os %}{{ os }}',
  '{% extends "/etc/passwd" %}',
  '{% macro m() %}{% endmacro %}{{ m.constructor }}',
  '{% call m() %}{% endcall %}',
  '{% macro m() %}{% endmacro %}{{ m.__proto__ }}',
  '{% macro m() %}{% endmacro %}{{ m.invoke }}',
  '{% macro m() %}{% endmacro %}{{ m.invoke() }}',
  '{% macro m() %}{% endmacro %}{{ m.constructor("return process")() }}',
  '{% macro m() %}{% endmacro %}{{ m|attr("constructor") }}',
  '{% macro m() %}{% endmacro %}{{ m|tojson }}',
  '{% macro m(__proto__) %}{{ __proto__.x }}{% endmacro %}{{ m() }}',
  '{% macro m() %}{{ kwargs.constructor }}{% endmacro %}{{ m(a=1) }}',
  '{% macro m() %}{{ kwargs.polluted }}{% endmacro %}{{ m(__proto__={"polluted": 1}) }}',
  '{% macro m() %}{{ varargs.constructor }}{% endmacro %}{{ m(1) }}',
  '{% macro m() %}{{ caller.constructor }}{% endmacro %}{% call m() %}{% endcall %}',
  '{% macro constructor() %}{% endmacro %}{{ constructor.constructor() }}',
  '{{ cycler("a").constructor }}',
  '{{ cycler("a").__init__ }}',
  '{{ joiner().constructor }}',
  '{{ joiner()|attr("invoke") }}',
  '{{ joiner.constructor("return process")() }}',
  '{% for x in tags recursive %}{{ loop.invoke(tags) }}{% endfor %}',
  '{% for x in tags %}{{ loop(tags) }}{% endfor %}',
  '{{ range(**{"constructor": 1}) }}',
  '{{ dict(**{"__proto__": {"polluted": 1}}).polluted }}',
  '{{ namespace(**{"__proto__": {"polluted": 1}}).polluted }}',
  '{{ (name.upper)() }}',
  '{{ d["constructor"]() }}',
  '{{ d.toString() }}',
  '{{ name|attr("constructor") }}',
  '{{ d|attr("__proto__") }}',
  '{{ tags|map("attr", "constructor")|join }}',
  '{% with __proto__ = {"polluted": 1} %}{{ {}.polluted }}{% endwith %}',
  '{{ "constructor" is filter or none.x }}',
  '{{ caller() }}',
  '{{ super() }}',
  '{{ varargs }}',
  '{{ name.replace.apply }}',
  '{{ name.matchAll("a") }}',
  '{{ name.at(0) }}',
  '{{ name.anchor("x") }}',
  '{{ tags.reduce(1) }}',
  '{{ tags.findLast(1) }}',
  '{{ n.constructor.constructor("return 1")() }}',
  '{{ nothing.constructor }}',
  '{{ true.constructor }}',
  '{{ (name ~ "").constructor }}',
  '{{ name.split("").constructor }}',
  '{{ name.upper.constructor }}',
  '{{ name.upper.call(name) }}',
  '{{ name.upper.__self__ }}',
  '{{ _ }}{{ $ }}',
  '{{ name; process }}',
  '{{ x => x }}',
];

describe('ways out of the sandbox', () => {
  it.each(ESCAPES)('%s yields nothing', (template) => {
    const result = render(template);
    expect(result.ok).toBe(false);
    expect(result.text).toBe('');
  });

  it('reads own members whatever they are called', () => {
    expect(render('{{ d.constructor }} {{ d["toString"] }} {{ d.__proto__.own }} {{ d.a }}').text).toBe(
      'data data yes 1',
    );
  });

  it('makes dicts that have no inherited members', () => {
    expect(render('{{ {"__proto__": 1} }} {{ "toString" in {} }} {{ "constructor" in dict() }}').text).toBe(
      "{'__proto__': 1} False False",
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses class instances, functions and getters of prototypes as values', () => {
    class Secret {
      readonly own = 'secret';
      get inherited(): string {
        return 'secret';
      }
    }
    const scope = scopeOf({ secret: new Secret(), run: () => 'ran', list: [new Secret()], symbol: Symbol('x') });
    for (const source of [
      '{{ secret }}',
      '{{ secret.own }}',
      '{{ secret.inherited }}',
      '{{ run }}',
      '{{ run() if true else run }}',
      '{{ list }}',
      '{{ list[0].own }}',
      '{{ list|map(attribute="own")|join }}',
      '{{ secret|tojson }}',
      '{{ symbol }}',
      '{{ "%s" % secret }}',
    ]) {
      let text = '';
      try {
        text = compileTemplate(source).render(scope).text;
      } catch {
        text = '';
      }
      expect(text, source).toBe('');
    }
  });

  it('never changes the values of the host', () => {
    const data = { list: [1], d: { a: [1] } };
    const scope = scopeOf(data);
    const source =
      '{% set _ = list.append(2) %}{% set _ = d.update({"b": 1}) %}{% set _ = d.a.append(3) %}{% set _ = attributes.update({"x": 1}) %}{{ list }}{{ d }}';
    expect(compileTemplate(source).render(scope)).toEqual({ ok: true, text: "[1, 2]{'a': [1, 3], 'b': 1}" });
    expect(data).toEqual({ list: [1], d: { a: [1] } });
    expect(scope.attributes().has('x')).toBe(false);
  });

  it('copies for a changing method whatever letters spell it', () => {
    const data = { list: [1] };
    expect(compileTemplate('{% set _ = list.\uff41ppend(2) %}{{ list }}').render(scopeOf(data)).text).toBe('[1, 2]');
    expect(data).toEqual({ list: [1] });
  });

  it('gives account fields as data', () => {
    const macros = () => '{{ 7 * 7 }}{% raw %}';
    const result = compileTemplate('{{ACCOUNT:x:password}}', { macros }).render(scopeOf({}));
    expect(result).toEqual({ ok: true, text: '{{ 7 * 7 }}{% raw %}' });
  });
});
