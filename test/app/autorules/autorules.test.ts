import { describe, expect, it } from 'vitest';
import { compileAutorules } from '../../../src/app/autorules/compiled-autorules.ts';
import { hostRecord, program, rule } from '../rules/support.ts';

const deps = { macro: () => undefined, now: () => new Date(0) };

function autorule(name: string, rule_body: string, more = {}) {
  return { name, enabled: true, rule_type: 'automation_filter', rule_body, ...more };
}

describe('autorules', () => {
  it('make a document of each host, in order, and report what fails', () => {
    const autorules = compileAutorules(
      [
        autorule('second', '{"name": "b {{ HOSTNAME }}", "site": "{{ site }}"}', { sort_field: 2 }),
        autorule('first', '{"name": "a {{ made }}"}', { sort_field: 1, object_filter: 'host' }),
        autorule('list', '[1]', { sort_field: 3 }),
        autorule('undefined', '{{ gone }}', { sort_field: 4 }),
        autorule('networks', '{}', { object_filter: 'network' }),
        autorule('off', '{}', { enabled: false }),
        autorule('broken', '{{'),
      ],
      deps,
    );
    const attributes = program({
      custom_attributes: [rule([{ attribute_name: 'made', attribute_value: '{{ site }}1' }])],
    });
    const record = hostRecord({ labels: { site: 'x"y' } });
    expect(autorules.broken).toMatchObject([{ autorule: 'broken' }]);
    expect([...autorules.generate(record, attributes.attributes(record))]).toMatchObject([
      { ok: false, autorule: 'first', hostname: 'web01.example.org' },
      { ok: false, autorule: 'second' },
      { ok: false, autorule: 'list' },
      { ok: false, autorule: 'undefined' },
    ]);
    const clean = hostRecord({ labels: { site: 'x' } });
    expect([...autorules.generate(clean, attributes.attributes(clean))].slice(0, 2)).toEqual([
      {
        ok: true,
        autorule: 'first',
        hostname: clean.hostname,
        ruleType: 'automation_filter',
        document: { name: 'a x1' },
        wholes: [],
      },
      {
        ok: true,
        autorule: 'second',
        hostname: clean.hostname,
        ruleType: 'automation_filter',
        document: { name: `b ${clean.hostname}`, site: 'x' },
        wholes: [],
      },
    ]);
  });

  it('make nothing where the condition around the body does not hold, or reads what the host does not have', () => {
    const autorules = compileAutorules(
      [
        autorule('absent', '{% if gone %}{"name": "a"}{% endif %}'),
        autorule('held', `{%- if site == 'x' -%}\n{"name": "b {{ site }}"}\n{%- endif %}\n`),
        autorule('failing', '{% if site.upper(1) %}{"name": "c"}{% endif %}'),
        autorule('body', '{% if site %}{"name": "{{ gone }}"}{% endif %}'),
        autorule('lines', '{% if gone and\n  site %}{"name": "e"}{% endif %}'),
        autorule('inner', '{% if gone %}{"name": "f{% if site %}{{ site }}{% endif %}"}{% endif %}'),
        autorule('commented', '{# sites #} {% if gone %}{"name": "g"}{% endif %}'),
        autorule('other', '{% if site == "y" %}{"name": "h"}{% else %}none{% endif %}'),
        autorule('several', '{% if site == "y" %}{"name": "d"}{% endif %}{% if gone %}1{% endif %}'),
      ],
      deps,
    );
    const record = hostRecord({ labels: { site: 'x' } });
    expect([...autorules.generate(record, program({}).attributes(record))]).toMatchObject([
      { ok: false, autorule: 'body', error: expect.stringContaining('undefined') },
      { ok: false, autorule: 'failing' },
      { ok: true, autorule: 'held', document: { name: 'b x' } },
      { ok: false, autorule: 'other' },
      { ok: false, autorule: 'several' },
    ]);
  });

  it('do not compile, and that soon, if their body is too long', () => {
    const long = `{% if ${' '.repeat(100_000)}`;
    const began = performance.now();
    expect(compileAutorules([autorule('long', long)], deps).broken).toMatchObject([{ autorule: 'long' }]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('make no document of which something would be lost, and never show its text', () => {
    const autorules = compileAutorules(
      [
        autorule('twice', '{"name": "a", "secret-value": 1, "name": "b"}'),
        autorule('broken', '{"name": "secret-value'),
        autorule('large', '{"name": "c", "serial": {{ serial }}}'),
      ],
      deps,
    );
    const record = hostRecord({ labels: { serial: '12345678901234567890' } });
    const made = [...autorules.generate(record, program({}).attributes(record))];
    expect(made).toMatchObject([
      { ok: false, autorule: 'broken' },
      // What cannot be kept is refused where documents are stored.
      { ok: true, autorule: 'large', document: { serial: 12345678901234567890n } },
      { ok: false, autorule: 'twice', error: expect.stringContaining('occurs twice') },
    ]);
    expect(JSON.stringify(made.filter(({ ok }) => !ok))).not.toContain('secret-value');
  });

  it('read nested labels and the times of imports, like rules', () => {
    const text =
      '{"name": "{{ site.name }}", "all": "{{ site }}", "room": {{ site.room.floor }}, "year": {{ syncer_last_seen.year }}}';
    const record = { ...hostRecord({ labels: { 'site.name': 'x', 'site.room.floor': 3 } }), lastSeen: new Date(0) };
    const [made] = compileAutorules([autorule('nested', text)], deps).generate(record, program({}).attributes(record));
    expect(made).toMatchObject({
      ok: true,
      document: { name: 'x', all: "{'name': 'x', 'room': {'floor': 3}}", room: 3, year: 1970 },
    });
  });

  it('are for active records of their kind', () => {
    const autorules = compileAutorules([autorule('networks', '{"name": "n"}', { object_filter: 'network' })], deps);
    const network = { ...hostRecord(), isObject: true, objectType: 'network' };
    expect([...autorules.generate(network, new Map())]).toHaveLength(1);
    expect([...autorules.generate({ ...network, archive: { at: new Date(0), by: 'api' } }, new Map())]).toEqual([]);
    expect([...autorules.generate(hostRecord(), new Map())]).toEqual([]);
  });
});
