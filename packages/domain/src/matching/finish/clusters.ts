import { streamRows, type PoolClient } from '@tieout/infra';
import { confirmedPairs, type EntryOwner } from '../../results/matches';
import { writeClusters, type ClusterList } from '../../results/clusters';
import { bytesPerId, type Directory } from '../stage/directory';

/** Joins records by links, which the caller passes from the strongest to the weakest. */
export class LinkedRecords {
  /** The parent of a record, or of a root the negative number of its records. */
  private readonly parents: Int32Array;
  /** The link that joined the last two parts of the cluster of a root. */
  private readonly lefts: Int32Array;
  private readonly rights: Int32Array;

  constructor(records: number) {
    this.parents = new Int32Array(records).fill(-1);
    this.lefts = new Int32Array(records);
    this.rights = new Int32Array(records);
  }

  link(left: number, right: number): void {
    let [root, other] = [this.rootOf(left), this.rootOf(right)];
    if (root === other) return;
    if ((this.parents[root] as number) > (this.parents[other] as number)) [root, other] = [other, root];
    this.parents[root]! += this.parents[other] as number;
    this.parents[other] = root;
    this.lefts[root] = left;
    this.rights[root] = right;
  }

  /** Lists the clusters of at least two records: the largest first, equal ones by their first record. */
  clusters(ids: Buffer): ClusterList {
    const { parents, lefts, rights } = this;
    const places = new Map<number, number[]>();
    for (let record = 0; record < parents.length; record++) {
      const root = this.rootOf(record);
      if (parents[root] === -1) continue;
      const members = places.get(root);
      if (members) members.push(record);
      else places.set(root, [record]);
    }
    // Sorting is stable, and clusters are met by their first record.
    const sorted = [...places].sort(([, one], [, other]) => other.length - one.length);
    const total = sorted.reduce((sum, [, { length }]) => sum + length, 0);
    const list = {
      ends: new Uint32Array(sorted.length),
      ids: Buffer.alloc(total * bytesPerId),
      links: Buffer.alloc(sorted.length * 2 * bytesPerId),
    };
    let place = 0;
    const copy = (to: Buffer, at: number, record: number): number =>
      ids.copy(to, at * bytesPerId, record * bytesPerId, (record + 1) * bytesPerId);
    sorted.forEach(([root, members], at) => {
      for (const record of members) copy(list.ids, place++, record);
      list.ends[at] = place;
      copy(list.links, 2 * at, lefts[root] as number);
      copy(list.links, 2 * at + 1, rights[root] as number);
    });
    return list;
  }

  private rootOf(record: number): number {
    let root = record;
    while ((this.parents[root] as number) >= 0) root = this.parents[root] as number;
    for (let at = record; at !== root;) {
      const next = this.parents[at] as number;
      this.parents[at] = root;
      at = next;
    }
    return root;
  }
}

/** Stores the clusters of a dataset compared with itself. @param directory of either side, which are equal */
export async function storeClusters(
  client: PoolClient,
  owner: EntryOwner,
  entryId: string,
  directory: Directory,
): Promise<void> {
  const linked = new LinkedRecords(directory.length);
  const link = (left: number, right: number): void => {
    if (left !== -1 && right !== -1) linked.link(left, right);
  };
  for (const { leftRecordId, rightRecordId } of await confirmedPairs(client, owner))
    link(directory.seqOf(leftRecordId), directory.seqOf(rightRecordId));
  const literal = (text: string): string => client.escapeLiteral(text);
  const matches = `select left_record_id, right_record_id from matches
    where tenant_id = ${literal(owner.tenantId)} and job_id = ${literal(owner.jobId)}
      and rule_set_id = ${literal(owner.ruleSetId)} and decision = 'MATCH'
    order by score desc, left_record_id, right_record_id`;
  for await (const rows of streamRows(client, matches, 2)) {
    for (let row = 0; row < rows.count; row++)
      link(directory.seqAt(rows.bytes, rows.start(row, 0)), directory.seqAt(rows.bytes, rows.start(row, 1)));
  }
  await writeClusters(client, { tenantId: owner.tenantId, entryId }, linked.clusters(directory.ids));
}
