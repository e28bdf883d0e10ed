import { describe, expect, it } from 'vitest';
import { maskedAddress, maskedAddressesIn } from '../../src/kit/masking/masked-address.ts';

const MASK = '********';

describe('an address', () => {
  it.each([
    ['mongodb://muster:pass@db/muster', `mongodb://${MASK}@db/muster`],
    ['mongodb://muster:pass@one:27017,two:27017/muster', `mongodb://${MASK}@one:27017,two:27017/muster`],
    ['mongodb+srv://muster:p@ss/w?rd@db', `mongodb+srv://${MASK}@db`],
    [
      'mongodb://db/?tlsCertificateKeyFilePassword=pass&tls=true',
      `mongodb://db/?tlsCertificateKeyFilePassword=${MASK}&tls=true`,
    ],
    ['mongodb://db:27017/muster', 'mongodb://db:27017/muster'],
    ['https://token@host/audit', `https://${MASK}@host/audit`],
    ['https://audituser:pw@host/audit?token=q&x=#part', `https://${MASK}@host/audit?token=${MASK}&x=#${MASK}`],
    ['https://host/audit?just-a-token', `https://host/audit?${MASK}`],
    ['https://host/audit?replicaSet=q', `https://host/audit?replicaSet=${MASK}`],
    ['https://host/audit?a=b=c;d=e', `https://host/audit?a=${MASK}`],
    ['HTTPS://host/?key=q', `HTTPS://host/?key=${MASK}`],
    ['https:user:pw@host', `https:${MASK}@host`],
    ['sqlite:data/muster.db', 'sqlite:data/muster.db'],
    ['sqlite:data/a@b/muster.db', 'sqlite:data/a@b/muster.db'],
    ['file:/var/log/audit@night.jsonl', 'file:/var/log/audit@night.jsonl'],
    ['', ''],
  ])('%s is shown without its credentials', (address, shown) => {
    expect(maskedAddress(address)).toBe(shown);
    expect(maskedAddress(shown)).toBe(shown);
  });
});

it('addresses in a sentence are shown without their credentials, the sentence stays', () => {
  expect(maskedAddressesIn('GET "https://ada:pw@host/x?token=q" failed, then mongodb://u:p@db/x: no answer')).toBe(
    `GET "https://${MASK}@host/x?token=${MASK}" failed, then mongodb://${MASK}@db/x: no answer`,
  );
});
