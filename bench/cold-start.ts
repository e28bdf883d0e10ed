import type { Benchmark, Figures } from './support/benchmark.ts';
import { floorProgram, inTurn, MUSTER } from './support/kit.ts';

const ROUNDS = 15;
const HOSTS = 1000;

async function prepare({ folder }: { readonly folder: string }) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

export const benchmark: Benchmark = {
  title: 'whole commands from start to end; floors: a bundle that does the same by hand, and bare node',
  sides: { prepare },
  async measure(kit) {
    const folder = await kit.folder();
    await kit.run('prepare', { folder });
    const database = `${folder}/muster.db`;
    const runs = await inTurn(ROUNDS, {
      byHand: () => kit.program([floorProgram('inventory-program'), database], { cwd: folder }),
      inventory: () =>
        kit.program([MUSTER, 'inventory', 'automation', '--list', '--database-url', `sqlite:${database}`], {
          cwd: folder,
        }),
      node: () => kit.program(['-e', '0'], { cwd: folder }),
      help: () => kit.program([MUSTER, '--help'], { cwd: folder }),
    });
    if (runs.byHand.bytes !== runs.inventory.bytes) throw new Error('the outputs differ');
    const rows = (what: string, product: Figures, floor: Figures, target: number): void => {
      kit.row({ what, product: product.wallMs ?? 0, floor: floor.wallMs ?? 0, unit: 'ms', target });
      const used = { product: product.cpuMs ?? 0, floor: floor.cpuMs ?? 0 };
      kit.row({ what: `${what}, processor time`, ...used, unit: 'ms' });
    };
    rows('muster inventory automation --list, 1,000 hosts', runs.inventory, runs.byHand, 2.5);
    rows('muster --help', runs.help, runs.node, 1.5);
  },
};
