/** Forms that the values of a column have at most: `Jan 2026` and `March 2026` have one, `1.5K` and `2K` two. */
const maxForms = 2;
/** Texts that are looked at. */
const maxTexts = 100;

/** Collects the forms of texts: how digits and words follow each other. */
export class Forms {
  private readonly found = new Set<string>();
  private texts = 0;
  private areNumbered = true;

  add(text: string): void {
    if (!this.areNumbered || this.texts++ >= maxTexts || this.found.size > maxForms) return;
    this.areNumbered &&= /\d/.test(text);
    if (this.areNumbered)
      this.found.add(
        text
          .slice(0, 40)
          .replace(/\d+/g, '0')
          .replace(/\p{L}+/gu, 'a'),
      );
  }

  /** Returns whether there are several texts, all with digits and of few forms. */
  get areFew(): boolean {
    return this.texts > 1 && this.areNumbered && this.found.size <= maxForms;
  }
}
