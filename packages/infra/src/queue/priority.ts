/** BullMQ takes no number above 2^21. */
export const lowestPriority = 2 ** 21;
