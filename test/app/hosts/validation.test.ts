import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHostname } from '../../../src/app/hosts/decisions/hostname.ts';
import { checkSection, checkSectionKey, inspectSection } from '../../../src/app/hosts/decisions/inventory.ts';
import { checkLabels, inspectLabels } from '../../../src/app/hosts/decisions/labels.ts';
import { HOST_LIMITS } from '../../../src/app/hosts/decisions/limits.ts';

function refusal(run: () => unknown): { code: string; message: string; path: string | undefined } {
  try {
    run();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { path: string }[] };
    return { code, message, path: details[0]?.path };
  }
  throw new Error('nothing was refused');
}

describe('hostnames', () => {
  it.each([
    ['  web1.example.com\n', 'web1.example.com'],
    ['PP:MDF', 'PP:MDF'],
    ['Größe 1', 'Größe 1'],
    ['🖥'.repeat(253), '🖥'.repeat(253)],
  ])('accepts %j', (given, stored) => {
    expect(checkHostname(given)).toBe(stored);
  });

  it.each([
    [' \t', /empty/],
    ['a/b', /slash/],
    ['a\u0000b', /control/],
    ['a\u0085b', /control/],
    ['x'.repeat(254), /longer than 253/],
    ['🖥'.repeat(254), /longer than 253/],
    ['a\ud800', /Unicode/],
    [7, /text/],
  ])('refuses %j with a reason', (given, reason) => {
    expect(refusal(() => checkHostname(given))).toMatchObject({ code: 'invalid_input', path: 'hostname' });
    expect(refusal(() => checkHostname(given)).message).toMatch(reason);
  });
});

describe('labels', () => {
  it('accepts every flat value and answers the same object', () => {
    const labels = JSON.parse('{"a.b/c":"x","__proto__":"p","n":1.5,"t":true,"z":null,"l":["x",1,null],"e":"","7":[]}');
    expect(checkLabels(labels)).toBe(labels);
    expect(Object.keys(checkLabels(labels))).toContain('__proto__');
  });

  it.each([
    ['{"os":{"name":"linux"}}', 'labels.os', /nested/],
    ['{"list":[{"a":1}]}', 'labels.list', /list of objects/],
    ['{"list":[[1]]}', 'labels.list', /list of objects/],
    ['{"$where":"1"}', 'labels.$where', /begins with "\$"/],
    ['{"":"1"}', 'labels.', /empty key/],
    ['{"__proto__":{"a":1}}', 'labels.__proto__', /nested/],
    [`{"${'k'.repeat(1025)}":1}`, undefined, /longer than 1024/],
    ['{"bad":"\\ud800"}', 'labels.bad', /Unicode/],
    ['[]', 'labels', /object/],
    ['null', 'labels', /object/],
  ])('refuses %s naming the key', (json, path, reason) => {
    const found = refusal(() => checkLabels(JSON.parse(json)));
    if (path !== undefined) expect(found.path).toBe(path);
    expect(found.message).toMatch(reason);
  });

  it('refuses what JSON cannot hold', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, 1n, () => 1]) {
      expect(inspectLabels({ value }).ok).toBe(false);
    }
  });

  it('limits how many and how much', () => {
    const many = Object.fromEntries(Array.from({ length: HOST_LIMITS.labels + 1 }, (_, i) => [`k${i}`, 1]));
    expect(refusal(() => checkLabels(many)).message).toMatch(/5001 labels; 5000 are allowed/);
    expect(inspectLabels({ big: 'x'.repeat(1_000_000) }).ok).toBe(true);
    expect(inspectLabels({ big: 'x'.repeat(HOST_LIMITS.labelCharacters) }).ok).toBe(false);
    expect(inspectLabels({ big: Array.from({ length: 300_000 }, () => 1) }).ok).toBe(false);
  });

  it('agrees with a plain definition', () => {
    const scalar = (v: unknown) => v === null || ['string', 'number', 'boolean'].includes(typeof v);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (labels) => {
        const expected = Object.entries(labels).every(
          ([k, v]) => k !== '' && !k.startsWith('$') && (scalar(v) || (Array.isArray(v) && v.every(scalar))),
        );
        expect(inspectLabels(labels).ok).toBe(expected);
      }),
    );
  });
});

describe('inventory sections', () => {
  it('keeps dots inside and refuses them in the section key', () => {
    expect(checkSection(JSON.parse('{"app.k8s.io/name":{"__proto__":[{"a":[]}]}}'))).toBeTruthy();
    expect(checkSectionKey('facts')).toBe('facts');
    for (const key of ['a.b', '$a', '', 7]) expect(refusal(() => checkSectionKey(key)).code).toBe('invalid_input');
  });

  it.each([
    ['{"a":{"$b":1}}', 'inventory.a.$b'],
    ['{"a":[{"":1}]}', 'inventory.a.0.'],
    ['{"a":"\\udc00"}', 'inventory.a'],
    ['[1]', 'inventory'],
  ])('refuses %s naming the member', (json, path) => {
    expect(refusal(() => checkSection(JSON.parse(json))).path).toBe(path);
  });

  it('limits nesting and size', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    expect(inspectSection(nested(HOST_LIMITS.sectionDepth)).ok).toBe(true);
    expect(inspectSection(nested(HOST_LIMITS.sectionDepth + 1)).ok).toBe(false);
    expect(inspectSection({ a: Array.from({ length: 100_001 }, () => 1) }).ok).toBe(false);
    expect(inspectSection({ a: 'x'.repeat(4_000_001) }).ok).toBe(false);
  });
});
