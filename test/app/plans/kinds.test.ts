import { describe, expect, it } from 'vitest';
import { sameValue } from '../../../src/app/exports/plans/decisions/canonical.ts';
import { matchObject, type Remote, withBack } from '../../../src/app/exports/plans/decisions/match-object.ts';
import { requireKinds } from '../../../src/app/kernel/plugin-host/target-kinds.ts';
import type { JsonObject, TargetKind } from '../../../src/ports/index.ts';

const remote = (fields: JsonObject, owner: Remote['owner'] = 'us'): Remote => ({ id: '1', owner, fields, etag: null });

function verdict(kind: Partial<TargetKind>, wanted: JsonObject, there: Remote | undefined) {
  const declared = {
    id: 'device',
    title: 'Devices',
    fields: { status: {}, os: {}, more: { compare: 'members' } },
    ...kind,
  };
  return matchObject({
    kind: declared as TargetKind,
    wanted,
    remote: there,
    owned: undefined,
    lastSecrets: undefined,
    adopt: false,
  });
}

describe('kinds of a target', () => {
  it('that are ensured are made, and otherwise good as they are, whosever they are', () => {
    expect(verdict({ ensured: true }, { os: 'a' }, undefined)).toEqual({ action: 'create' });
    for (const owner of ['us', 'other', 'nobody'] as const)
      expect(verdict({ ensured: true }, { os: 'a' }, remote({ os: 'b' }, owner))).toEqual({ action: 'unchanged' });
    const twice = { ...remote({ os: 'b' }), twice: true } as const;
    expect(verdict({ ensured: true }, { os: 'a' }, twice)).toMatchObject({ action: 'conflict' });
  });

  it('that are retired come back, unless what is wanted says otherwise', () => {
    const retired = { fields: { status: 'gone' }, back: { status: 'active' } };
    const gone = remote({ status: 'gone', os: 'a' });
    const field = { name: 'status', before: 'gone' };
    expect(verdict({ retired }, { os: 'a' }, gone)).toMatchObject({ fields: [{ ...field, after: 'active' }] });
    expect(verdict({ retired }, { os: 'a', status: 'new' }, gone)).toMatchObject({
      fields: [{ ...field, after: 'new' }],
    });
    expect(verdict({ retired }, { os: 'a' }, remote({ status: 'planned', os: 'a' }))).toEqual({ action: 'unchanged' });
    const kind = { id: 'device', title: 'Devices', fields: { status: {}, os: {} }, retired };
    expect(withBack(kind, { os: 'b' }, gone)).toEqual({ status: 'active', os: 'b' });
    expect(withBack(kind, { os: 'b' }, remote({ status: 'planned' }))).toEqual({ os: 'b' });
  });

  it('have fields of which the wanted members alone are compared and shown', () => {
    const there = remote({ more: { a: 1, b: 2 } });
    expect(verdict({}, { more: { a: 1 } }, there)).toEqual({ action: 'unchanged' });
    expect(verdict({}, { more: { c: null } }, there)).toEqual({ action: 'unchanged' });
    expect(verdict({}, { more: { a: 3 } }, there)).toMatchObject({
      fields: [{ name: 'more', before: { a: 1 }, after: { a: 3 } }],
    });
    expect(sameValue({ a: [1] }, { a: [1] }, { compare: 'members' })).toBe(true);
    expect(sameValue({ a: [1] }, { a: [1] }, {})).toBe(true);
    expect(sameValue({ a: [1], b: 1 }, { a: [1] }, {})).toBe(false);
  });

  it('come after the ones that they are a side of, and parts have declared ones', () => {
    const kind = (id: string, of?: string): TargetKind => ({ id, title: id, fields: {}, ...(of && { of }) });
    expect(() => requireKinds('t', [kind('a'), kind('b', 'a')], [{ id: 'p', title: 'p', kinds: ['b'] }])).not.toThrow();
    expect(() => requireKinds('t', [kind('b', 'a'), kind('a')])).toThrow(/b is of a/);
    expect(() => requireKinds('t', [kind('b', 'b')])).toThrow(/b is of b/);
    expect(() => requireKinds('t', [kind('a')], [{ id: 'p', title: 'p', kinds: ['b'] }])).toThrow(/part p/);
  });
});
