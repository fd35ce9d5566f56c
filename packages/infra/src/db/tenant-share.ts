/** The share of a pool that one tenant may use at a time: a tenant that floods leaves connections to others. */
const maxPoolShare = 0.7;

/** Limits the connections of a pool that one tenant may use at a time. */
export const maxConnectionsPerTenant = (poolSize: number): number => Math.max(1, Math.floor(poolSize * maxPoolShare));
