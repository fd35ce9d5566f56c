/** Names of months in English, Portuguese, Spanish, German, French, Italian, Dutch and Polish, without accents. */
const monthNames = [
  'jan january janeiro januar janner janvier janv enero ene gennaio gen januari sty stycznia',
  'feb february fev fevereiro febrero februar feber fevrier fevr febbraio februari lut lutego',
  'mar march marco marzo marz mrz maerz mars maart mrt marca',
  'apr april abr abril avr avril aprile kwi kwietnia',
  'may mai maio mayo mag maggio mei maj maja',
  'jun june junho junio juni juin giu giugno cze czerwca',
  'jul july julho julio juli juil juillet lug luglio lip lipca',
  'aug august ago agosto aout augustus sie sierpnia',
  'sep sept september set setembro septiembre setiembre septembre settembre wrz wrzesnia',
  'oct october out outubro octubre okt oktober octobre ott ottobre paz pazdziernika',
  'nov november novembro noviembre novembre lis listopada',
  'dec december dez dezembro dic diciembre dezember decembre dicembre gru grudnia des desember',
];
const usualMonths: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);

/** Languages whose names the runtime knows. */
const languages = (
  'sv nb da fi cs sk hu ro hr sl bs sr-Latn sr tr el ru uk bg mk be lt lv et id ms ca gl eu sq is en pt es de fr it ' +
  'nl pl'
).split(' ');

/** Removes accents and points, which people leave out. */
const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase();

/** Collects names of parts of a date with their numbers; a name with several meanings has none. */
function namesOf(part: 'month' | 'weekday', days: readonly Date[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const formats = [{ [part]: style }, { [part]: style, day: 'numeric', month: style }] as const;
      for (const format of formats) {
        const formatter = new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' });
        for (const [index, day] of days.entries()) {
          const name = plainName(formatter.formatToParts(day).find(({ type }) => type === part)?.value ?? '');
          names.set(name, (names.get(name) ?? index) === index ? index : NaN);
        }
      }
    }
  }
  return names;
}

/** The names of other languages, made at the first word that may be one. */
let otherMonths: ReadonlyMap<string, number> | undefined;
let weekdays: ReadonlyMap<string, number> | undefined;

/** Returns the number of a month, 1 to 12, by its name or abbreviation. */
export function monthNamed(written: string): number | undefined {
  const name = plainName(written);
  const usual = usualMonths.get(name);
  if (usual !== undefined || !/^\p{L}{3,}$/u.test(name)) return usual;
  otherMonths ??= namesOf(
    'month',
    Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15))),
  );
  const index = otherMonths.get(name);
  return index === undefined || Number.isNaN(index) ? undefined : index + 1;
}

/** Returns whether a word names a day of the week. */
export function isWeekday(written: string): boolean {
  weekdays ??= namesOf(
    'weekday',
    Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 4 + day))),
  );
  return /^[月火水木金土日]$/.test(written) || weekdays.has(plainName(written));
}
