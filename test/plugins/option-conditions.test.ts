import { describe, expect, it } from 'vitest';
import { commonTargetOptions } from '../../src/app/accounts/account-types.ts';
import { optionSchema } from '../../src/app/accounts/option-schemas.ts';
import { textTemplates } from '../../src/app/exports/text-templates.ts';
import { PluginRegistry } from '../../src/app/kernel/plugin-host/registry.ts';
import { importOptions } from '../../src/kit/account-options/import-options.ts';
import { viewOf } from '../../src/plugins/files/host-view.ts';
import { makeShape } from '../../src/plugins/files/make-shape.ts';
import { type FilesOptions, filesOptions } from '../../src/plugins/files/options.ts';
import { targetAccountOptions } from '../../src/plugins/rest/export/options.ts';
import { registerBuiltins } from '../support/builtin-registry.ts';
import { host } from './files/support.ts';

interface Described {
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly anyOf?: readonly Described[];
  readonly when?: Readonly<Record<string, readonly string[]>>;
}

function allOptions(): readonly (readonly [type: string, options: Readonly<Record<string, Described>>])[] {
  const plugins = registerBuiltins(new PluginRegistry());
  const types = [
    ...plugins.sourceIds().flatMap((id) => plugins.source(id)?.item ?? []),
    ...plugins.targetIds().flatMap((id) => plugins.target(id)?.item ?? []),
    ...plugins.notificationChannelIds().flatMap((id) => plugins.notificationChannel(id)?.item ?? []),
    ...plugins.signInMethodIds().flatMap((id) => plugins.signInMethod(id)?.item ?? []),
    { id: 'all sources', options: importOptions() },
    ...plugins.targetIds().flatMap((id) => {
      const target = plugins.target(id)?.item;
      return target === undefined ? [] : { id: `all of ${id}`, options: commonTargetOptions(target) };
    }),
  ];
  return types.map(({ id, options }) => [id, optionSchema(options).properties as Readonly<Record<string, Described>>]);
}

/** What an option may be, as far as it is a choice or a switch. */
function valuesOf(option: Described | undefined): readonly string[] {
  if (option?.enum !== undefined) return option.enum;
  const types = [option?.type, ...(option?.anyOf ?? []).map(({ type }) => type)];
  return types.includes('boolean') ? ['true', 'false'] : [];
}

describe('defaults of options', () => {
  it('are told where a preset may say them otherwise, also of switches and numbers', () => {
    expect(optionSchema(targetAccountOptions()).properties).toMatchObject({
      verify_cert: { default: true },
      request_timeout: { default: 30 },
      protocol: { default: 'json' },
    });
  });
});

describe('conditions of options', () => {
  it('name choices and switches of the same type, and values that these have', () => {
    const wrong = allOptions().flatMap(([type, options]) =>
      Object.entries(options).flatMap(([name, { when = {} }]) =>
        Object.entries(when).flatMap(([other, values]) =>
          values
            .filter((value) => !valuesOf(options[other]).includes(value))
            .map((value) => `${type} ${name}: ${other}=${value}`),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('show of the target of files those options that the chosen shape reads', () => {
    const properties = optionSchema(filesOptions()).properties as Readonly<Record<string, Described>>;
    const always = new Set(['path', 'shape', 'publish', 'adopt']);
    for (const shape of properties.shape?.enum ?? []) {
      const options = filesOptions().parse({
        shape,
        path: 'x',
        address_field: 'ip',
        key_field: 'key',
        origin: 'example.org',
        ns: 'ns.example.org',
        hostmaster: 'hostmaster@example.org',
        template: '{{ HOSTNAME }}',
      });
      const read = new Set<string>();
      const watched = new Proxy(options, {
        get(all, name) {
          read.add(String(name));
          return all[name as keyof FilesOptions];
        },
      });
      const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGkwoFQqKqvxGyw0LqEXzCHHEzBQ0S9nFhTDyWeXl1W7';
      makeShape(watched, textTemplates).host(viewOf(host('web01.example.org', { ip: '192.0.2.1', key })), 'x');
      const shown = Object.entries(properties)
        .filter(([name, { when }]) => !always.has(name) && when?.shape?.includes(shape) === true)
        .map(([name]) => name);
      const needed = [...read].filter((name) => !always.has(name));
      expect([shape, ...shown.sort()]).toEqual([shape, ...needed.sort()]);
    }
  });
});
