/** The texts of one area in every language of the console; the compiler finds what a language lacks. */
export interface Messages<M> {
  en: M;
  pt: M;
}

export const messages = <M>(en: M, pt: NoInfer<M>): Messages<M> => ({ en, pt });

/** Texts by the codes of the service, which may know more of them than the console. */
export const byCode = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> => texts;
