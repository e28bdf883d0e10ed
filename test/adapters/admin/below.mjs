// Between a test and a module of the pages: the compiler of the tests knows no browser.
export { addressBelow, below, prefixAt } from '../../../src/adapters/admin/pages/calls/below.ts';
