import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ActionContext, AppError, type JsonObject, type JsonValue, type PluginAction } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

export interface PluginActionHarness {
  readonly action: PluginAction;
  /** The input of the call, as text if commands and query parameters give text. */
  readonly input: Readonly<Record<string, string>> | JsonObject;
  /** Answers of the operations that it calls, by name. */
  readonly answers: Readonly<Record<string, JsonValue>>;
  /** For one that asks other systems. */
  readonly http?: ActionContext['http'];
}

/** Tests what all entrances that offer the action rely on. */
export function describePluginActionContract(name: string, harness: PluginActionHarness): void {
  const { action, input, answers, http } = harness;
  describe(`${name}: action`, LONG_TIMEOUT, () => {
    function context(more: Partial<ActionContext> = {}): ActionContext {
      return {
        signal: new AbortController().signal,
        logger: SILENT,
        user: 'olga',
        http: http ?? { client: () => expect.fail('it asks other systems; give it `http`') },
        async operation(operation) {
          if (Object.hasOwn(answers, operation)) return answers[operation] ?? null;
          throw new AppError('not_found', `there is no operation ${operation}`);
        },
        ...more,
      };
    }

    it('can be called somewhere, and says what it is', () => {
      expect(Object.values(action.at)).toContain(true);
      expect(action.description).toMatch(/\.$/);
      expect(action.roles.length).toBeGreaterThan(0);
    });

    it('refuses members that it does not know', () => {
      expect(action.input.safeParse({ ...input, no_such_member: '1' }).success).toBe(false);
    });

    it('describes its members for documentation and tools', () => {
      const { properties } = z.toJSONSchema(action.input, { io: 'input', unrepresentable: 'any' });
      for (const property of Object.values(properties ?? {})) expect(property).toHaveProperty('description');
    });

    it('answers what it promises', async () => {
      const answer = await action.run(action.input.parse(input), context());
      expect(action.output.safeParse(answer).error?.issues).toBeUndefined();
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    });

    it.runIf(Object.keys(answers).length > 0)('fails when what it calls fails', async () => {
      const refusal = new AppError('unavailable', 'the database is away');
      const operation = () => Promise.reject(refusal);
      await expect((async () => action.run(action.input.parse(input), context({ operation })))()).rejects.toThrow();
    });
  });
}

const SILENT: ActionContext['logger'] = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
