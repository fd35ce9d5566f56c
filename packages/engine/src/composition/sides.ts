/** The side that the target of a composite is on; its members are on the other one. */
export const targetSide = { one_to_many: 'left', many_to_one: 'right' } as const;
export const memberSide = { one_to_many: 'right', many_to_one: 'left' } as const;
