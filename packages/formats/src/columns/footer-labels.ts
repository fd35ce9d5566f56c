import { limits } from '../limits';
import { isoCurrency } from './amounts';

const balances =
  'saldo|balance|solde|stand|kontostand|' +
  '(?:anfangs|end|schluss|eröffnungs|abschluss|alter |neuer |aktueller )(?:saldo|bestand|kontostand)|' +
  '(?:opening|closing|beginning|ending|starting|final|current|available|previous|new|ledger) balance|' +
  '(?:begin|eind)saldo';
const sums =
  'total|totals|totais|totale|totali|totaal|soma|somme|suma|sum|summe|summen|gesamt|gesamtsumme|gesamtbetrag|' +
  'summa|insgesamt|gesamtergebnis|ukupno|sveukupno|spolu|kopā|iš viso|kokku|skupaj|összeg|σύνολο|jumlah|overall|' +
  'sous-total|zwischensaldo|übertrag|vortrag|[cb]\\/[fd]|(?:carried|brought) (?:forward|down)|report à nouveau|' +
  'grand total|net total|running total|end total|zwischensumme|итого|всего|razem|celkem|összesen|yhteensä|toplam|' +
  '合計|小計|累計|総計|合计|小计|总计|합계|소계';
const counts =
  '(?:records|rows|lines|transactions|entries|items|buchungen|ums[äa]tze|datens[äa]tze|registros)(?=\\s*[:=]\\s*\\d)|' +
  'anzahl|count|record count|row count|(?:number|no\\.?|count) of \\p{L}+|anzahl der \\p{L}+|' +
  'n[uú]mero de \\p{L}+|quantidade de \\p{L}+|cantidad de \\p{L}+|nombre de \\p{L}+';
const labels = `${sums}|${balances}|${counts}`;
const kinds =
  'total|geral|general|generale|général|amount|betrag|final|inicial|initial|anterior|iniziale|finale|actual|atual|' +
  'am|vom|per|zum|as of|on|at|em|al|au|debits?|credits?|soll|haben|d[eé]bitos?|cr[eé]ditos?|d[eé]bits?|cr[eé]dits?|' +
  'in|out|income|expenses?|entradas|sa[ií]das|einnahmen|ausgaben|eingang|ausgang|records?|rows?|lines?|' +
  'items?|entries|transactions?|ums[äa]tze|buchungen|posten|due|net|gross|brutto|netto';
/** Each part has one reading, so that a long text is tried once. */
const amount = "[-+(]?\\d[\\d.,/'’%)-]*(?![\\d.,/'’%)-])|[A-Z]{0,2}\\$|€|£";

const totalLabel = new RegExp(`^(?:sub-?)?(?:${labels})(?![\\p{L}\\p{N}])`, 'iu');
/** Matches a label that nothing but a date, an amount or a kind of total follows. */
const onlyLabel = new RegExp(
  `^(?:sub-?)?(?:${labels})(?:[\\s:=]*(?:${kinds}|${amount}|${isoCurrency})(?!\\p{L}))*` +
    '(?: (?:for|für|pour|para|of|de|do|del) .{1,80})?[\\s:=]*$',
  'iu',
);
const noteLabel = new RegExp(
  '^(?:disclaimer|hinweise?|notes?|remarks?|anmerkungen?|observa[cç][oõ]es|aviso|(?:page|seite|p[aá]gina|p[aá]g\\.)' +
    '\\s?\\d|©|copyright|(?:report |statement |data )?(?:generated|created|printed|exported|downloaded|produced|' +
    'extracted|issued)(?: on| at| by|:)|(?:report|statement|export|date) (?:date|generated|created|printed|run)|' +
    '(?:erstellt|gedruckt|exportiert|generiert|erzeugt|druckdatum|gerado|emitido|generado|impreso|édité|généré|' +
    'imprimé|stampato|generato)(?![\\p{L}])|(?:end|ende|fin|fim|fine|final) (?:of|des|der|de|du|do|della?)(?!\\p{L})|' +
    '(?:no|keine) (?:more|further|weiteren)|\\(?\\d+ (?:rows?|records?|lines?|transactions?|ums[äa]tze|buchungen|' +
    'zeilen|entries|items)\\b|alle angaben|all rights|powered by|source:|quelle:)',
  'iu',
);
const endMark = /^[<([]{0,2}(?:eof|end|ende|fin|fim|fine)[>)\]]{0,2}\.?$/i;
/** Matches a line of marks, and a text between two: `*** end of report ***`. */
const ruled = /^(?:[-=_*~#.+\s]{3,}|([*=\-#~_])\1+[^*=\-#~_].*\1\1)$/s;

const isShort = (text: string): boolean => text.length <= 4 * limits.valueChars;

/** Some programs space the letters of a title: `S A L D O`. */
const closed = (text: string): string => (/^(?:\p{L} ){2,}\p{L}$/u.test(text) ? text.replaceAll(' ', '') : text);

/** Returns whether a text is the label of a total or balance: `Endsaldo`, `Total EUR:`, `Summe Haben 12,50`. */
export const isTotalLabel = (text: string): boolean =>
  text.length <= 2 * limits.valueChars && onlyLabel.test(closed(text));

/** Returns whether a text begins with such a label: `Total Energies`. */
export const beginsAsTotal = (text: string): boolean => isShort(text) && totalLabel.test(closed(text));

/** Returns whether a text begins a note: `Generated on …`, `Page 1`, `*** end of report ***`. */
export function isNoteLabel(text: string): boolean {
  const head = text.slice(0, 2 * limits.valueChars);
  return noteLabel.test(head) || endMark.test(head) || (isShort(text) && ruled.test(text));
}

/** Returns whether a text labels a total or a note, such as `Endsaldo`. */
export const isFooterLabel = (text: string): boolean =>
  text.length <= limits.valueChars && (isTotalLabel(text) || isNoteLabel(text));
