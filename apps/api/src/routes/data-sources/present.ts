import type { DataSource } from '@tieout/domain';

export const presentDataSource = (source: DataSource) => ({
  id: source.id,
  name: source.name,
  kind: source.kind,
  created_at: source.createdAt.toISOString(),
});
