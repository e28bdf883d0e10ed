import { type AnsweringServer, answeringServer, type FaultyRequest, type SystemAnswer } from 'muster/testing';

export interface Device {
  readonly id: string;
  name: string;
  owner: string | null;
  version: string;
  [field: string]: unknown;
}

const PAGE = 50;

/** Stands in for the system in tests. Nothing goes wrong with it: the suites do that. */
export class Simulator {
  readonly devices = new Map<string, Device>();
  readonly #password: string;
  #server: AnsweringServer | undefined;
  #changes = 0;

  constructor(password: string) {
    this.#password = password;
  }

  async start(): Promise<void> {
    this.#server = await answeringServer((request) => this.#answer(request));
  }

  get address(): string {
    return this.#server?.address ?? '';
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  find(name: string): Device | undefined {
    return [...this.devices.values()].find((device) => device.name === name);
  }

  put(fields: { readonly name: string; readonly owner: string | null }): Device {
    const device = { ...fields, id: `d${++this.#changes}`, version: '1' };
    this.devices.set(device.id, device);
    return device;
  }

  change(device: Device, fields: object): void {
    Object.assign(device, fields, { version: String(++this.#changes) });
  }

  #answer({ method, path, headers, body }: FaultyRequest): SystemAnswer {
    const password = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    if (!password.endsWith(`:${this.#password}`)) return answer(401, { error: 'who are you' });
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const [, , id = ''] = pathname.split('/');
    if (method === 'GET') return answer(200, this.#page(Number(searchParams.get('page') ?? 1)));
    const fields = body === '' ? {} : JSON.parse(body);
    if (method === 'POST') {
      if (this.find(fields.name) !== undefined) return answer(409, { error: `there is one named ${fields.name}` });
      return answer(201, this.put(fields));
    }
    const device = this.devices.get(id);
    if (device === undefined) return answer(404, { error: `there is no ${id}` });
    const match = headers['if-match'] ?? '*';
    if (match !== '*' && match !== device.version)
      return answer(412, { error: `${device.name} is another one by now` });
    if (method === 'DELETE') this.devices.delete(id);
    else this.change(device, fields);
    return answer(200, device);
  }

  #page(page: number): object {
    const all = [...this.devices.values()];
    return { devices: all.slice((page - 1) * PAGE, page * PAGE), pages: Math.max(1, Math.ceil(all.length / PAGE)) };
  }
}

function answer(status: number, value: object): SystemAnswer {
  return { status, body: JSON.stringify(value) };
}
