import { createStorage } from '../../adapters/mongodb/harness.ts';
import { describePlans } from './plans.suite.ts';

describePlans('MongoDB', createStorage);
