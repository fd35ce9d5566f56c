/** What every payload begins with. */
export interface EventHead {
  /** UUID v7 */
  eventId: string;
  occurredAt: Date;
}

/** The text that is delivered. It is made once: whoever receives the event again receives the same bytes. */
export function eventBody(type: string, { eventId, occurredAt }: EventHead, data: object): string {
  return JSON.stringify({ event: type, data: { eventId, occurredAt: occurredAt.toISOString(), ...data } });
}
