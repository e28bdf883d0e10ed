import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentOf } from '../../src/jinja/moment.ts';
import { compileTemplate } from '../../src/jinja/template.ts';

const NOW = new Date('2026-03-04T06:00:00Z');

function rendered(source: string, seen = '2026-03-01 12:00:00.250000') {
  const scope = { get: (name: string) => (name === 'seen' ? momentOf(seen) : undefined), attributes: () => new Map() };
  const result = compileTemplate(source, { now: () => NOW }).render(scope);
  return result.ok ? result.text : result.error.kind;
}

describe('moments', () => {
  it.each([
    ['{{ seen }}', '2026-03-01 12:00:00.250000'],
    ['{{ seen.year }}-{{ seen.month }}', '2026-3'],
    ["{{ seen.strftime('%d.%m.%Y') }}", '01.03.2026'],
    ['{{ (datetime.datetime.utcnow() - seen).days }}', '2'],
    ['{{ (datetime.utcnow() - seen).seconds }}', '64799'],
    ['{{ (datetime.utcnow() - seen).total_seconds() }}', '237599.75'],
    ['{{ datetime.utcnow() - seen }}', '2 days, 17:59:59.750000'],
    ['{{ seen - datetime.utcnow() }}', '-3 days, 6:00:00.250000'],
    ['{{ (seen - datetime.utcnow()).days }}', '-3'],
    ['{{ seen + datetime.timedelta(days=1, hours=-1) }}', '2026-03-02 11:00:00.250000'],
    ['{{ datetime.timedelta(1) + seen == seen + datetime.timedelta(hours=24) }}', 'True'],
    ['{{ datetime.utcnow() - seen > datetime.timedelta(days=2) }}', 'True'],
    ['{{ seen < datetime.utcnow() }}', 'True'],
    ['{{ datetime.timedelta(minutes=90) }}', '1:30:00'],
    ['{{ datetime.timedelta(days=1, seconds=1.5) }}', '1 day, 0:00:01.500000'],
    ['{{ (datetime.utcnow().date() - seen.date()).days }}', '3'],
    ['{{ seen == "2026-03-01 12:00:00.250000" }}', 'False'],
  ])('%s is %s', (source, text) => {
    expect(rendered(source)).toBe(text);
  });

  it.each([
    ['{{ datetime.utcfromtimestamp(1577836800) }}', '2020-01-01 00:00:00'],
    ['{{ datetime.utcfromtimestamp("1577836800") }}', '2020-01-01 00:00:00'],
    ['{{ datetime.datetime.utcfromtimestamp(1577836800.5) }}', '2020-01-01 00:00:00.500000'],
    ['{{ datetime.utcfromtimestamp(1577836800000).year }}', '2020'],
    ['{{ datetime.utcfromtimestamp(0).isoformat() }}', '1970-01-01T00:00:00'],
    ['{{ datetime.date.fromtimestamp(1577880000) }}', '2020-01-01'],
    ['{{ datetime.fromisoformat("2020-01-01 00:00:00 +0000 UTC").year }}', '2020'],
    ['{{ (datetime.utcnow() - datetime.fromisoformat("2026-03-03T08:00:00+02:00")).days }}', '1'],
  ])('%s makes %s', (source, text) => {
    expect(rendered(source)).toBe(text);
  });

  it('of seconds are local ones, as those of now() are', () => {
    const at = new Date(1_577_836_800_000);
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(rendered('{{ datetime.fromtimestamp(1577836800) }}')).toBe(local);
  });

  it.each([
    '{{ datetime.fromtimestamp() }}',
    '{{ datetime.fromtimestamp("soon") }}',
    '{{ datetime.fromtimestamp(1e300) }}',
    '{{ datetime.fromisoformat(1577836800) }}',
    '{{ datetime.fromisoformat("soon") }}',
    '{{ seen + seen }}',
    '{{ seen - 1 }}',
    '{{ seen < 1 }}',
    '{{ seen - seen.date() }}',
    '{{ seen + datetime.timedelta(days=99999999) }}',
    '{{ datetime.timedelta(days=1e300) }}',
    '{{ datetime.timedelta(years=1) }}',
    '{{ datetime.timedelta("1") }}',
  ])('refuse %s', (source) => {
    expect(rendered(source)).toBe('fault');
  });

  it('are only of times', () => {
    for (const text of ['', '2026-13-02 00:00:00', '42', 'yesterday']) {
      expect(momentOf(text)).toBeUndefined();
    }
  });

  it('give back what was added, in days and seconds as Python counts them', () => {
    const span = fc.integer({ min: -100_000_000, max: 100_000_000 });
    fc.assert(
      fc.property(span, (seconds) => {
        const sum = `seen + datetime.timedelta(seconds=${seconds})`;
        const days = Math.floor(seconds / 86_400);
        expect(rendered(`{{ (${sum} - seen).days }} {{ (${sum} - seen).seconds }}`)).toBe(
          `${days} ${seconds - days * 86_400}`,
        );
      }),
      { numRuns: 50 },
    );
  });
});
