import { startMongodbServer } from '../../test/support/mongodb-server.ts';
import { startPostgresqlServer } from '../../test/support/postgresql-server.ts';

/** A server of the tests in a process beside the benchmark: prints its address, ends with its input. */
const server = process.argv[2] === 'postgresql' ? await startPostgresqlServer() : await startMongodbServer();
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
process.stdin.once('end', () => void server.stop().then(() => process.exit(0)));
