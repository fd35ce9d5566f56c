import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { catalog, languages, type Language, type Texts } from './catalog';
import { createFormats, type Formats } from './format';

export type { Texts } from './catalog';

interface TextContext {
  language: Language;
  setLanguage(language: Language): void;
  texts: Texts;
  formats: Formats;
}

const context = createContext<TextContext | null>(null);
const stored = 'tieout.language';

function preferred(): { language: Language; locale: string } {
  const candidates = [localStorage.getItem(stored) ?? '', ...navigator.languages];
  for (const tag of candidates) {
    const language = languages.find((known) => tag === known || tag.startsWith(`${known}-`));
    if (language !== undefined) return { language, locale: localeOf(language) };
  }
  return { language: 'en', locale: navigator.language };
}

/** The person's own locale where it is of the language, else the language's usual one. */
const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? { en: 'en-GB', pt: 'pt-BR' }[language];

export function TextProvider({ children }: { children: ReactNode }) {
  const [{ language, locale }, setChosen] = useState(preferred);
  useEffect(() => void (document.documentElement.lang = locale), [locale]);
  const value = useMemo(
    () => ({
      language,
      setLanguage: (next: Language) => {
        localStorage.setItem(stored, next);
        setChosen({ language: next, locale: localeOf(next) });
      },
      texts: catalog[language],
      formats: createFormats(locale),
    }),
    [language, locale],
  );
  return <context.Provider value={value}>{children}</context.Provider>;
}

function useContextOfTexts(): TextContext {
  const value = useContext(context);
  if (value === null) throw new Error('TextProvider is missing');
  return value;
}

export const useText = (): Texts => useContextOfTexts().texts;
export const useFormats = (): Formats => useContextOfTexts().formats;
export const useLanguage = (): Pick<TextContext, 'language' | 'setLanguage'> => useContextOfTexts();
