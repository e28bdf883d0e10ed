/** A dozen hosts for trying things out, as a small company may have. */
export const SAMPLE_ACCOUNT = 'sample';

const ROWS: readonly (readonly [hostname: string, site: string, role: string, os: string, cpus: number, ip: string])[] =
  [
    ['web01.example.org', 'berlin', 'web', 'debian 12', 4, '10.3.0.11'],
    ['web02.example.org', 'berlin', 'web', 'debian 12', 4, '10.3.0.12'],
    ['web03.example.org', 'paris', 'web', 'debian 11', 4, '10.4.0.11'],
    ['db01.example.org', 'berlin', 'database', 'debian 12', 16, '10.3.1.21'],
    ['db02.example.org', 'paris', 'database', 'debian 11', 16, '10.4.1.21'],
    ['cache01.example.org', 'berlin', 'cache', 'debian 12', 2, '10.3.1.31'],
    ['mail01.example.org', 'berlin', 'mail', 'ubuntu 24.04', 4, '10.3.2.41'],
    ['dns01.example.org', 'berlin', 'dns', 'alpine 3.22', 1, '10.3.2.53'],
    ['dns02.example.org', 'paris', 'dns', 'alpine 3.22', 1, '10.4.2.53'],
    ['build01.example.org', 'paris', 'build', 'ubuntu 24.04', 32, '10.4.3.61'],
    ['backup01.example.org', 'paris', 'backup', 'debian 12', 8, '10.4.3.71'],
    ['monitor01.example.org', 'berlin', 'monitoring', 'debian 12', 8, '10.3.3.81'],
  ];

export const SAMPLE_HOSTS = ROWS.map(([hostname, site, role, os, cpus, ip]) => ({
  hostname,
  labels: { site, role, os, cpus, ip },
}));
