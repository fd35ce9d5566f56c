/** Adds amounts exactly. Amounts are numbers or decimal texts, as `readDecimal` returns them. */
export class DecimalSum {
  private units = 0n;
  private scale = 0;

  add(amount: number | string): void {
    const [whole = '0', decimals = ''] = String(amount).split('.');
    if (decimals.length > this.scale) {
      this.units *= 10n ** BigInt(decimals.length - this.scale);
      this.scale = decimals.length;
    }
    this.units += BigInt(whole + decimals) * 10n ** BigInt(this.scale - decimals.length);
  }

  /** The sum as plain decimal text. */
  get text(): string {
    const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(this.scale + 1, '0');
    const at = digits.length - this.scale;
    const decimals = digits.slice(at).replace(/0+$/, '');
    const sign = this.units < 0n ? '-' : '';
    return sign + digits.slice(0, at) + (decimals === '' ? '' : `.${decimals}`);
  }

  equals(amount: number | string): boolean {
    return this.text === String(amount);
  }
}
