import { BlockList, isIP } from 'node:net';
import { definePlugin } from 'muster/plugin-api';

/** Words for rules: whether an address is in a network, and the floor that a room is on. */
export default definePlugin({
  id: 'network-words',
  apiVersion: 2,
  description: 'Rules can ask for networks, and templates for floors.',
  register(host) {
    host.conditionOperator({
      id: 'in_network',
      words: ['is in the network', 'is not in the network'],
      description: 'A network: 10.20.0.0/16',
      compile(text) {
        const [network, bits] = text.split('/');
        const kind = isIP(network) === 6 ? 'ipv6' : 'ipv4';
        const inside = new BlockList();
        if (isIP(network) === 0) throw new Error(`${text} is no network such as 10.20.0.0/16`);
        inside.addSubnet(network, Number(bits), kind);
        return (value) => typeof value === 'string' && isIP(value) !== 0 && inside.check(value, kind);
      },
    });
    host.templateFilter({
      id: 'floor',
      description: 'The floor of a room that is called by floor and number: 4.12',
      apply(room) {
        const [, floor] = /^(\d+)\./.exec(room) ?? [];
        if (floor === undefined) throw new Error(`${room} does not begin with a floor`);
        return Number(floor);
      },
    });
  },
});
