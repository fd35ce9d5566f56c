import type { TieoutError } from '@tieout/client';
import type { Texts } from './catalog';
import { refusalText } from './refusal';

/** Names of options that are no words of their own, quoted or not, and words that are options where they are quoted. */
const names =
  /\b(?:headerRow|skipLines|dateFormat|decimalSeparator|sourcePath)\b|"(?:delimiter|encoding|header|sheet)"(?!:)/;
const settings = /\(?\b([a-zA-Z]+)=("[^"]*"|[^\s,;)]+)\)?/;
const mentions = new RegExp(`${settings.source}|"?(${names.source})"?(?!:)`, 'g');

/** Returns a message about the reading of a file with the controls of the page in place of the options of the API. */
export function readingText(message: string, { importing }: Texts): string {
  const options = new Map<string, string>([...Object.entries(importing.options), ['sourcePath', importing.column]]);
  const labelOf = (option: string): string | undefined => options.get(option);
  return message
    .replace(/ \(GET [^)]*\)/g, '')
    .replace(mentions, (all: string, option: string | undefined, value: string, name: string | undefined) => {
      const key = option ?? (name ?? '').replaceAll('"', '');
      const label = key === 'fromColumns' ? importing.fields : labelOf(key);
      if (label === undefined) return all;
      if (option === undefined || key === 'fromColumns') return `“${label}”`;
      const plain = value.replaceAll('"', '');
      return `“${label}: ${importing.choice[`${option} ${plain}`] ?? plain}”`;
    });
}

/** Returns why a file is not read, or not taken, as it is asked for. */
export const unreadText = (refusal: TieoutError, texts: Texts): string =>
  readingText(refusalText(refusal, texts, texts.importing.options), texts);

/** Returns why a field is not declared as it is asked for. */
export function undeclaredText(key: string, refusal: TieoutError, texts: Texts): string {
  const { importing } = texts;
  const labels = {
    key: importing.key,
    name: importing.column,
    type: importing.type,
    sourcePath: importing.column,
    transform_expr: importing.expression,
    isIdentity: importing.identity,
  };
  return `“${key}”: ${readingText(refusalText(refusal, texts, labels), texts)}`;
}
