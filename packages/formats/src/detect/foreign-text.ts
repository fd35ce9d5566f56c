import { recognisedType } from '../recognised';
import { FileUnreadableError } from '../types';

interface ForeignText {
  begins: RegExp;
  name: string;
}

const inLines = (line: string, next: string): RegExp => new RegExp(`^\\s*${line}[^\\r\\n]*[\\r\\n]+${next}`);

/** Formats of banks and accounting that look like text tables, and would be read as one column of garbage. */
const foreignTexts: readonly ForeignText[] = [
  { begins: /^\s*01,[^,\r\n]*,[^,\r\n]*,\d{6},\d{0,4},[\s\S]{0,400}?\/?\s*[\r\n]+02,/, name: 'BAI2' },
  { begins: /^\s*0[0 ]{4}\d{6}\d{3}05[ D].{0,120}[\r\n]+1/, name: 'CODA' },
  { begins: /^\s*07[45]\d{16}.{90,120}\s*[\r\n]+07[45]/, name: 'ABO (GPC)' },
  { begins: inLines('11\\d{18}\\d{12}[12]\\d{14}\\d{3}', '(?:22|33)'), name: 'Norma 43' },
  { begins: inLines('01\\d{5}.{4}\\d{5}[A-Z]{3}.{80,}', '0[47]\\d{5}'), name: 'CFONB 120' },
  { begins: inLines('1(?:01|03|11|12|21|71|72|91)[01]\\d{10}.{90}', '2'), name: 'Zengin' },
  { begins: /^\s*(?:\d{3}0000[0 ][ 0-9].{231}|02RETORNO.{391})\s*$/m, name: 'CNAB' },
  { begins: inLines('101[ 0-9]{10}[ 0-9A-Z]{10}\\d{10}[A-Z0-9]094101', '5'), name: 'NACHA (ACH)' },
  { begins: /^\s*(?:UNA.{6}\s*UNB|UNB)\+/, name: 'EDIFACT' },
  { begins: /^\s*ISA(.)(?:.{2,15}\1){10}/, name: 'X12' },
  { begins: /^\s*!(?:HDR|TRNS|ACCNT|CUST|VEND)\t/, name: 'IIF' },
  { begins: /^\s*<OFC\b/i, name: 'OFC' },
  { begins: /^\s*#FLAGGA\s+[01]\s/i, name: 'SIE' },
  { begins: /^\s*01BGMAX\s/, name: 'BGMAX' },
  { begins: /^\s*T00322\d{20}/, name: 'TITO' },
  { begins: /^\s*NY0000\d{10}/, name: 'Nets OCR' },
  { begins: /^0 {17}\d{2}[A-Z]{3} {7}/, name: 'ABA' },
  { begins: /^\s*[0-2][0-3][258]\d{46}[\s\S]*[\r\n]\s*99[59]\d{24}/, name: 'ESR' },
  { begins: /^\s*0128A[GLK]/, name: 'DTAUS' },
  { begins: /^\s*0001ACLIEOP/, name: 'CLIEOP' },
  { begins: inLines('VOL1', '(?:HDR1|UHL1)'), name: 'Bacs Standard 18' },
  { begins: /^\s*(?:RH|IB|IR)[\dA-Z]{5}[\dA-Z]{5}\d{6}.{90}/, name: 'CBI' },
  { begins: /^\s*AH[12]\d{2}TBI/, name: 'Telepay' },
  { begins: /^\s*BS00\d{10}/, name: 'Betalingsservice' },
  { begins: /^\s*\|0000\|/, name: 'SPED' },
  { begins: /^\s*(?:[\w-]+: [^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){1,60}?MIME-Version:/i, name: 'an e-mail' },
];

/** Throws where a text is in a format that is known and not read. */
export function refuseForeignText(head: string): void {
  const found = foreignTexts.find(({ begins }) => begins.test(head));
  if (found === undefined) return;
  throw new FileUnreadableError(
    'format_unsupported',
    `The file is ${found.name}, which is not read. Ask the bank for camt.053, MT940, OFX or QIF, or export the rows ` +
      'as CSV or XLSX, and use that.',
    { recognised: recognisedType('text/plain') },
  );
}
