import { startMongodbServer } from '../../test/support/mongodb-server.ts';

/** The server of the tests in a process beside the benchmark: prints its address, ends with its input. */
const server = await startMongodbServer();
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
process.stdin.once('end', () => void server.stop().then(() => process.exit(0)));
