import { createStorage } from '../mongodb/harness.ts';
import { describeRulesFolder } from './rules-folder.suite.ts';

describeRulesFolder('MongoDB', createStorage);
