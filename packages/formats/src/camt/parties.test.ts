import { details, entry, iban, ofAccount } from '../../testing/camt';
import { readFile } from '../../testing/files';

const one = async (text: string): Promise<Record<string, unknown>> => (await readFile(text)).rows[0]?.data ?? {};
const party = (role: string, name: string, account = ''): string =>
  `<${role}><Nm>${name}</Nm></${role}>` +
  (account === '' ? '' : `<${role}Acct><Id><IBAN>${account}</IBAN></Id></${role}Acct>`);
const parties = (...all: string[]): string => `<RltdPties>${all.join('')}</RltdPties>`;

test.each<[string, string, string | null]>([
  ['of incoming money', entry('1', 'CRDT', details(parties(party('Dbtr', 'Ann'), party('Cdtr', 'Me')))), 'Ann'],
  ['of outgoing money', entry('1', 'DBIT', details(parties(party('Dbtr', 'Me'), party('Cdtr', 'Shop')))), 'Shop'],
  [
    'of a reversal with one party',
    entry('1', 'DBIT', `<RvslInd>true</RvslInd>${details(parties(party('Cdtr', 'Shop')))}`),
    'Shop',
  ],
  [
    'of a reversal whose parties have changed places',
    entry(
      '1',
      'CRDT',
      `<RvslInd>true</RvslInd>${details(parties(party('Dbtr', 'Shop', 'DE2'), party('Cdtr', 'Me', iban)))}`,
    ),
    'Shop',
  ],
  [
    'of a returned payment, told by the account',
    entry(
      '1',
      'CRDT',
      details(parties(party('Dbtr', 'Me', iban), party('Cdtr', 'Shop', 'FR7630006000011234567890189'))),
    ),
    'Shop',
  ],
  [
    'of a returned payment, told by a spaced account',
    entry('1', 'CRDT', details(parties(party('Dbtr', 'Me', 'DE89 3704 0044 0532 0130 00'), party('Cdtr', 'Shop')))),
    'Shop',
  ],
  [
    'of a returned debit, told by its reason',
    entry(
      '1',
      'DBIT',
      details(`${parties(party('Dbtr', 'Payer'), party('Cdtr', 'Me'))}<RtrInf><Rsn><Cd>MD06</Cd></Rsn></RtrInf>`),
    ),
    'Payer',
  ],
  ['that only the second role names', entry('1', 'DBIT', details(parties(party('UltmtCdtr', 'Shop')))), 'Shop'],
  ['that nobody names', entry('1', 'DBIT', details(parties(party('Dbtr', 'Me')))), null],
])('the counterparty %s is the other party', async (_what, entries, name) => {
  expect((await one(ofAccount(entries))).counterparty_name).toBe(name);
});

test('the account holder is also told by the name', async () => {
  const text = ofAccount(entry('1', 'CRDT', details(parties(party('Dbtr', 'ME  Ltd.'), party('Cdtr', 'Shop')))));
  expect((await one(text.replace('</Ccy>', '</Ccy><Ownr><Nm>Me Ltd</Nm></Ownr>'))).counterparty_name).toBe('Shop');
});
