/** Returns a number with what is counted, such as "1 pair" or "2 pairs". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
