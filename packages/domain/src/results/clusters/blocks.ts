import { idBytes, type PoolClient } from '@tieout/infra';

/** A block ends after this many clusters or records. */
const clustersPerBlock = 4_096;
const recordsPerBlock = 65_536;

/** Clusters in their order. */
export interface ClusterList {
  /** The ids of cluster i are [ends[i − 1], ends[i]) of `ids`, from 0 for the first one. */
  ends: Uint32Array;
  /** 16 bytes a record, ascending in each cluster. */
  ids: Buffer;
  /** 32 bytes a cluster: the left and the right record of its weakest link. */
  links: Buffer;
}

/** Stores clusters in blocks: there may be hundreds of thousands. */
export async function writeClusters(
  client: PoolClient,
  { tenantId, entryId }: { tenantId: string; entryId: string },
  { ends, ids, links }: ClusterList,
): Promise<void> {
  for (let from = 0, blockNo = 0; from < ends.length; blockNo++) {
    const first = from === 0 ? 0 : (ends[from - 1] as number);
    let to = from + 1;
    while (to < ends.length && to - from < clustersPerBlock && (ends[to] as number) - first <= recordsPerBlock) to++;
    const own = ends.subarray(from, to).map((end) => end - first);
    await client.query(
      `insert into cluster_blocks (entry_id, block_no, tenant_id, clusters, ends, ids, links)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        entryId,
        blockNo,
        tenantId,
        to - from,
        Buffer.from(own.buffer, own.byteOffset, own.byteLength),
        ids.subarray(first * idBytes, (ends[to - 1] as number) * idBytes),
        links.subarray(from * 2 * idBytes, to * 2 * idBytes),
      ],
    );
    from = to;
  }
}
