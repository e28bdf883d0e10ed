import { createStorage } from '../../adapters/postgresql/harness.ts';
import { describePlans } from './plans.suite.ts';

describePlans('PostgreSQL', createStorage);
