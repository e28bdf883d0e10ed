import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Made hosts of 20 labels, always the same for the same number. */

const SITES = ['codfw', 'eqiad', 'esams', 'ulsfo', 'drmrs'];
const SYSTEMS = ['Linux', 'Windows Server 2022', 'VMware ESXi', 'IOS-XE'];

export type BenchLabels = Record<string, string | number | readonly string[]>;

export function hostnameOf(index: number): string {
  return `${index % 3 === 0 ? 'web' : 'HOST'}${String(index).padStart(7, '0')}.example.org`;
}

export function labelsOf(index: number): BenchLabels {
  const labels: BenchLabels = {
    site: SITES[index % 5] ?? '',
    os: SYSTEMS[index % 4] ?? '',
    role: `role${index % 17}`,
    cluster: `cluster-${index % 40}`,
    owner: `team${index % 9}@example.org`,
    env: index % 3 === 0 ? 'production' : 'staging',
    ip: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    serial: `SN${index * 7919}`,
    rack: `R${index % 200}`,
    managed: index % 2 === 0 ? 'true' : 'false',
    tags: ['a', `t${index % 13}`, 'web'],
    cores: index % 64,
  };
  for (let extra = 0; extra < 8; extra++) labels[`extra_${extra}`] = `value ${extra} of ${index % 50}`;
  return labels;
}

/** The same as a file; lists are joined by blanks, so that no value needs quotes. */
export async function writeCsv(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`host,${Object.keys(labelsOf(0)).join(',')}\n`);
  for (let index = 0; index < count; index++) {
    const values = Object.values(labelsOf(index)).map((value) => (typeof value === 'object' ? value.join(' ') : value));
    if (!file.write(`${hostnameOf(index)},${values.join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** The body of a bulk request. */
export function bulkBody(account: string, from: number, count: number): Buffer {
  const objects = Array.from({ length: count }, (_, index) => ({
    hostname: hostnameOf(from + index),
    labels: labelsOf(from + index),
  }));
  return Buffer.from(JSON.stringify({ account, objects }));
}
