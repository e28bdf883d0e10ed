import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/app/kernel/config/schema.ts';

/** How long requests under way may take when the service stops, and what closing the rest may take. */
const STOP_SECONDS = 10 + 5;

function read(path: string): string {
  return readFileSync(new URL(`../../packaging/${path}`, import.meta.url), 'utf8');
}

function seconds(text: string | undefined): number {
  if (!/^\d+s$/.test(text ?? '')) throw new Error(`not a number of seconds: ${text}`);
  return Number.parseInt(text as string, 10);
}

const caddy = Object.fromEntries(
  [...read('compose/Caddyfile').matchAll(/^\t\t(\w+) (\S+)$/gm)].map(([, name, value]) => [name, value]),
);

describe.each(['postgresql.yaml', 'replica-set.yaml'])('a restart behind the proxy of %s', (file) => {
  const nodes = parse(read(`compose/${file}`))['x-muster'];
  const drain = Number(nodes.environment.SERVICE_DRAIN_SECONDS);

  it('gives the proxy time to see that a node drains', () => {
    expect(caddy.health_uri).toBe('/readyz');
    expect(drain).toBeGreaterThan(seconds(caddy.health_interval) + seconds(caddy.health_timeout));
  });

  it('gives a node time to drain and to stop', () => {
    expect(seconds(nodes.stop_grace_period)).toBeGreaterThanOrEqual(drain + STOP_SECONDS);
    expect(read('systemd/muster.service')).toContain('\nTimeoutStopSec=60\n');
    expect(read('helm/muster/templates/_helpers.tpl')).toContain(
      'terminationGracePeriodSeconds: {{ add (include "muster.drainSeconds" .) 30 }}',
    );
  });

  it('holds requests as long as one node needs to come back, and takes a node back soon', () => {
    expect(seconds(caddy.lb_try_duration)).toBeGreaterThanOrEqual(30);
    expect(seconds(caddy.fail_duration)).toBeLessThanOrEqual(5);
  });

  it('takes no time where there is no proxy', () => {
    expect(configSchema.parse({}).DRAIN_SECONDS).toBe(0);
    expect(readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8')).not.toContain('DRAIN_SECONDS');
  });
});
