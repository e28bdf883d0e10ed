import { toadScheduler } from '../../../src/adapters/scheduler/toad/toad-scheduler.ts';
import { describeSchedulerContract } from '../../contracts/scheduler.contract.ts';

describeSchedulerContract(toadScheduler);
