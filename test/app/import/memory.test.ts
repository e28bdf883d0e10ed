import { describeImports } from './imports.suite.ts';

describeImports('memory');
