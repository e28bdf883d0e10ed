// Servers of the tests, for questions about other systems: a NetBox that keeps what is written to it, and a database server.
import { bundledModule } from '../bundled-module.mjs';
import { root } from '../report.mjs';

export async function startNetBox() {
  const { StatefulNetBox } = await bundledModule(root, 'test/plugins/netbox/stateful-netbox.ts');
  return new StatefulNetBox().start();
}

export async function startMongodb() {
  const { startMongodbServer } = await bundledModule(root, 'test/support/mongodb-server.ts');
  return startMongodbServer();
}
