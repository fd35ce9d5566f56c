-- A dataset and a job belong to one tenant. Unless the planner knows, it takes them for independent of it and expects far too few rows.
CREATE STATISTICS "records_tenant_of_dataset" (dependencies) ON "dataset_id", "tenant_id" FROM "records";
CREATE STATISTICS "matches_tenant_of_job" (dependencies) ON "job_id", "tenant_id" FROM "matches";
