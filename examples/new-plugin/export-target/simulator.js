import { answeringServer } from 'muster/testing';

const PAGE = 50;

/** Stands in for the system in tests. Nothing goes wrong with it: the suites do that. */
export class Simulator {
  devices = new Map();
  #password;
  #server;
  #changes = 0;

  constructor(password) {
    this.#password = password;
  }

  async start() {
    this.#server = await answeringServer((request) => this.#answer(request));
  }

  get address() {
    return this.#server?.address ?? '';
  }

  async stop() {
    await this.#server?.close();
  }

  find(name) {
    return [...this.devices.values()].find((device) => device.name === name);
  }

  put(fields) {
    const device = { ...fields, id: `d${++this.#changes}`, version: '1' };
    this.devices.set(device.id, device);
    return device;
  }

  change(device, fields) {
    Object.assign(device, fields, { version: String(++this.#changes) });
  }

  #answer({ method, path, headers, body }) {
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

  #page(page) {
    const all = [...this.devices.values()];
    return { devices: all.slice((page - 1) * PAGE, page * PAGE), pages: Math.max(1, Math.ceil(all.length / PAGE)) };
  }
}

function answer(status, value) {
  return { status, body: JSON.stringify(value) };
}
