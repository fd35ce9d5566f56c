/**
 * `column = value`, for reading rows in the order of `column, id`: a column that equals something is no part of an order to the
 * planner, which may then go through all rows of the tenant by id, past any number of others, instead of the index of (column, id).
 */
export const isOf = (column: string, value: string): string => `${column} = any(array[${value}])`;
