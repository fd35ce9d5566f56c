export { listClusters, type Cluster } from './list';
export { writeClusters, type ClusterList } from './blocks';
