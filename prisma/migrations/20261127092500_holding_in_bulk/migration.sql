-- A check for each member, and the lock that it takes on the group, cost as much as inserting the member. One statement inserts a group with its
-- members, and neither is ever deleted but with the tenant.
ALTER TABLE "match_group_members" DROP CONSTRAINT "match_group_members_group_id_fkey";

-- A run changes hundreds of thousands of items in a statement. What is summed and joined then stays in memory.
ALTER FUNCTION "hold_members"() SET work_mem = '64MB';
ALTER FUNCTION "release_members"() SET work_mem = '64MB';
ALTER FUNCTION "sum_items"() SET work_mem = '64MB';
