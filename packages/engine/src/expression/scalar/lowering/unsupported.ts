/** A construct that the compiler leaves to the reference. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

export function unsupported(what: string): never {
  throw new Unsupported(what);
}
