// Generated from the OpenAPI document by npm run client:generate.

export interface paths {
    "/v1/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records, newest first
         * @description field.<key>=value compares the normalised value of a field, else the raw one, as text. All filters must hold.
         *
         *     Needs the scope records:read.
         */
        get: operations["listRecords"];
        put?: never;
        /**
         * Ingest a record
         * @description The external id, or the identity fields of the dataset, identify the record: sending it again replaces its data and has it processed again.
         *
         *     Needs the scope records:write.
         */
        post: operations["createRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest many records
         * @description Lines of NDJSON, or a JSON array, of {externalId?, body}. The valid ones are stored together, the others are listed. Of lines with the same external id the last is stored. At most 32 MiB and 200,000 lines.
         *
         *     Needs the scope records:write.
         */
        post: operations["createRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export records as CSV, newest first
         * @description RFC 4180 in UTF-8 with CRLF: record.id, dataset, external_id and the fields, taken from the data. Arrays are joined with ;, objects are JSON, and text that a spreadsheet would read as a formula, or run behind a ;, a tab or a line break, gets a leading apostrophe; a number kept as text, such as -5.00, gets none.
         *
         *     Needs the scope records:read.
         */
        post: operations["exportRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a record
         * @description Needs the scope records:read.
         */
        get: operations["getRecord"];
        put?: never;
        post?: never;
        /**
         * Delete a record and its matches
         * @description 409 conflict while a matching job of the dataset completes: delete the record after that.
         *
         *     Needs the scope records:write.
         */
        delete: operations["deleteRecord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List matches, newest first
         * @description The live ones, those of each rule set’s latest completed job, and all reviewed ones. With matchingJobId, those of that job.
         *
         *     Needs the scope matches:read; without records:read what quotes records is left out.
         */
        get: operations["listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matches/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or reject many matches, or withdraw their reviews
         * @description Each is done or not, as by the review of one match.
         *
         *     Needs the scope matches:write.
         */
        post: operations["reviewMatches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a match with its explanation
         * @description Needs the scope matches:read; without records:read what quotes records is left out.
         */
        get: operations["getMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matches/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or reject a match, or withdraw its review
         * @description Replaces an earlier review. No later job changes or removes a reviewed match. Later jobs of the rule set keep a confirmed match for its pair, and with assignment one_to_one other pairs with one of its records are no MATCH. They do not propose the pair of a rejected match again while the datasets, expressions and params are the same. A confirmed match whose records change in what the rule set reads is stale until it is reviewed again. 409 conflict when a later job has replaced it, or when another match or composite match of the rule set holds the pair or one of the records to confirm; a match of a group is withdrawn by releasing that.
         *
         *     Needs the scope matches:write; without records:read what quotes records is left out.
         */
        post: operations["reviewMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/composite-matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List composite matches, newest first
         * @description The live ones, those of each rule set’s latest completed job, and all reviewed ones. With jobId, those of that job.
         *
         *     Needs the scope matches:read; without records:read what quotes records is left out.
         */
        get: operations["listCompositeMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/composite-matches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a composite match with its target and members
         * @description Needs the scope matches:read; without records:read what quotes records is left out.
         */
        get: operations["getCompositeMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/composite-matches/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or reject a composite match, or withdraw its review
         * @description Replaces an earlier review. Later jobs keep the records of a confirmed one together, and use them in no other pair or group; a confirmed PARTIAL one leaves the rest of its target open. They do not propose a rejected one again while the datasets, expressions and params are the same. 409 conflict when a later job has replaced it, or when one of the records to confirm is in another MATCH of the rule set.
         *
         *     Needs the scope matches:write; without records:read what quotes records is left out.
         */
        post: operations["reviewCompositeMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, newest first
         * @description Needs the scope jobs:read; without records:read what quotes records is left out.
         */
        get: operations["listMatchingJobs"];
        put?: never;
        /**
         * Run the rule sets of a dataset
         * @description The job reads the records as they are when it starts. With datasets, the answer is a group of jobs.
         *
         *     Needs the scope jobs:write; without records:read what quotes records is left out.
         */
        post: operations["startMatchingJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job with its progress
         * @description Needs the scope jobs:read; without records:read what quotes records is left out.
         */
        get: operations["getMatchingJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a running job, or a run that waits
         * @description Batches that are not yet processed are skipped; 409 job_not_running when the job is neither running nor a queued run of a reconciliation.
         *
         *     Needs the scope jobs:write.
         */
        post: operations["cancelMatchingJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release all match groups that a run has held
         * @description In steps, each of which is done or not. Counts as released by people.
         *
         *     Needs the scope matches:write.
         */
        post: operations["undoMatchingJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}/unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the records of one side that got no MATCH
         * @description Records that are neither in a MATCH pair nor in a composite MATCH, each with the reason and its best POSSIBLE of both kinds. Empty until the job is completed.
         *
         *     Needs the scope jobs:read and records:read.
         */
        get: operations["listUnmatchedRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the records of a dataset that belong together
         * @description Where a rule set compares a dataset with itself: the records that MATCH pairs of the job connect, and those that people had confirmed, the largest cluster first. Clusters are as the job found them; later reviews show in `review`. Empty until the job is completed; 409 conflict for rule sets of two datasets, and for runs.
         *
         *     Needs the scope jobs:read and records:read.
         */
        get: operations["listClusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching-jobs/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a dry run would change, or a full run has changed
         * @description Needs the scope jobs:read and records:read.
         */
        get: operations["listRunChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List match groups, newest first
         * @description Needs the scope matches:read and records:read.
         */
        get: operations["listMatchGroups"];
        put?: never;
        /**
         * Tie records by hand
         * @description Any number of open items of either side whose amounts and adjustments add up to 0.
         *
         *     Needs the scope matches:write and records:read.
         */
        post: operations["createMatchGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release many match groups
         * @description In steps of 200, each of which is done or not.
         *
         *     Needs the scope matches:write, and records:read with a filter.
         */
        post: operations["releaseMatchGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a match group
         * @description Needs the scope matches:read and records:read.
         */
        get: operations["getMatchGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a match group
         * @description Its records are open again. A run does not tie the same records again, unless allowAgain.
         *
         *     Needs the scope matches:write and records:read.
         */
        post: operations["releaseMatchGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a match group that waits for it
         * @description For a person other than its maker: a user, or one whom a key names in x-actor. Its maker is refused with 403, and a group that does not wait with 409.
         *
         *     Needs the scope matches:approve and records:read.
         */
        post: operations["approveMatchGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/match-groups/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a match group that waits for approval
         * @description It is released: its records are open again, and no run ties them again by the same rules.
         *
         *     Needs the scope matches:approve and records:read.
         */
        post: operations["rejectMatchGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reconciliations, newest first
         * @description Needs the scope reconciliations:read.
         */
        get: operations["listReconciliations"];
        put?: never;
        /**
         * Create a reconciliation
         * @description Its records are open items from now on, until a match group holds them.
         *
         *     Needs the scope reconciliations:write.
         */
        post: operations["createReconciliation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a reconciliation
         * @description Needs the scope reconciliations:read.
         */
        get: operations["getReconciliation"];
        put?: never;
        post?: never;
        /**
         * Delete a reconciliation that has never held a group
         * @description Needs the scope reconciliations:write.
         */
        delete: operations["deleteReconciliation"];
        options?: never;
        head?: never;
        /**
         * Change a reconciliation
         * @description Once a group has held, keys, sign and time zone are fixed, and datasets can only be added.
         *
         *     Needs the scope reconciliations:write.
         */
        patch: operations["updateReconciliation"];
        trace?: never;
    };
    "/v1/reconciliations/{id}/open-items/annotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Annotate, snooze or exclude many items
         * @description In steps of 500, each of which is done or not.
         *
         *     Needs the scope reconciliations:write, and records:read with a filter.
         */
        post: operations["annotateOpenItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/open-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open items
         * @description Records that no group holds wholly, with what remains of their amount.
         *
         *     Needs the scope reconciliations:read and records:read.
         */
        get: operations["listOpenItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/open-items/{recordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Annotate, snooze or exclude an item
         * @description Needs the scope reconciliations:write.
         */
        patch: operations["annotateOpenItem"];
        trace?: never;
    };
    "/v1/reconciliations/{id}/open-items/{recordId}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what most likely belongs to an open item
         * @description Open items of the other side and groups that add up to the item, outside of the windows of the passes too, each with what the passes say of it and why none has tied it.
         *
         *     Needs the scope reconciliations:read and records:read.
         */
        get: operations["listOpenItemCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the latest run proposes, the best first
         * @description Pairs and composites whose records are all open, without those that people have decided about.
         *
         *     Needs the scope matches:read and records:read.
         */
        get: operations["listProposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a reconciliation, newest first
         * @description Needs the scope reconciliations:read; without records:read what quotes records is left out.
         */
        get: operations["listReconciliationRuns"];
        put?: never;
        /**
         * Match the open items
         * @description Pass after pass; each sees what the ones before have left. A MATCH becomes a held group, unless accept is review. A full run also takes apart what runs have held and it ties differently. One run works at a time; one that is asked for meanwhile waits, and is the answer to further requests.
         *
         *     Needs the scope reconciliations:write; without records:read what quotes records is left out.
         */
        post: operations["startReconciliationRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up both sides, and prove their balances
         * @description Records, held, open and excluded ones, the age of open ones, match rates, groups, adjustments and the proof of balance: as they are now, as they were known at a moment, or as they are at the end of a month. A closed month is what its certificate says.
         *
         *     Needs the scope reconciliations:read; without records:read what quotes records is left out.
         */
        get: operations["getReconciliationSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the months of a reconciliation, the latest first
         * @description Those that have records, groups or certificates.
         *
         *     Needs the scope reconciliations:read; without records:read what quotes records is left out.
         */
        get: operations["listPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods/{period}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a month with its certificates
         * @description Needs the scope reconciliations:read; without records:read what quotes records is left out.
         */
        get: operations["getPeriod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods/{period}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a month
         * @description Its certificate keeps the sums of both sides, the proof and the open items. Earlier months that have records or groups have to be closed. Groups of a closed month are released only with `force`, and records that come later count in the first open one.
         *
         *     Needs the scope periods:write and records:read.
         */
        post: operations["closePeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods/{period}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a closed month again
         * @description Later closed months open too. Their certificates are kept, with their end.
         *
         *     Needs the scope periods:write and records:read.
         */
        post: operations["reopenPeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods/{period}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lock a closed month for good
         * @description With those before it. A locked month never opens again.
         *
         *     Needs the scope periods:write and records:read.
         */
        post: operations["lockPeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/periods/{period}/open-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items that are open at the end of a month
         * @description The month’s certificate tells its open items; a month without one lists those of now.
         *
         *     Needs the scope reconciliations:read and records:read.
         */
        get: operations["listPeriodOpenItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the balances of both sides, the latest day first
         * @description Needs the scope reconciliations:read and records:read.
         */
        get: operations["listBalances"];
        put?: never;
        /**
         * Give the balance of a side at the end of a day
         * @description In place of the one that was given for this day and currency. Closing balances of camt.053, MT940 and OFX files come by themselves; the sum of the accounts of a side counts until a balance of a later day is given for it.
         *
         *     Needs the scope reconciliations:write.
         */
        post: operations["stateBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report a month, or all months
         * @description Summary, groups with their records and adjustments, and open items with their age. xlsx has a sheet for each; csv has one table with section, else all of them one after the other.
         *
         *     Needs the scope reconciliations:read and records:read and matches:read.
         */
        get: operations["getReconciliationReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reason-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reason codes
         * @description Needs the scope reconciliations:read.
         */
        get: operations["listReasonCodes"];
        put?: never;
        /**
         * Add a reason code
         * @description Needs the scope reconciliations:write.
         */
        post: operations["createReasonCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reason-codes/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a reason code of the tenant
         * @description What was done with it keeps it.
         *
         *     Needs the scope reconciliations:write.
         */
        delete: operations["deleteReasonCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record in the audit that an agent uses a tool
         * @description Before the tool does anything. What it changes has the same request id where the caller sends one.
         *
         *     Needs no scope.
         */
        post: operations["recordAgentCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what agents have proposed, newest first
         * @description Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
         */
        get: operations["listAgentProposals"];
        put?: never;
        /**
         * Propose a change for a person to confirm
         * @description It is checked as if it were carried out, and changes nothing until a person confirms it. A key whose scopes name agents:commit carries it out at once. Also needs the scope of the action: matches:write, rule-sets:write, or reconciliations:write for annotations and runs.
         *
         *     Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
         */
        post: operations["createAgentProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-proposals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a proposal of an agent
         * @description Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
         */
        get: operations["getAgentProposal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-proposals/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry a proposal out as the person who confirms it
         * @description For a user, or a person whom another key names in x-actor, with the scope of the action. If the action is refused, the answer is its error, and the proposal keeps waiting. A proposal that does not wait: 409.
         *
         *     Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
         */
        post: operations["confirmAgentProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-proposals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a proposal
         * @description The people who may confirm a proposal may reject it. It then changes nothing.
         *
         *     Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
         */
        post: operations["rejectAgentProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for a rule set that matches two datasets, or one with itself
         * @description Learns from the records alone. Nothing but the answer is stored: post its rule_set to use it.
         *
         *     Needs the scope rule-sets:write.
         */
        post: operations["suggestRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suggestions, newest first, without their answers
         * @description Needs the scope rule-sets:read.
         */
        get: operations["listSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suggestions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a suggestion with its progress and answer
         * @description Needs the scope rule-sets:read and records:read.
         */
        get: operations["getSuggestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suggestions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a suggestion that is queued or running
         * @description Needs the scope rule-sets:write.
         */
        post: operations["cancelSuggestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/{id}/train": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refit the weights and thresholds of a rule set to its reviewed pairs
         * @description Changes nothing: GET /v1/suggestions/{id} has the draft, to be patched or posted. 409 conflict without a completed job of the rule set as it is, or with too few reviews.
         *
         *     Needs the scope rule-sets:write and matches:read.
         */
        post: operations["trainRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pairs of a rule set whose reviews would teach most
         * @description Live pairs without a review, about as many of each range of scores on both sides of Tmatch, most beside it, and pairs that differ first. The same records and reviews give the same list.
         *
         *     Needs the scope rule-sets:read and matches:read; without records:read what quotes records is left out.
         */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count what a rule set would find
         * @description Runs a rule set as it is sent over real candidates, and stores nothing but the answer. A first answer from few records comes within about a second.
         *
         *     Needs the scope rule-sets:write.
         */
        post: operations["simulateRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/simulations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulations, newest first, without their answers
         * @description Needs the scope rule-sets:read.
         */
        get: operations["listSimulations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/simulations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a simulation with its progress and the answer so far
         * @description Needs the scope rule-sets:read and records:read.
         */
        get: operations["getSimulation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/simulations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a simulation that is queued or running
         * @description Needs the scope rule-sets:write.
         */
        post: operations["cancelSimulation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Score pairs without storing anything
         * @description Pairs of raw data, pairs of stored records, or a sample of the candidates among the newest records of both datasets.
         *
         *     Needs the scope rule-sets:read, and records:read for stored records.
         */
        post: operations["previewRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rule sets, newest first
         * @description Needs the scope rule-sets:read; without records:read what quotes records is left out.
         */
        get: operations["listRuleSets"];
        put?: never;
        /**
         * Create a rule set
         * @description Every expression is parsed; with strict field validation its references must be declared fields.
         *
         *     Needs the scope rule-sets:write.
         */
        post: operations["createRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rule set
         * @description Needs the scope rule-sets:read; without records:read what quotes records is left out.
         */
        get: operations["getRuleSet"];
        put?: never;
        post?: never;
        /**
         * Delete a rule set with its matches and its links to jobs
         * @description Also answers 204 when there is no such rule set.
         *
         *     Needs the scope rule-sets:write.
         */
        delete: operations["deleteRuleSet"];
        options?: never;
        head?: never;
        /**
         * Change a rule set
         * @description Raises its version. A running job keeps its definition. A pass keeps to the rules of passes.
         *
         *     Needs the scope rule-sets:write; without records:read what quotes records is left out.
         */
        patch: operations["updateRuleSet"];
        trace?: never;
    };
    "/v1/rule-sets/{id}/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the live results of a rule set with pairs that belong together
         * @description Judges pairs, as confirmed and rejected by people, not composite matches, and stores nothing. 409 conflict without a completed job, or with more than a million kept pairs.
         *
         *     Needs the scope rule-sets:read and records:read and matches:read.
         */
        post: operations["evaluateRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rule-sets/{id}/evaluate.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the wrong and the missed pairs of a rule set as CSV
         * @description Needs the scope rule-sets:read and records:read and matches:read.
         */
        post: operations["exportEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List datasets, newest first
         * @description Needs the scope datasets:read.
         */
        get: operations["listDatasets"];
        put?: never;
        /**
         * Create a dataset
         * @description POST /v1/records also creates one when it names a dataset that does not exist.
         *
         *     Needs the scope datasets:write.
         */
        post: operations["createDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a dataset
         * @description Needs the scope datasets:read.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        /**
         * Delete a dataset with its fields and records
         * @description Refused with 409 while a rule set uses it. The matches of its records are deleted as well. With the answer, the dataset and its records can no longer be read; the records of a large dataset and their matches are removed within minutes.
         *
         *     Needs the scope datasets:write.
         */
        delete: operations["deleteDataset"];
        options?: never;
        head?: never;
        /**
         * Change a dataset
         * @description Needs the scope datasets:write.
         */
        patch: operations["updateDataset"];
        trace?: never;
    };
    "/v1/datasets/{id}/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the data of the record last created
         * @description Needs the scope datasets:read and records:read.
         */
        get: operations["getDatasetSample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far the records are normalised
         * @description After a change of fields all records are normalised again in the background. Until then they are read with their previous values.
         *
         *     Needs the scope datasets:read.
         */
        get: operations["getDatasetProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fields of a dataset in the order of their creation
         * @description Needs the scope datasets:read.
         */
        get: operations["listDatasetFields"];
        put?: never;
        /**
         * Declare a field
         * @description Its value is transform_expr over the record, else the one at sourcePath, else at key. The records of the dataset are processed again in the background.
         *
         *     Needs the scope datasets:write.
         */
        post: operations["createDatasetField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/fields/from-columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declare a field for every column of the data
         * @description A missing key is derived from the name, a missing type from the present records. A field whose key exists is updated. The records of the dataset are processed again in the background.
         *
         *     Needs the scope datasets:write.
         */
        post: operations["createDatasetFieldsFromColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/fields/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute fields over data that is sent, without storing anything
         * @description Shows what fields would make of records before they are declared or changed.
         *
         *     Needs the scope datasets:read.
         */
        post: operations["previewDatasetFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/fields/{fieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a field
         * @description The records of the dataset are processed again in the background.
         *
         *     Needs the scope datasets:write.
         */
        delete: operations["deleteDatasetField"];
        options?: never;
        head?: never;
        /**
         * Change a field
         * @description null or an empty text removes a sourcePath or a transform_expr. The records of the dataset are processed again in the background.
         *
         *     Needs the scope datasets:write.
         */
        patch: operations["updateDatasetField"];
        trace?: never;
    };
    "/v1/data-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data sources, newest first
         * @description Needs the scope datasets:read.
         */
        get: operations["listDataSources"];
        put?: never;
        /**
         * Create a data source
         * @description Needs the scope datasets:write.
         */
        post: operations["createDataSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a data source
         * @description Needs the scope datasets:read.
         */
        get: operations["getDataSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a data source, newest first
         * @description Needs the scope datasets:read; without records:read what quotes records is left out.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a file of records
         * @description CSV, TSV, XLSX, JSON, NDJSON, OFX, QIF, MT940, MT942, camt.052, camt.053 or camt.054, or a ZIP archive with one of them, at most 256 MiB. Its rows become records of the dataset in the background; its errors list the rows that cannot be read. Content that the dataset has already received adds nothing; with other reading options it replaces its earlier rows.
         *
         *     Needs the scope datasets:write; without records:read what quotes records is left out.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show how a file would be read
         * @description Takes the fields of an upload and stores nothing: the reading, the first 50 rows as their records would be, with the cells that do not fit, and the warnings. A file that cannot be read is a 400 that says why.
         *
         *     Needs the scope datasets:read.
         */
        post: operations["previewFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/{id}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file: its status and progress
         * @description Needs the scope datasets:read; without records:read what quotes records is left out.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/{id}/files/{fileId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a file that could not be used
         * @description In the order of the lines: rows that could not be read and so are not records, and rows with a value that does not fit its field, which are records of status failed.
         *
         *     Needs the scope datasets:read and records:read.
         */
        get: operations["listFileErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Needs the scope webhooks:read.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description It receives events from now on. Events, headers, retries and how to verify them: docs/how-to/webhooks.md. 413 quota_exceeded when the tenant has as many as it may.
         *
         *     Needs the scope webhooks:write.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Needs the scope webhooks:read.
         */
        get: operations["getWebhook"];
        /**
         * Replace url, secret and events of a webhook
         * @description Takes effect with the next attempt, also for deliveries that wait for a retry. The signing secret stays.
         *
         *     Needs the scope webhooks:write.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Remove a webhook
         * @description Nothing more is sent to it. Waiting deliveries are cancelled; all deliveries remain readable.
         *
         *     Needs the scope webhooks:write.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook another signing secret
         * @description From the next attempt on, deliveries are signed with both until the overlap ends, then with the new one. A rotation during an overlap ends that.
         *
         *     Needs the scope webhooks:write.
         */
        post: operations["rotateWebhookSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Also lists those of a removed webhook.
         *
         *     Needs the scope webhooks:read.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with the log of its attempts
         * @description Needs the scope webhooks:read.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery once, now
         * @description In any state, also delivered or abandoned. Success ends the delivery; failure changes neither it nor its schedule. 409 conflict while an attempt is running.
         *
         *     Needs the scope webhooks:write.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends WEBHOOK_TEST, whichever events the webhook subscribes to. It is delivered and retried like any other event.
         *
         *     Needs the scope webhooks:write.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the institutions that can be connected, with what the login of each needs
         * @description Needs the scope items:read.
         */
        get: operations["listConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List items, newest first
         * @description Needs the scope items:read.
         */
        get: operations["listItems"];
        put?: never;
        /**
         * Connect to an institution
         * @description The login and the first sync follow in the background; webhooks report each step. Lifecycle and events: docs/reference/items.md.
         *
         *     Needs the scope items:write.
         */
        post: operations["createItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an item
         * @description Needs the scope items:read.
         */
        get: operations["getItem"];
        put?: never;
        post?: never;
        /**
         * Remove an item
         * @description Ends a running sync and the consent at the provider. Records made of its transactions remain. Also 204 for an unknown id.
         *
         *     Needs the scope items:write.
         */
        delete: operations["deleteItem"];
        options?: never;
        head?: never;
        /**
         * Sync an item now, or log in again
         * @description Refused with item_busy while a run is under way or waits for the user.
         *
         *     Needs the scope items:write.
         */
        patch: operations["updateItem"];
        trace?: never;
    };
    "/v1/items/{id}/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what an item asks its user for
         * @description Refused with item_busy unless the item is WAITING_USER_INPUT or WAITING_USER_ACTION.
         *
         *     Needs the scope items:write.
         */
        post: operations["answerItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{id}/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import the transactions of an item into a dataset
         * @description The present transactions and those of each later sync become records, with the id of the transaction as external id. Calling it again for the same dataset replaces its accounts.
         *
         *     Needs the scope items:write.
         */
        post: operations["ingestItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{id}/ingests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the imports of an item into datasets, newest first
         * @description Needs the scope items:read.
         */
        get: operations["listItemIngests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{id}/ingests/{ingestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the import of an item into a dataset
         * @description The records remain.
         *
         *     Needs the scope items:write.
         */
        delete: operations["deleteItemIngest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/credit-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credit cards of an item
         * @description Needs the scope browse:read.
         */
        get: operations["browseCreditCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/credit-card-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of a credit card, newest first
         * @description Each installment is a transaction. Pages requested within a minute belong to the same list, unless a sync has changed it.
         *
         *     Needs the scope browse:read.
         */
        get: operations["browseCreditCardTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts of an item, credit cards included
         * @description Needs the scope browse:read.
         */
        get: operations["browseAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/account-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of an account, newest first
         * @description Pages requested within a minute belong to the same list, unless a sync has changed it.
         *
         *     Needs the scope browse:read.
         */
        get: operations["browseAccountTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/investments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Investments of an item
         * @description Needs the scope browse:read.
         */
        get: operations["browseInvestments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/openfinance/browse/investment-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All transactions of an investment, newest first
         * @description Needs the scope browse:read.
         */
        get: operations["browseInvestmentTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read usage and what is billed
         * @description What is billed is booked when a job completes and never changes. Records, matches and composites are counted as they are now. All numbers are of one moment.
         *
         *     Needs the scope billing:read.
         */
        get: operations["getBillingUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compute the hashes of the whole chain again
         * @description Compare the head with one that you kept: a chain that was rewritten as a whole has another one.
         *
         *     Needs the scope audit:read.
         */
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export what people and jobs did as CSV, oldest first
         * @description All entries of the filters, streamed. Cells are those of the export of records; changes are JSON.
         *
         *     Needs the scope audit:read and records:read.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what people and jobs did, newest first
         * @description Needs the scope audit:read; without records:read what quotes records is left out.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/data-sources/core/setup-reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up automatic reconciliation for a company
         * @description Creates what is missing: the internal data source of a company and the datasets core_invoices and core_accounting_entries, with fields for invoices and accounting entries. A dataset of such a name with fields of its own is left unchanged; one without fields gets them. Calling it again changes nothing.
         *
         *     Needs the platform key.
         */
        post: operations["setUpReconciliation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/setup/core": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up the core data of a company
         * @description Creates what is missing: the internal data source of a company and the datasets core_invoices and core_accounting_entries, with fields for invoices and accounting entries. A dataset of such a name with fields of its own is left unchanged; one without fields gets them. Calling it again changes nothing.
         *
         *     Needs the platform key.
         */
        post: operations["setUpCore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Needs the scope keys:read.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description No key creates one that may do more than itself: its scopes, expiresAt and allowedCidrs limit those of the new key.
         *
         *     Needs the scope keys:write.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key
         * @description Needs the scope keys:read.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working within a second and remains readable with active false. Revoking it again changes nothing. A key with scopes cannot revoke one with scopes that it lacks.
         *
         *     Needs the scope keys:write.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key another secret
         * @description The present secret is accepted for overlapSeconds more, an older one no longer. Id, scopes and limits stay. No key rotates one that may do more than itself; 409 conflict for a key that is not active.
         *
         *     Needs the scope keys:write.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, newest first
         * @description Needs the scope users:read.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Invite a person
         * @description Send the person invitation.url: it is shown once, and nothing is mailed. No caller gives a role that may do more than itself, and no key does that expires or works from some addresses only.
         *
         *     Needs the scope users:write.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation: set the password and sign in
         * @description It can be accepted once. A password has 12 to 256 characters, 5 of them different; it is not made of the email, and not one that is guessed first. Other sessions of the user end.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Needs the scope users:read.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description The sessions of the user end at once; the audit keeps what the user did.
         *
         *     Needs the scope users:write.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Rename a user, change the role, or take or give back the access
         * @description A role holds for running sessions at once; with active false they end at once. Nobody changes their own role or activity (409), nor those of a user who may do more (403).
         *
         *     Needs the scope users:write.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/users/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user again, such as one who forgot the password
         * @description An earlier invitation is void. Password and sessions stay until this one is accepted.
         *
         *     Needs the scope users:write.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own sessions, the last used first
         * @description Needs no scope.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Sign in
         * @description Begins the session of a user, or of an API key, which may do what the key may. It ends 12 hours after its last request, 30 days after its first. Requests with its cookie must come from a page of the same origin; one that changes something needs csrf_token in the header x-tieout-csrf.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people sign in here */
        get: operations["listSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in as the person whom the identity provider has named
         * @description The console sends this request after a sign-in at the identity provider, which has set a cookie with the verified email. 404 user_not_found: no user was invited with that email.
         */
        post: operations["signInByProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description Needs no scope.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your own sessions
         * @description Needs no scope.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who sends this request, and what they may do
         * @description Needs no scope.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password
         * @description Your other sessions end. The rules of passwords are those of POST /v1/users/accept.
         *
         *     Needs no scope.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants, newest first
         * @description Needs the platform key.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Create a tenant
         * @description Create its first key with POST /v1/api-keys, the platform key and the header x-tenant-id.
         *
         *     Needs the platform key.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tenant, what it uses and its limits
         * @description Needs the platform key.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        /**
         * Delete a tenant and erase everything that it has
         * @description Its keys stop working within a second. Then all of its data is erased, bills included: GET shows how far that is, and answers 404 once it is done. Repeating the call changes nothing; 204 says that there is no such tenant. It cannot be undone.
         *
         *     Needs the platform key.
         */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        /**
         * Rename, suspend or resume a tenant, or change its limits
         * @description A suspended tenant is refused with 403 tenant_suspended within a second; the platform key may still read its data, revoke and rotate its keys and delete its webhooks. Its work waits, nothing of it is lost, and it goes on within two minutes once the tenant is active. A limit may be lower than what is used: then nothing is added.
         *
         *     Needs the platform key.
         */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the API can do its work */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description of the API */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        RequestFault: {
            /** @description JSON pointer into the body; /query/…, /path/… and /headers/… for the rest of the request */
            path: string;
            code: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        Error: {
            /** @constant */
            status: "error";
            /** @enum {string} */
            code: "validation_error" | "malformed_json" | "tenant_required" | "webhook_url_not_allowed" | "base_url_not_allowed" | "provider_rejected" | "missing_api_key" | "invalid_api_key" | "invalid_session" | "invalid_credentials" | "insufficient_scope" | "address_not_allowed" | "cross_site_request" | "tenant_suspended" | "tenant_not_found" | "api_key_not_found" | "user_not_found" | "session_not_found" | "invitation_not_valid" | "data_source_not_found" | "data_source_file_not_found" | "dataset_not_found" | "dataset_field_not_found" | "record_not_found" | "rule_set_not_found" | "matching_job_not_found" | "suggestion_not_found" | "simulation_not_found" | "match_not_found" | "composite_match_not_found" | "reconciliation_not_found" | "match_group_not_found" | "agent_proposal_not_found" | "certificate_not_found" | "reason_code_not_found" | "webhook_not_found" | "webhook_delivery_not_found" | "item_not_found" | "item_ingest_not_found" | "account_not_found" | "investment_not_found" | "provider_resource_not_found" | "route_not_found" | "job_not_running" | "conflict" | "reconciliation_in_use" | "rule_set_is_a_pass" | "record_held" | "record_excluded" | "approval_pending" | "period_open" | "period_closed" | "period_locked" | "item_busy" | "item_not_ready" | "idempotency_key_in_use" | "idempotency_key_reused" | "body_too_large" | "quota_exceeded" | "unsupported_media_type" | "not_balanced" | "mixed_currencies" | "evaluation_timeout" | "expression_memory" | "rate_limited" | "too_many_jobs" | "internal_error" | "provider_auth_failed" | "provider_bad_response" | "service_unavailable" | "tenant_moving" | "provider_unavailable" | "provider_rate_limited" | "provider_timeout";
            message: string;
            request_id: string;
            errors?: components["schemas"]["RequestFault"][];
        };
        /**
         * @example {
         *       "externalId": "INV-1001",
         *       "body": {
         *         "amount": "1250.00",
         *         "paidAt": "2026-03-02",
         *         "customer": {
         *           "name": "Acme"
         *         }
         *       }
         *     }
         */
        CreateRecordRequest: {
            /** @description Identifies the record in its dataset: sending it again replaces the data */
            externalId?: string;
            /** @description The record itself, in the tenant's own form */
            body: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "id": "01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d",
         *       "status": "received"
         *     }
         */
        CreateRecordAnswer: {
            /** Format: uuid */
            id: string;
            /**
             * @description received until it is processed, then ready or failed
             * @enum {string}
             */
            status: "received" | "ready" | "failed";
        };
        RejectedLine: {
            /**
             * Format: int64
             * @description Line of the body, or position in the array, counted from 1
             */
            line: number;
            code: string;
            message: string;
        };
        /**
         * @example {
         *       "accepted": 2,
         *       "rejected": 1,
         *       "errors": [
         *         {
         *           "line": 3,
         *           "code": "malformed_json",
         *           "message": "is not valid JSON"
         *         }
         *       ]
         *     }
         */
        CreateRecordsAnswer: {
            /** Format: int64 */
            accepted: number;
            /** Format: int64 */
            rejected: number;
            /** @description The first 1000 rejected lines */
            errors: components["schemas"]["RejectedLine"][];
        };
        FilterValue: string | number | boolean;
        ExportRecordsRequestFilters: {
            /** @description Name of the dataset */
            dataset: string;
            /** @description Only the record with this external id */
            externalId?: string;
            /**
             * @description received until it is processed, then ready or failed
             * @enum {string}
             */
            status?: "received" | "ready" | "failed";
            /** @description Created at this instant or later; RFC 3339 or YYYY-MM-DD, UTC without a zone */
            createdFrom?: string;
            /** @description Created before this instant; RFC 3339 or YYYY-MM-DD, UTC without a zone */
            createdTo?: string;
            /** @description Values by field key, like field.<key> of the list */
            fields?: {
                [key: string]: components["schemas"]["FilterValue"];
            };
        };
        /**
         * @example {
         *       "fields": [
         *         "amount",
         *         "customer.name"
         *       ],
         *       "filters": {
         *         "dataset": "transactions",
         *         "status": "ready"
         *       }
         *     }
         */
        ExportRecordsRequest: {
            /** @description Columns: keys of the data, or dotted paths into it */
            fields: string[];
            filters: components["schemas"]["ExportRecordsRequestFilters"];
        };
        RecordError: {
            /** @description Key of the field */
            field: string;
            /** @description The value found; a long one is cut */
            value: unknown;
            code: string;
            message: string;
        };
        /**
         * @example {
         *       "id": "01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d",
         *       "dataset_name": "transactions",
         *       "external_id": "INV-1001",
         *       "data": {
         *         "amount": "1250.00",
         *         "paidAt": "2026-03-02",
         *         "customer": {
         *           "name": "Acme"
         *         }
         *       },
         *       "created_at": "2026-03-02T10:15:30.123Z",
         *       "status": "ready",
         *       "fields": {
         *         "amount": 1250,
         *         "paid_at": "2026-03-02"
         *       },
         *       "error": null
         *     }
         */
        Record: {
            /** Format: uuid */
            id: string;
            dataset_name: string;
            /** @description null: the record has no identity of its own */
            external_id: string | null;
            /** @description As it was sent */
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /**
             * @description received until it is processed, then ready or failed
             * @enum {string}
             */
            status: "received" | "ready" | "failed";
            /** @description Normalised values by field key; null until the record is ready */
            fields: {
                [key: string]: unknown;
            } | null;
            /** @description Why a failed record could not be normalised */
            error: components["schemas"]["RecordError"] | null;
        };
        ListRecordsAnswer: {
            items: components["schemas"]["Record"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Absent until somebody has reviewed it */
        MatchReview: {
            /** @enum {string} */
            status: "confirmed" | "rejected";
            note: string | null;
            /** Format: date-time */
            reviewed_at: string;
            /**
             * Format: uuid
             * @description null: a user, or the platform key
             */
            api_key_id: string | null;
            /**
             * Format: uuid
             * @description null: a key
             */
            user_id: string | null;
        };
        RecordVersion: {
            /** Format: int64 */
            revision: number;
            values: {
                [key: string]: unknown;
            };
        };
        ChangedVersion: {
            /** Format: uuid */
            record_id: string;
            /** @enum {string} */
            side: "left" | "right";
            confirmed: components["schemas"]["RecordVersion"];
            current: components["schemas"]["RecordVersion"];
        };
        Match: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            left_record_id: string;
            /** Format: uuid */
            right_record_id: string;
            /** Format: uuid */
            rule_set_id: string;
            /**
             * Format: double
             * @description On the scale of the rule set: 0..1 or 0..100
             */
            score: number;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /** @description Every matcher with its value and contribution, the thresholds, the differences. Absent without the scope records:read */
            explanation?: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            matching_job_id: string;
            /** Format: date-time */
            created_at: string;
            review?: components["schemas"]["MatchReview"];
            /** @description Of a confirmed one: whether its records have changed since */
            stale?: boolean;
            /** @description Of a stale match: the changed records, confirmed and current. Absent without the scope records:read */
            versions?: components["schemas"]["ChangedVersion"][];
        };
        ListMatchesAnswer: {
            items: components["schemas"]["Match"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        ReviewMatchesRequestFilter: {
            /** Format: uuid */
            matchingJobId?: string;
            /** Format: uuid */
            ruleSetId?: string;
            /** @enum {string} */
            decision?: "MATCH" | "POSSIBLE";
            /** Format: uuid */
            recordId?: string;
            /** Format: double */
            minScore?: number;
        };
        ReviewMatchesRequest: {
            ids?: string[];
            filter?: components["schemas"]["ReviewMatchesRequestFilter"];
            /**
             * @description withdraw: as if it had never been reviewed
             * @enum {string}
             */
            action: "confirm" | "reject" | "withdraw";
            note?: string;
            /** @description true: another review is not replaced, but 409 conflict names its reviewer */
            unlessReviewed?: boolean;
        };
        BulkFailure: {
            /** Format: uuid */
            id: string;
            code: string;
            message: string;
        };
        BulkOutcome: {
            /** Format: int64 */
            done: number;
            failed: components["schemas"]["BulkFailure"][];
        };
        /**
         * @example {
         *       "action": "confirm",
         *       "note": "checked against the statement"
         *     }
         */
        ReviewMatchRequest: {
            /**
             * @description withdraw: as if it had never been reviewed
             * @enum {string}
             */
            action: "confirm" | "reject" | "withdraw";
            note?: string;
            /** @description true: another review is not replaced, but 409 conflict names its reviewer */
            unlessReviewed?: boolean;
        };
        /** @description Absent until it is reviewed */
        Review: {
            /** @enum {string} */
            status: "confirmed" | "rejected";
            note: string | null;
            /** Format: date-time */
            reviewedAt: string;
            /**
             * Format: uuid
             * @description null: a user, or the platform key
             */
            apiKeyId: string | null;
            /**
             * Format: uuid
             * @description null: a key
             */
            userId: string | null;
        };
        ChangedMemberVersion: {
            /** Format: uuid */
            recordId: string;
            /** @enum {string} */
            side: "left" | "right";
            confirmed: components["schemas"]["RecordVersion"];
            current: components["schemas"]["RecordVersion"];
        };
        CompositeMatch: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ruleSetId: string;
            /** Format: uuid */
            matchingJobId: string;
            /**
             * @description one_to_many: the target is a left record, the members are right ones
             * @enum {string}
             */
            direction: "one_to_many" | "many_to_one";
            /**
             * @description COMPLETE: the members add up to the target, within the tolerance
             * @enum {string}
             */
            status: "COMPLETE" | "PARTIAL";
            /**
             * Format: int64
             * @description The number of installments, the size of the whole group, else the number of members
             */
            expectedMemberCount: number;
            /**
             * Format: double
             * @description On the scale of the rule set: 0..1 or 0..100
             */
            score: number;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /**
             * Format: double
             * @description Absent without the scope records:read
             */
            targetAmount?: number;
            /**
             * Format: double
             * @description The sum of the members. Absent without the scope records:read
             */
            composedAmount?: number;
            /**
             * Format: double
             * @description composedAmount − targetAmount. Absent without the scope records:read
             */
            amountDelta?: number;
            /** @description What was found and how: the kind of group, the search, the dates, the thresholds. Absent without the scope records:read */
            explanation?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            review?: components["schemas"]["Review"];
            /** @description Of a confirmed one: whether its records have changed since */
            stale?: boolean;
            /** @description Of a stale one: the changed records, confirmed and current. Absent without the scope records:read */
            versions?: components["schemas"]["ChangedMemberVersion"][];
        };
        ListCompositeMatchesAnswer: {
            items: components["schemas"]["CompositeMatch"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            nextCursor: string | null;
        };
        CompositeMatchDetailMember: {
            /** Format: uuid */
            recordId: string;
            /**
             * Format: double
             * @description Absent without the scope records:read
             */
            amount?: number;
            /**
             * Format: date
             * @description Absent without the scope records:read
             */
            date?: string | null;
        };
        CompositeMatchDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ruleSetId: string;
            /** Format: uuid */
            matchingJobId: string;
            /**
             * @description one_to_many: the target is a left record, the members are right ones
             * @enum {string}
             */
            direction: "one_to_many" | "many_to_one";
            /**
             * @description COMPLETE: the members add up to the target, within the tolerance
             * @enum {string}
             */
            status: "COMPLETE" | "PARTIAL";
            /**
             * Format: int64
             * @description The number of installments, the size of the whole group, else the number of members
             */
            expectedMemberCount: number;
            /**
             * Format: double
             * @description On the scale of the rule set: 0..1 or 0..100
             */
            score: number;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /**
             * Format: double
             * @description Absent without the scope records:read
             */
            targetAmount?: number;
            /**
             * Format: double
             * @description The sum of the members. Absent without the scope records:read
             */
            composedAmount?: number;
            /**
             * Format: double
             * @description composedAmount − targetAmount. Absent without the scope records:read
             */
            amountDelta?: number;
            /** @description What was found and how: the kind of group, the search, the dates, the thresholds. Absent without the scope records:read */
            explanation?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            review?: components["schemas"]["Review"];
            /** @description Of a confirmed one: whether its records have changed since */
            stale?: boolean;
            /** @description Of a stale one: the changed records, confirmed and current. Absent without the scope records:read */
            versions?: components["schemas"]["ChangedMemberVersion"][];
            /** Format: uuid */
            targetRecordId: string;
            /** @description By date, then id; installments by their numbers */
            members: components["schemas"]["CompositeMatchDetailMember"][];
        };
        /**
         * @example {
         *       "action": "confirm",
         *       "note": "checked against the statement"
         *     }
         */
        ReviewCompositeMatchRequest: {
            /**
             * @description withdraw: as if it had never been reviewed
             * @enum {string}
             */
            action: "confirm" | "reject" | "withdraw";
            note?: string;
            /** @description true: another review is not replaced, but 409 conflict names its reviewer */
            unlessReviewed?: boolean;
        };
        /**
         * @example {
         *       "dataset": "invoices"
         *     }
         */
        StartMatchingJobRequest: {
            /** @description Name of the left dataset */
            dataset?: string;
            /**
             * Format: uuid
             * @description Or its id
             */
            datasetId?: string;
            /** @description Or several names: one job each */
            datasets?: string[];
            /** @description Default: every rule set whose left dataset it is */
            ruleSetIds?: string[];
        };
        Failure: {
            code: string;
            message: string;
        };
        /** @description Pairs, and composite matches under COMPOSITE_. NO_MATCH and ERROR are counted and not stored */
        DecisionCounts: {
            /** Format: int64 */
            MATCH: number;
            /** Format: int64 */
            POSSIBLE: number;
            /** Format: int64 */
            NO_MATCH: number;
            /** Format: int64 */
            ERROR: number;
            /** Format: int64 */
            COMPOSITE_MATCH: number;
            /** Format: int64 */
            COMPOSITE_POSSIBLE: number;
        };
        UnblockedOfSide: {
            /** Format: int64 */
            count: number;
            reasons: {
                [key: string]: number;
            };
        };
        /** @description Records that blocking could not place, by reason */
        Unblocked: {
            left: components["schemas"]["UnblockedOfSide"];
            right: components["schemas"]["UnblockedOfSide"];
        };
        PairError: {
            /** Format: uuid */
            left_record_id: string | null;
            /** Format: uuid */
            right_record_id: string | null;
            code: string;
            /** @description It may quote values. Absent without the scope records:read */
            message?: string;
            /** @description Id of the expression that failed: `jsonataExpr`, a matcher id, `filters/0` …; missing where none did */
            expression?: string;
        };
        ResultWarning: {
            code: string;
            /** @description It may quote the first error. Absent without the scope records:read */
            message?: string;
        };
        /** @description Work by phase, summed over all workers */
        Timings: {
            /** Format: int64 */
            read_ms: number;
            /** Format: int64 */
            block_ms: number;
            /** Format: int64 */
            score_ms: number;
            /** Format: int64 */
            write_ms: number;
            /** Format: int64 */
            finish_ms: number;
        };
        MatchingJobRuleSetComposition: {
            /**
             * Format: int64
             * @description Records for which groups are searched
             */
            targets: number;
            /**
             * Format: int64
             * @description Targets whose search reached its limit and found nothing; the first are among the errors as composition_search_ended
             */
            search_ended: number;
            /**
             * Format: int64
             * @description Records whose amount is too large to be composed; the first are among the errors as amount_out_of_range
             */
            amounts_out_of_range: number;
            /**
             * Format: int64
             * @description Records that state a plan of more than 480 installments, which counts as none; the first are among the errors as plan_too_long
             */
            plans_too_long: number;
            /**
             * Format: int64
             * @description Evaluations of filters and evidence for a target and a member that failed
             */
            failed_evaluations: number;
        };
        MatchingJobRuleSet: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            rule_set_id: string;
            rule_set_name: string;
            /** Format: int64 */
            rule_set_version: number;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: int64
             * @description Pairs that blocking let through
             */
            candidates_count: number;
            /** Format: int64 */
            pairs_total: number;
            /** Format: int64 */
            pairs_processed: number;
            decision_counts: components["schemas"]["DecisionCounts"];
            /**
             * Format: int64
             * @description Pairs beyond maxPossiblePerRecord, once completed; they count as NO_MATCH
             */
            possible_cut: number;
            unblocked: components["schemas"]["Unblocked"];
            /** @description null for a rule set that composes nothing */
            composition: components["schemas"]["MatchingJobRuleSetComposition"] | null;
            /** @description The first 20 */
            errors: components["schemas"]["PairError"][];
            /** @description What is worth checking, and what to do about it */
            warnings: components["schemas"]["ResultWarning"][];
            /** @description By expression id (`jsonataExpr`, matcher ids, `filters/0` …): how it runs. Empty until the job is planned */
            expressions: {
                [key: string]: "compiled" | "reference";
            };
            timings: components["schemas"]["Timings"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the matches and composites of this rule set, reviewed ones apart, were deleted because a later job had replaced them
             */
            results_expired_at: string | null;
        };
        MatchingJobChanges: {
            /**
             * Format: int64
             * @description Groups that stay as they are
             */
            kept: number;
            /**
             * Format: int64
             * @description Groups whose records the run ties differently
             */
            changed: number;
            /**
             * Format: int64
             * @description Groups of records that were open
             */
            new: number;
            /**
             * Format: int64
             * @description Groups of which the run ties no record
             */
            lost: number;
        };
        MatchingJob: {
            /** Format: uuid */
            id: string;
            /** @description The left dataset */
            dataset_name: string;
            /**
             * Format: uuid
             * @description Shared by the jobs of one request
             */
            job_group_id: string;
            /** Format: int64 */
            batches_expected: number;
            /** Format: int64 */
            batches_completed: number;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: int64
             * @description Left and right records read
             */
            records_total: number;
            /**
             * Format: int64
             * @description Records left out because they could not be normalised
             */
            failed_records: number;
            /**
             * Format: int64
             * @description Records left out because they were not normalised in time
             */
            pending_records: number;
            /** Format: int64 */
            rule_sets_total: number;
            /** Format: int64 */
            pairs_total: number;
            /** Format: int64 */
            pairs_processed: number;
            decision_counts: components["schemas"]["DecisionCounts"];
            /**
             * Format: int64
             * @description Pairs beyond maxPossiblePerRecord, once completed; they count as NO_MATCH
             */
            possible_cut: number;
            /** Format: uuid */
            current_rule_set_id: string | null;
            current_rule_set_name: string | null;
            unblocked: components["schemas"]["Unblocked"];
            /** @description The first 20 */
            errors: components["schemas"]["PairError"][];
            /** @description What is worth checking, and what to do about it */
            warnings: components["schemas"]["ResultWarning"][];
            timings: components["schemas"]["Timings"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            rule_sets: components["schemas"]["MatchingJobRuleSet"][];
            /**
             * Format: double
             * @description Mean score of the stored matches, to ten decimals
             */
            average_score: number | null;
            /**
             * Format: uuid
             * @description Of a run of a reconciliation; so are mode and trigger
             */
            reconciliation_id?: string;
            mode?: string;
            /** @description manual, schedule or arrival */
            trigger?: string;
            dry_run?: boolean;
            /** @description Of a full or dry run, once it is completed */
            changes?: components["schemas"]["MatchingJobChanges"] | null;
        };
        MatchingJobGroup: {
            /** Format: uuid */
            job_group_id: string;
            items: components["schemas"]["MatchingJob"][];
        };
        StartMatchingJobAnswer: components["schemas"]["MatchingJob"] | components["schemas"]["MatchingJobGroup"];
        ListMatchingJobsAnswer: {
            items: components["schemas"]["MatchingJob"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        CancelMatchingJobAnswer: {
            /** @constant */
            status: "cancelled";
            /** Format: uuid */
            id: string;
        };
        UndoMatchingJobRequest: {
            /** @description Default other; needed with force */
            reasonCode?: string;
            note?: string;
            allowAgain?: boolean;
            /** @description Releases groups of closed months too, which open again for the reason given */
            force?: boolean;
        };
        BestPossible: {
            /** Format: uuid */
            match_id: string;
            /** Format: uuid */
            record_id: string;
            /** Format: double */
            score: number;
        };
        BestPossibleComposite: {
            /** Format: uuid */
            composite_match_id: string;
            /** Format: double */
            score: number;
        };
        LackingMatcher: {
            id: string;
            name: string;
            /** Format: double */
            value: number;
            /** Format: double */
            weight: number;
            required: boolean;
            /**
             * Format: double
             * @description By how much the score would be higher with a value of 1
             */
            lost: number;
        };
        UnmatchedRecordNearest: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            /** Format: uuid */
            rule_set_id: string;
            /**
             * Format: double
             * @description 0 where a filter, a window, a tolerance or a required matcher refuses it
             */
            score: number;
            /** @description Matchers that did not agree fully, what cost most first. Null where the score comes from no matchers, or a filter, a window, a tolerance or jsonataExpr refused the pair before */
            lacks: components["schemas"]["LackingMatcher"][] | null;
        };
        UnmatchedRecord: {
            record: components["schemas"]["Record"];
            /**
             * @description held: what it would match is confirmed elsewhere; rejected: what it would match was rejected
             * @enum {string}
             */
            reason: "ambiguous" | "possible_only" | "below_threshold" | "no_candidate" | "unblocked" | "filtered" | "failed" | "held" | "rejected";
            best_possible: components["schemas"]["BestPossible"] | null;
            /** @description It names the record as target or member */
            best_possible_composite: components["schemas"]["BestPossibleComposite"] | null;
            /** @description For below_threshold: the best candidate, which is below Tpossible, as the job saw it. Null where that record was deleted, and where slow expressions left no time to look for it */
            nearest: components["schemas"]["UnmatchedRecordNearest"] | null;
            /**
             * Format: double
             * @description What confirmed composites leave of its amount; null where they hold no part of it
             */
            remaining_amount: number | null;
        };
        ListUnmatchedRecordsAnswer: {
            items: components["schemas"]["UnmatchedRecord"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        ClusterRecord: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
        };
        ClusterWeakestLink: {
            /** Format: uuid */
            match_id: string;
            /** Format: uuid */
            left_record_id: string;
            /** Format: uuid */
            right_record_id: string;
            /** Format: double */
            score: number;
            review: ("confirmed" | "rejected") | null;
        };
        Cluster: {
            /** Format: uuid */
            rule_set_id: string;
            /** Format: int64 */
            records_total: number;
            /** @description The first 100 by id */
            records: components["schemas"]["ClusterRecord"][];
            /** @description The match without which the cluster falls into two at the highest score; null once the match is deleted */
            weakest_link: components["schemas"]["ClusterWeakestLink"] | null;
        };
        ListClustersAnswer: {
            items: components["schemas"]["Cluster"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /** @description A number; a text of digits where a number would not be exact */
        Amount: number | string;
        MatchGroupMemberCurrent: {
            /** Format: int64 */
            revision: number | null;
            amount: components["schemas"]["Amount"] | null;
            /** Format: date */
            date: string | null;
            currency: string | null;
            deleted: boolean;
        };
        MatchGroupMember: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            /** Format: int64 */
            revision: number;
            amount: components["schemas"]["Amount"] | null;
            /** Format: date */
            date: string | null;
            /** @description The record today, where amount, date or currency differ from what a stale group holds */
            current: components["schemas"]["MatchGroupMemberCurrent"] | null;
            /** @description With records=true: data overlaid with the normalised fields; null: deleted, or not read */
            record?: {
                [key: string]: unknown;
            } | null;
        };
        Adjustment: {
            amount: components["schemas"]["Amount"];
            reason_code: string;
            note: string | null;
        };
        Actor: {
            /** @enum {string} */
            type: "user" | "key" | "agent" | "job" | "operator";
            id: string | null;
            label: string | null;
        };
        MatchGroupApproval: {
            /** @enum {string} */
            status: "pending" | "approved" | "rejected";
            /** Format: date-time */
            decided_at: string | null;
            decided_by: components["schemas"]["Actor"] | null;
            note: string | null;
        };
        Warning: {
            code: string;
            message: string;
        };
        MatchGroup: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            reconciliation_id: string;
            /**
             * @description pending: held, and waiting for the approval of another person
             * @enum {string}
             */
            status: "held" | "pending" | "released";
            /**
             * @description Made by a run, by confirming what a run found, or by hand
             * @enum {string}
             */
            origin: "auto" | "confirmed" | "manual";
            /** @enum {string} */
            kind: "pair" | "composite" | "manual";
            left: components["schemas"]["MatchGroupMember"][];
            right: components["schemas"]["MatchGroupMember"][];
            left_amount: components["schemas"]["Amount"] | null;
            right_amount: components["schemas"]["Amount"] | null;
            difference: components["schemas"]["Amount"] | null;
            currency: string | null;
            adjustments: components["schemas"]["Adjustment"][];
            /** Format: uuid */
            match_id: string | null;
            /** Format: uuid */
            composite_match_id: string | null;
            /** Format: uuid */
            matching_job_id: string | null;
            /** Format: uuid */
            rule_set_id: string | null;
            rule_set_name: string | null;
            /** Format: int64 */
            rule_set_version: number | null;
            /** Format: double */
            score: number | null;
            explanation: {
                [key: string]: unknown;
            } | null;
            /** @description YYYY-MM */
            period: string | null;
            note: string | null;
            /** @description A record has changed since */
            stale: boolean;
            /** @description Counts in a later month than its records: theirs was closed when it was tied */
            late: boolean;
            /** @description null: it needs none */
            approval: components["schemas"]["MatchGroupApproval"] | null;
            /** Format: date-time */
            held_at: string;
            held_by: components["schemas"]["Actor"];
            /** Format: date-time */
            confirmed_at: string | null;
            /** @description The person who confirmed what a run holds; null where there is none */
            confirmed_by: components["schemas"]["Actor"] | null;
            /** Format: date-time */
            released_at: string | null;
            released_by: components["schemas"]["Actor"] | null;
            release_reason: string | null;
            release_note: string | null;
            /** @description Amounts and dates that cannot be read, changes that are not settled, and what to do about them */
            warnings: components["schemas"]["Warning"][];
        };
        GroupTieMember: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            amount: components["schemas"]["Amount"] | null;
        };
        GroupTie: {
            /** @enum {string} */
            kind: "pair" | "composite";
            /** Format: uuid */
            rule_set_id: string;
            /** Format: double */
            score: number;
            left: components["schemas"]["GroupTieMember"][];
            right: components["schemas"]["GroupTieMember"][];
        };
        RunChange: {
            /** @enum {string} */
            kind: "kept" | "changed" | "new" | "lost";
            /** @description The group that stood; null for what is new */
            today: components["schemas"]["MatchGroup"] | null;
            /** @description What the run ties of its records instead */
            would: components["schemas"]["GroupTie"][];
        };
        ListRunChangesAnswer: {
            items: components["schemas"]["RunChange"][];
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        PartOfRecord: {
            /** Format: uuid */
            recordId: string;
            /** @description Part of the record; default: all that remains */
            amount?: components["schemas"]["Amount"];
        };
        GroupedRecord: string | components["schemas"]["PartOfRecord"];
        NewAdjustment: {
            /** @description Signed; left less right and adjustments is 0 */
            amount: components["schemas"]["Amount"];
            /** @description GET /v1/reason-codes lists them */
            reasonCode: string;
            note?: string;
        };
        CreateMatchGroupRequest: {
            /** Format: uuid */
            reconciliationId: string;
            /** @description Records of the left side */
            left: components["schemas"]["GroupedRecord"][];
            /** @description Records of the right side */
            right: components["schemas"]["GroupedRecord"][];
            adjustments?: components["schemas"]["NewAdjustment"][];
            note?: string;
        };
        ListMatchGroupsAnswer: {
            items: components["schemas"]["MatchGroup"][];
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        ReleaseMatchGroupsRequestFilter: {
            /** Format: uuid */
            reconciliationId?: string;
            /** @enum {string} */
            status?: "held" | "pending" | "released";
            /** @enum {string} */
            origin?: "auto" | "confirmed" | "manual";
            /** Format: uuid */
            recordId?: string;
            /** Format: uuid */
            jobId?: string;
            /** @description YYYY-MM */
            period?: string;
            /** @description Of this month and those before */
            periodTo?: string;
            stale?: boolean;
            /** @description true: those that are late; false: without them */
            late?: boolean;
            /** @description false: those that hold their records, pending ones included */
            released?: boolean;
            /**
             * Format: date-time
             * @description Those that held their records then, whatever has become of them
             */
            asOf?: string;
            /**
             * Format: date
             * @description With a record that is dated up to this day, or without a date
             */
            upTo?: string;
            /** @description Empty: those without a currency */
            currency?: string;
            /**
             * Format: double
             * @description Of the left side, without its sign
             */
            minAmount?: number;
            /** Format: double */
            maxAmount?: number;
            /**
             * Format: date-time
             * @description Held since
             */
            from?: string;
            /**
             * Format: date-time
             * @description Held before
             */
            to?: string;
        };
        ReleaseMatchGroupsRequest: {
            ids?: string[];
            filter?: components["schemas"]["ReleaseMatchGroupsRequestFilter"];
            /** @description GET /v1/reason-codes lists them */
            reasonCode: string;
            note?: string;
            /** @description A run may tie the same records again; default false: none does by the same rules */
            allowAgain?: boolean;
            /** @description Releases groups of closed months too, which open again */
            force?: boolean;
        };
        ReleaseMatchGroupRequest: {
            /** @description GET /v1/reason-codes lists them */
            reasonCode: string;
            note?: string;
            /** @description A run may tie the same records again; default false: none does by the same rules */
            allowAgain?: boolean;
            /** @description Releases groups of closed months too, which open again */
            force?: boolean;
        };
        ApproveMatchGroupRequest: {
            note?: string;
        };
        RejectMatchGroupRequest: {
            /** @description GET /v1/reason-codes lists them */
            reasonCode: string;
            note?: string;
        };
        RunTriggersSchedule: {
            /** @description Five fields, such as 0 6 * * 1-5 */
            cron: string;
            /** @description Default UTC */
            timezone?: string;
        };
        RunTriggersOnArrival: {
            /**
             * Format: int32
             * @description After the last record; default 60
             */
            quietSeconds?: number;
            /**
             * Format: int32
             * @description After the first record; default 900
             */
            maxWaitSeconds?: number;
        };
        RunTriggers: {
            schedule?: components["schemas"]["RunTriggersSchedule"];
            onArrival?: components["schemas"]["RunTriggersOnArrival"];
        };
        CreateReconciliationRequest: {
            /**
             * text that can be seen, without control characters and marks of direction
             * @description Unique
             */
            name: string;
            leftDatasetIds: string[];
            rightDatasetIds: string[];
            /** @description The passes, in order */
            ruleSetIds: string[];
            /** @description Of days and months; default UTC */
            timezone?: string;
            /**
             * @description auto (default): a MATCH becomes a held group. review: it is a proposal until it is confirmed
             * @enum {string}
             */
            accept?: "auto" | "review";
            /**
             * @description opposite: what is positive on the left is negative on the right; default same
             * @enum {string}
             */
            amountSign?: "same" | "opposite";
            /** @description A match group with a larger amount of a side, of a record, of which it may hold a part, or of its adjustments together is pending until another person approves it; so is one with an amount that cannot be read. Default null: none. Changing it needs matches:approve */
            approvalAbove?: components["schemas"]["Amount"] | null;
            triggers?: components["schemas"]["RunTriggers"];
            /** @description Path of the amount; default: that of the first pass, else amount. null: there are no amounts */
            amountKeyLeft?: string | null;
            /** @description Path of the amount; default: that of the first pass, else amount. null: there are no amounts */
            amountKeyRight?: string | null;
            /** @description Path of the date; default: that of the first pass, else date */
            dateKeyLeft?: string | null;
            /** @description Path of the date; default: that of the first pass, else date */
            dateKeyRight?: string | null;
            /** @description Path of the currency; default: none */
            currencyKeyLeft?: string | null;
            /** @description Path of the currency; default: none */
            currencyKeyRight?: string | null;
        };
        /** @description The latest run that was no dry one. refused: a trigger could not start it; it is tried again */
        LastRun: {
            /** Format: uuid */
            matching_job_id: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled" | "refused";
            /** @enum {string} */
            trigger: "manual" | "schedule" | "arrival";
            /** Format: date-time */
            at: string;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        Reconciliation: {
            /** Format: uuid */
            id: string;
            name: string;
            left_dataset_ids: string[];
            right_dataset_ids: string[];
            /** @description The passes, in order */
            rule_set_ids: string[];
            timezone: string;
            /** @enum {string} */
            accept: "auto" | "review";
            amount_key_left: string | null;
            amount_key_right: string | null;
            date_key_left: string | null;
            date_key_right: string | null;
            currency_key_left: string | null;
            currency_key_right: string | null;
            /** @enum {string} */
            amount_sign: "same" | "opposite";
            approval_above: components["schemas"]["Amount"] | null;
            triggers: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            next_run_at: string | null;
            last_run: components["schemas"]["LastRun"] | null;
            archived: boolean;
            /**
             * @description filling: records that were there before are still becoming open items
             * @enum {string}
             */
            status: "filling" | "ready";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ListReconciliationsAnswer: {
            items: components["schemas"]["Reconciliation"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        UpdateReconciliationRequest: {
            /**
             * text that can be seen, without control characters and marks of direction
             * @description Unique
             */
            name?: string;
            leftDatasetIds?: string[];
            rightDatasetIds?: string[];
            /** @description The passes, in order */
            ruleSetIds?: string[];
            /** @description Of days and months; default UTC */
            timezone?: string;
            /**
             * @description auto (default): a MATCH becomes a held group. review: it is a proposal until it is confirmed
             * @enum {string}
             */
            accept?: "auto" | "review";
            /**
             * @description opposite: what is positive on the left is negative on the right; default same
             * @enum {string}
             */
            amountSign?: "same" | "opposite";
            /** @description A match group with a larger amount of a side, of a record, of which it may hold a part, or of its adjustments together is pending until another person approves it; so is one with an amount that cannot be read. Default null: none. Changing it needs matches:approve */
            approvalAbove?: components["schemas"]["Amount"] | null;
            triggers?: components["schemas"]["RunTriggers"];
            /** @description Path of the amount; default: that of the first pass, else amount. null: there are no amounts */
            amountKeyLeft?: string | null;
            /** @description Path of the amount; default: that of the first pass, else amount. null: there are no amounts */
            amountKeyRight?: string | null;
            /** @description Path of the date; default: that of the first pass, else date */
            dateKeyLeft?: string | null;
            /** @description Path of the date; default: that of the first pass, else date */
            dateKeyRight?: string | null;
            /** @description Path of the currency; default: none */
            currencyKeyLeft?: string | null;
            /** @description Path of the currency; default: none */
            currencyKeyRight?: string | null;
            archived?: boolean;
        };
        AnnotateOpenItemsRequestFilter: {
            /** @enum {string} */
            side?: "left" | "right";
            /** @description Words, or beginnings of words, in any field */
            q?: string;
            /** Format: double */
            amountMin?: number;
            /** Format: double */
            amountMax?: number;
            /**
             * Format: date
             * @description Inclusive
             */
            dateFrom?: string;
            /**
             * Format: date
             * @description Inclusive
             */
            dateTo?: string;
            /**
             * Format: date
             * @description Dated up to this day, or without a date, as the proof of balance counts
             */
            upTo?: string;
            /** @description Empty: those without a currency */
            currency?: string;
            /** Format: int32 */
            minAgeDays?: number;
            /** @description true: only excluded records; default: only open ones */
            excluded?: boolean;
            assignee?: string;
            reasonCode?: string;
            /** @description true: only those with an assignee; false: without them */
            assigned?: boolean;
            /** @description true: only those with a reason code or a note; false: without them */
            explained?: boolean;
            /** @description true: only those dated in a month that was closed before they came; false: without them */
            late?: boolean;
            /** @description true: only those snoozed to a later day; false: without them */
            snoozed?: boolean;
            /** @description true: only those that a proposal of the latest run names; false: without them */
            suggested?: boolean;
        };
        NewExclusion: {
            /** @description GET /v1/reason-codes lists them */
            reasonCode: string;
            note?: string;
        };
        AnnotateOpenItemRequest: {
            /** text that can be seen, without control characters and marks of direction */
            assignee?: string | null;
            /** @description GET /v1/reason-codes lists them */
            reasonCode?: string | null;
            note?: string | null;
            /**
             * Format: date
             * @description Hidden from snoozed=false until this day, which is not past
             */
            snoozedUntil?: string | null;
            /** @description An excluded record takes no part; null: it does again */
            excluded?: components["schemas"]["NewExclusion"] | null;
        };
        AnnotateOpenItemsRequest: {
            recordIds?: string[];
            filter?: components["schemas"]["AnnotateOpenItemsRequestFilter"];
            set: components["schemas"]["AnnotateOpenItemRequest"];
        };
        OpenItemExcluded: {
            reason_code: string;
            note: string | null;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Actor"];
        };
        OpenItem: {
            /** Format: uuid */
            record_id: string;
            /** @enum {string} */
            side: "left" | "right";
            /** Format: uuid */
            dataset_id: string;
            external_id: string | null;
            /** Format: int64 */
            revision: number;
            amount: components["schemas"]["Amount"] | null;
            remaining_amount: components["schemas"]["Amount"] | null;
            /** Format: date */
            date: string | null;
            currency: string | null;
            /** @description Dated in a month that was closed before it came */
            late: boolean;
            /** Format: int64 */
            age_days: number | null;
            /** @description Data overlaid with the normalised fields */
            record: {
                [key: string]: unknown;
            };
            assignee: string | null;
            reason_code: string | null;
            note: string | null;
            /** Format: date */
            snoozed_until: string | null;
            /** @description Why the latest run gave it no MATCH, as in GET /v1/matching-jobs/{id}/unmatched; null: that run has not seen it open, or proposes a MATCH */
            reason: ("ambiguous" | "possible_only" | "below_threshold" | "no_candidate" | "unblocked" | "filtered" | "failed" | "held" | "rejected") | null;
            best_possible: components["schemas"]["BestPossible"] | null;
            /** @description It names the record as target or member */
            best_possible_composite: components["schemas"]["BestPossibleComposite"] | null;
            excluded: components["schemas"]["OpenItemExcluded"] | null;
            /** @description Amounts and dates that cannot be read, changes that are not settled, and what to do about them */
            warnings: components["schemas"]["Warning"][];
        };
        CurrencyAmount: {
            currency: string | null;
            amount: components["schemas"]["Amount"];
        };
        OpenItemTotals: {
            /** Format: int64 */
            count: number;
            /** @description What remains, by currency */
            amounts: components["schemas"]["CurrencyAmount"][];
        };
        ListOpenItemsAnswerTotals: {
            left: components["schemas"]["OpenItemTotals"];
            right: components["schemas"]["OpenItemTotals"];
        };
        ListOpenItemsAnswer: {
            items: components["schemas"]["OpenItem"][];
            /** Format: int64 */
            total: number | null;
            totals: components["schemas"]["ListOpenItemsAnswerTotals"] | null;
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        ItemWithRecord: {
            /** Format: uuid */
            record_id: string;
            /** @enum {string} */
            side: "left" | "right";
            /** Format: uuid */
            dataset_id: string;
            external_id: string | null;
            amount: components["schemas"]["Amount"] | null;
            remaining_amount: components["schemas"]["Amount"] | null;
            /** Format: date */
            date: string | null;
            currency: string | null;
            /** @description Data overlaid with the normalised fields */
            record: {
                [key: string]: unknown;
            };
        };
        /** @description Why the pass has not tied it */
        Refusal: {
            /** @enum {string} */
            code: "no_pass" | "composition" | "blocking" | "window" | "filter" | "error" | "threshold" | "rejected" | "competition" | "not_run";
            message: string;
        };
        PassVerdict: {
            /** Format: uuid */
            rule_set_id: string;
            rule_set_name: string;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE" | "NO_MATCH" | "ERROR";
            /** Format: double */
            score: number | null;
            explanation: {
                [key: string]: unknown;
            } | null;
            why: components["schemas"]["Refusal"];
        };
        Candidate: {
            /** @enum {string} */
            kind: "pair" | "group";
            /**
             * Format: double
             * @description By score, amount, days and shared words
             */
            likeness: number;
            records: components["schemas"]["ItemWithRecord"][];
            difference: components["schemas"]["Amount"] | null;
            /**
             * Format: int64
             * @description To the record that is furthest from the item
             */
            days: number | null;
            /** @description Rare words that the item and a record have */
            shared_words: string[];
            /**
             * Format: double
             * @description Of the best pass
             */
            score: number | null;
            explanation: {
                [key: string]: unknown;
            } | null;
            why: components["schemas"]["Refusal"];
            /** @description What each pass says, the best first */
            passes: components["schemas"]["PassVerdict"][];
        };
        ListOpenItemCandidatesAnswer: {
            items: components["schemas"]["Candidate"][];
        };
        Proposal: {
            /**
             * Format: uuid
             * @description Of the match or composite match, by which it is reviewed
             */
            id: string;
            /** @enum {string} */
            kind: "pair" | "composite";
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /**
             * Format: double
             * @description On the scale of the rule set: 0..1 or 0..100
             */
            score: number;
            /** Format: uuid */
            rule_set_id: string;
            rule_set_name: string;
            explanation: {
                [key: string]: unknown;
            };
            difference: components["schemas"]["Amount"] | null;
            /** @description Left and right; of a composite the target, then the members */
            records: components["schemas"]["ItemWithRecord"][];
        };
        ListProposalsAnswer: {
            items: components["schemas"]["Proposal"][];
            /**
             * Format: int64
             * @description On the first page; null above 20,000
             */
            total: number | null;
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        StartReconciliationRunRequest: {
            /** @enum {string} */
            mode?: "incremental" | "full";
            /** @description Nothing changes: the job says what would, GET /v1/matching-jobs/{id}/changes */
            dryRun?: boolean;
        };
        ListReconciliationRunsAnswer: {
            items: components["schemas"]["MatchingJob"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        Sum: {
            /** Format: int64 */
            count: number;
            /** @description What remains, by currency */
            amounts?: components["schemas"]["CurrencyAmount"][];
        };
        AgeingBucket: {
            /** @enum {string} */
            days: "0-7" | "8-30" | "31-60" | "61-90" | "over 90" | "no date";
            /** Format: int64 */
            count: number;
            /** @description What remains, by currency */
            amounts?: components["schemas"]["CurrencyAmount"][];
        };
        ProvedSideSummary: {
            records: components["schemas"]["Sum"];
            held: components["schemas"]["Sum"];
            open: components["schemas"]["Sum"];
            excluded: components["schemas"]["Sum"];
            /**
             * Format: double
             * @description Of records that are not excluded
             */
            match_rate: number | null;
            ageing: components["schemas"]["AgeingBucket"][];
            /** @description By how much records differ from what groups hold of them */
            stale: components["schemas"]["Sum"];
        };
        ProvedSummaryGroup: {
            origin: string;
            /** Format: int64 */
            count: number;
        };
        ProvedSummaryAdjustment: {
            reason_code: string;
            /** Format: int64 */
            count: number;
            amount?: components["schemas"]["Amount"];
        };
        DatedBalance: {
            amount: components["schemas"]["Amount"];
            /**
             * Format: date
             * @description Its own day, which may be an earlier one
             */
            date: string;
        };
        BalanceProofBalances: {
            left: components["schemas"]["DatedBalance"] | null;
            right: components["schemas"]["DatedBalance"] | null;
            url: string;
        };
        ProofTerm: {
            left: components["schemas"]["Amount"];
            right: components["schemas"]["Amount"];
            /** @description The list of it */
            url: string;
        };
        BalanceProof: {
            currency: string | null;
            /**
             * Format: date
             * @description Balances and items count up to this day; items without a date always count
             */
            day: string;
            balances: components["schemas"]["BalanceProofBalances"];
            open: components["schemas"]["ProofTerm"];
            held: components["schemas"]["ProofTerm"];
            excluded: components["schemas"]["ProofTerm"];
            stale: components["schemas"]["ProofTerm"];
            unexplained: components["schemas"]["Amount"] | null;
        };
        ProvedSummary: {
            /**
             * Format: date-time
             * @description What was known then; null: what is known now
             */
            as_of: string | null;
            /** @description YYYY-MM */
            period: string | null;
            /**
             * Format: uuid
             * @description The certificate that it is read from
             */
            certificate_id: string | null;
            left: components["schemas"]["ProvedSideSummary"];
            right: components["schemas"]["ProvedSideSummary"];
            groups: components["schemas"]["ProvedSummaryGroup"][];
            adjustments: components["schemas"]["ProvedSummaryAdjustment"][];
            /** @description What held groups differ by, adjustments included */
            difference?: components["schemas"]["Amount"];
            /** @description The proof of balance, by currency */
            proof?: components["schemas"]["BalanceProof"][];
            /** @description Amounts and dates that cannot be read, changes that are not settled, and what to do about them */
            warnings: components["schemas"]["Warning"][];
        };
        CertifiedSum: {
            currency: string | null;
            records: components["schemas"]["Amount"];
            held: components["schemas"]["Amount"];
            open: components["schemas"]["Amount"];
            excluded: components["schemas"]["Amount"];
            stale: components["schemas"]["Amount"];
        };
        PeriodCertificateSums: {
            /** @description By currency */
            left: components["schemas"]["CertifiedSum"][];
            /** @description By currency */
            right: components["schemas"]["CertifiedSum"][];
        };
        CertifiedCounts: {
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            held: number;
            /** Format: int64 */
            open: number;
            /** Format: int64 */
            excluded: number;
        };
        PeriodCertificateCounts: {
            left: components["schemas"]["CertifiedCounts"];
            right: components["schemas"]["CertifiedCounts"];
            /** Format: int64 */
            groups: number;
        };
        PeriodCertificate: {
            /** Format: uuid */
            id: string;
            /** @description YYYY-MM */
            period: string;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Actor"];
            note: string | null;
            sums?: components["schemas"]["PeriodCertificateSums"];
            counts: components["schemas"]["PeriodCertificateCounts"];
            proof?: components["schemas"]["BalanceProof"][];
            /** @description The open items of the month, with their amounts */
            open_items_url: string;
            /** @description SHA-256 over sums, proof and open items, in hex */
            digest: string;
            /** Format: date-time */
            locked_at: string | null;
            locked_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When the month was opened again
             */
            voided_at: string | null;
            voided_by: components["schemas"]["Actor"] | null;
            void_reason: string | null;
        };
        Period: {
            /** @description YYYY-MM */
            period: string;
            /** @enum {string} */
            status: "open" | "closed" | "locked";
            certificate: components["schemas"]["PeriodCertificate"] | null;
            /** @description The latest first */
            voided_certificates: components["schemas"]["PeriodCertificate"][];
        };
        ListPeriodsAnswer: {
            items: components["schemas"]["Period"][];
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        ClosePeriodRequest: {
            note?: string;
        };
        ReopenPeriodRequest: {
            reason: string;
        };
        ReopenPeriodAnswer: {
            /** @description YYYY-MM */
            period: string;
            /** @enum {string} */
            status: "open" | "closed" | "locked";
            certificate: components["schemas"]["PeriodCertificate"] | null;
            /** @description The latest first */
            voided_certificates: components["schemas"]["PeriodCertificate"][];
            reopened: string[];
        };
        CertifiedItem: {
            /** Format: uuid */
            record_id: string;
            /** @enum {string} */
            side: "left" | "right";
            /** Format: uuid */
            dataset_id: string;
            external_id: string | null;
            /** Format: int64 */
            revision: number;
            amount: components["schemas"]["Amount"] | null;
            remaining_amount: components["schemas"]["Amount"] | null;
            /** Format: date */
            date: string | null;
            currency: string | null;
            /** @description Dated in a month that was closed before it came */
            late: boolean;
            excluded: boolean;
            assignee: string | null;
            /** @description Of an excluded item why it was excluded */
            reason_code: string | null;
            note: string | null;
        };
        ListPeriodOpenItemsAnswer: {
            items: components["schemas"]["CertifiedItem"][];
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        StateBalanceRequest: {
            /** @enum {string} */
            side: "left" | "right";
            /**
             * Format: date
             * @description The balance is that of the end of this day
             */
            date: string;
            /** @description Negative for what is owed; null: the day has no balance any more */
            amount: components["schemas"]["Amount"] | null;
            currency?: string | null;
        };
        SideBalance: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            side: "left" | "right";
            /** Format: date */
            date: string;
            currency: string | null;
            amount: components["schemas"]["Amount"];
            /**
             * Format: uuid
             * @description Of the file that states it; null: given by hand
             */
            dataset_id: string | null;
            /** Format: uuid */
            file_id: string | null;
            account: string | null;
            by: components["schemas"]["Actor"];
            /** Format: date-time */
            valid_from: string;
            /**
             * Format: date-time
             * @description When another one took its place; null: it stands
             */
            valid_to: string | null;
        };
        ListBalancesAnswer: {
            items: components["schemas"]["SideBalance"][];
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        ReconciliationReportCertificate: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Actor"];
            note: string | null;
            digest: string;
        };
        ReportMember: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            /** Format: date */
            date: string | null;
            amount: components["schemas"]["Amount"] | null;
            currency: string | null;
        };
        ReportGroup: {
            /** Format: uuid */
            id: string;
            period: string | null;
            /** @enum {string} */
            origin: "auto" | "confirmed" | "manual";
            /** @enum {string} */
            kind: "pair" | "composite" | "manual";
            difference: components["schemas"]["Amount"] | null;
            rule_set_name: string | null;
            /** Format: int64 */
            rule_set_version: number | null;
            /** Format: double */
            score: number | null;
            /** Format: date-time */
            held_at: string;
            held_by: components["schemas"]["Actor"];
            note: string | null;
            left: components["schemas"]["ReportMember"][];
            right: components["schemas"]["ReportMember"][];
            adjustments: components["schemas"]["Adjustment"][];
        };
        ReportItem: {
            /** @enum {string} */
            side: "left" | "right";
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            /** Format: date */
            date: string | null;
            /** Format: int64 */
            age_days: number | null;
            /** @enum {string} */
            age: "0-7" | "8-30" | "31-60" | "61-90" | "over 90" | "no date";
            amount: components["schemas"]["Amount"] | null;
            remaining_amount: components["schemas"]["Amount"] | null;
            currency: string | null;
            excluded: boolean;
            /** @description Dated in a month that was closed before it came */
            late: boolean;
            assignee: string | null;
            /** @description Of an excluded item why it was excluded */
            reason_code: string | null;
            note: string | null;
        };
        ReconciliationReport: {
            /** Format: uuid */
            reconciliation_id: string;
            name: string;
            timezone: string;
            /** @description YYYY-MM */
            period: string | null;
            /**
             * Format: date-time
             * @description When a closed month was closed; else now
             */
            as_of: string;
            /** @description Of a closed month */
            certificate: components["schemas"]["ReconciliationReportCertificate"] | null;
            summary: components["schemas"]["ProvedSummary"];
            groups: components["schemas"]["ReportGroup"][];
            open_items: components["schemas"]["ReportItem"][];
        };
        ReasonCode: {
            code: string;
            label: string;
            built_in: boolean;
        };
        ListReasonCodesAnswer: {
            items: components["schemas"]["ReasonCode"][];
        };
        CreateReasonCodeRequest: {
            /** @description Small letters, digits and _ */
            code: string;
            /** text that can be seen, without control characters and marks of direction */
            label: string;
        };
        RecordAgentCallRequest: {
            /** text that can be seen, without control characters and marks of direction */
            tool: string;
            /** @description As the agent gave them; long ones may be cut */
            arguments?: {
                [key: string]: unknown;
            };
            /** @description As the agent gave it */
            reason?: string;
        };
        AgentCall: {
            /** Format: uuid */
            id: string;
        };
        CreateAgentProposalRequestMatchGroup: {
            /** Format: uuid */
            reconciliationId: string;
            /** @description Records of the left side */
            left: components["schemas"]["PartOfRecord"][];
            /** @description Records of the right side */
            right: components["schemas"]["PartOfRecord"][];
            adjustments?: components["schemas"]["NewAdjustment"][];
            note?: string;
        };
        CreateAgentProposalRequestAnnotation: {
            /** Format: uuid */
            reconciliationId: string;
            recordIds: string[];
            set: components["schemas"]["AnnotateOpenItemRequest"];
        };
        Matcher: {
            /** @description Unique in the rule set; default m1, m2, … */
            id?: string;
            /** @description Default: the id */
            name?: string;
            /** @description JSONata over {left, right}: true, false, a number 0..1, or null to abstain */
            expr: string;
            /**
             * Format: double
             * @description Default 1
             */
            weight?: number;
            /** @description A value of 0, false or nothing makes the pair NO_MATCH; default false */
            required?: boolean;
        };
        /** @description Values that are equal; of a list, any */
        BlockingKey: {
            /** @description JSONata over a left record: its fields, or left */
            left?: string;
            /** @description JSONata over a right record: its fields, or right */
            right?: string;
            /** @description In place of left and right: JSONata over the records of both sides */
            expr?: string;
        };
        /** @description The most similar texts of each side */
        BlockingText: {
            /** @description JSONata over a left record that gives a text */
            left: string;
            /** @description JSONata over a right record that gives a text */
            right: string;
            /**
             * Format: int64
             * @description Records of the other side that a record finds; 1..50, default 15
             */
            top?: number;
            /**
             * Format: double
             * @description Words of a larger share of all records, and of more than 50, are not compared; default 0.1
             */
            maxDocumentShare?: number;
        };
        /** @description All its conditions hold for a pair */
        BlockingRule: {
            /** @description Default rule 1, rule 2, … */
            name?: string;
            /** @description Where the amount is, on both sides */
            amountKey?: string;
            /** @description Wins over amountKey on the left side */
            amountKeyLeft?: string;
            /** @description Wins over amountKey on the right side */
            amountKeyRight?: string;
            /** @description Where the date is, on both sides */
            dateKey?: string;
            /** @description Wins over dateKey on the left side */
            dateKeyLeft?: string;
            /** @description Wins over dateKey on the right side */
            dateKeyRight?: string;
            /**
             * Format: double
             * @description Default: that of params
             */
            amountTolerancePercent?: number;
            /**
             * Format: double
             * @description In currency units, up to 10^12; the larger of both tolerances holds
             */
            amountTolerance?: number;
            /**
             * Format: double
             * @description In currency units; default 1
             */
            amountBucketSize?: number;
            /**
             * Format: double
             * @description Neighbouring buckets on each side; default 1
             */
            amountBucketWindow?: number;
            /**
             * Format: double
             * @description Default windowDays
             */
            dateToleranceDays?: number;
            /**
             * Format: double
             * @description Minimum of right − left in days; default −dateToleranceDays; may be negative
             */
            dateFromDays?: number;
            /**
             * Format: double
             * @description Maximum of right − left in days; default dateToleranceDays
             */
            dateToDays?: number;
            /** @description All of them agree */
            keys?: components["schemas"]["BlockingKey"][];
            text?: components["schemas"]["BlockingText"];
        };
        Blocking: {
            /** @description Default true when another key is set */
            enabled?: boolean;
            /** @description Where the amount is, on both sides */
            amountKey?: string;
            /** @description Wins over amountKey on the left side */
            amountKeyLeft?: string;
            /** @description Wins over amountKey on the right side */
            amountKeyRight?: string;
            /** @description Where the date is, on both sides */
            dateKey?: string;
            /** @description Wins over dateKey on the left side */
            dateKeyLeft?: string;
            /** @description Wins over dateKey on the right side */
            dateKeyRight?: string;
            /**
             * Format: double
             * @description Default: that of params
             */
            amountTolerancePercent?: number;
            /**
             * Format: double
             * @description In currency units, up to 10^12; the larger of both tolerances holds
             */
            amountTolerance?: number;
            /**
             * Format: double
             * @description In currency units; default 1
             */
            amountBucketSize?: number;
            /**
             * Format: double
             * @description Neighbouring buckets on each side; default 1
             */
            amountBucketWindow?: number;
            /**
             * Format: double
             * @description Default windowDays
             */
            dateToleranceDays?: number;
            /**
             * Format: double
             * @description Minimum of right − left in days; default −dateToleranceDays; may be negative
             */
            dateFromDays?: number;
            /**
             * Format: double
             * @description Maximum of right − left in days; default dateToleranceDays
             */
            dateToDays?: number;
            /** @description All of them agree */
            keys?: components["schemas"]["BlockingKey"][];
            text?: components["schemas"]["BlockingText"];
            /** @description Any of them lets a pair through. Beside rules only the keys of amount and date are allowed: rules read them unless they name their own */
            rules?: components["schemas"]["BlockingRule"][];
        };
        CompositionMatchKey: {
            /** @description Path into left records */
            left: string;
            /** @description Path into right records */
            right: string;
        };
        CompositionEvidence: {
            matchers: string[];
            /** @description Only records with evidence are members; default false */
            required?: boolean;
            /**
             * Format: double
             * @description Share of the mean evidence in the score; 0..1, default 0
             */
            weight?: number;
        };
        CompositionPartial: {
            /** @description Sums below the target count, as POSSIBLE; default false */
            enabled?: boolean;
            /**
             * Format: double
             * @description 1..maxGroupSize, default 2
             */
            minMembers?: number;
            /**
             * Format: double
             * @description Minimum of sum / target; 0..1, default 0.5
             */
            minCompletionRatio?: number;
            /**
             * Format: double
             * @description Minimum of smallest / largest member; 0..1, default 0: any
             */
            uniformityRatio?: number;
        };
        CompositionInstallmentDiscovery: {
            /** @description Looks for nearly equal members; default false */
            enabled?: boolean;
            /**
             * Format: double
             * @description Maximum number of installments; 2..60, default 24
             */
            maxDivisor?: number;
            /**
             * Format: double
             * @description How far target / member may be from a whole number; 0..0.5, default 0.05
             */
            divisorTolerance?: number;
            /** @description Holds the number of installments */
            totalCountField?: string;
            /** @description Holds the value of one installment */
            unitValueField?: string;
        };
        Composition: {
            /** @description Default false */
            enabled?: boolean;
            /** @description left_to_many_right (default), right_to_many_left or both */
            direction?: string;
            /**
             * Format: double
             * @description Maximum number of members; 2..60, default 12
             */
            maxGroupSize?: number;
            /**
             * Format: double
             * @description In percent of the target; 0..100, default 0
             */
            amountTolerancePercent?: number;
            /**
             * Format: double
             * @description In currency units, up to 10^12; the larger of both tolerances holds; default 0
             */
            amountTolerance?: number;
            /** @description Default: the amount keys of blocking, else amount */
            amountField?: string;
            /** @description Members of a group share this value */
            groupByField?: string;
            /** @description Values that are equal for a target and each of its members; they narrow the search */
            matchKeys?: components["schemas"]["CompositionMatchKey"][];
            /** @description Matchers by id, evaluated for target and member: among equal sets the one with most evidence wins */
            evidence?: components["schemas"]["CompositionEvidence"];
            /** @description Dates of members relative to the target: none (default), window, after, before or monthly */
            dateStrategy?: string;
            /** @description Default: the date key of blocking, else date */
            dateFieldLeft?: string;
            /** @description Default: the date key of blocking, else date */
            dateFieldRight?: string;
            /**
             * Format: double
             * @description Default: windowDays, else 0
             */
            dateToleranceDays?: number;
            /** @description Members may have the other sign than the target; default false */
            allowNegativeAmounts?: boolean;
            /** @description All records of one groupByField value are preferred to a choice among them; default true */
            preferCompleteGroup?: boolean;
            /** @description Records with a MATCH pair of the rule set are left out; default true */
            skipAlreadyMatched?: boolean;
            partial?: components["schemas"]["CompositionPartial"];
            installmentDiscovery?: components["schemas"]["CompositionInstallmentDiscovery"];
        };
        RuleSetParams: {
            /**
             * Format: double
             * @description A score of at least this is a MATCH. Up to 1 scores run from 0 to 1, above it from 0 to 100
             */
            Tmatch: number;
            /**
             * Format: double
             * @description A score of at least this is POSSIBLE; at most Tmatch
             */
            Tpossible: number;
            /**
             * Format: double
             * @description Pairs further apart in calendar days are dropped
             */
            windowDays?: number;
            /**
             * Format: double
             * @description In percent of the larger amount: pairs further apart are dropped
             */
            amountTolerancePercent?: number;
            /**
             * Format: double
             * @description In currency units, up to 10^12; the larger of both tolerances holds
             */
            amountTolerance?: number;
            /**
             * @description opposite: what is positive on the left is negative on the right; default same
             * @enum {string}
             */
            amountSign?: "same" | "opposite";
            /** @description IANA time zone of the days of timestamps; default UTC */
            timezone?: string;
            filters?: string[];
            matchers?: components["schemas"]["Matcher"][];
            blocking?: components["schemas"]["Blocking"];
            composition?: components["schemas"]["Composition"];
            /**
             * @description one_to_one: a record is in at most one MATCH; default none
             * @enum {string}
             */
            assignment?: "none" | "one_to_one";
            /**
             * Format: int64
             * @description POSSIBLE pairs that are kept of each record, the best ones; 1..100, default 20
             */
            maxPossiblePerRecord?: number;
        };
        /**
         * @example {
         *       "name": "Invoices against the bank",
         *       "leftDatasetId": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "rightDatasetId": "01994e6c-2a11-7c44-9f02-6b1d3e5f7a21",
         *       "engine": "jsonata-batch",
         *       "params": {
         *         "Tmatch": 0.8,
         *         "Tpossible": 0.5,
         *         "matchers": [
         *           {
         *             "id": "amount",
         *             "expr": "left.amount = right.amount",
         *             "weight": 0.6
         *           },
         *           {
         *             "id": "reference",
         *             "expr": "$contains(right.memo, left.number)",
         *             "weight": 0.4
         *           }
         *         ],
         *         "blocking": {
         *           "amountKey": "amount",
         *           "dateKey": "date",
         *           "dateToleranceDays": 3
         *         },
         *         "assignment": "one_to_one"
         *       }
         *     }
         */
        CreateRuleSetRequest: {
            name: string;
            /** Format: uuid */
            leftDatasetId: string;
            /** Format: uuid */
            rightDatasetId: string;
            /**
             * @default jsonata
             * @enum {string}
             */
            engine?: "jsonata" | "jsonata-batch";
            /** @description Required when engine is jsonata */
            jsonataExpr?: string;
            params: components["schemas"]["RuleSetParams"];
            /** @description A map of your own, returned unchanged */
            logicJson?: {
                [key: string]: unknown;
            };
        };
        CreateAgentProposalRequestRun: {
            /** Format: uuid */
            reconciliationId: string;
            /** @enum {string} */
            mode?: "incremental" | "full";
        };
        /** @description The reason, and one of the other keys: what the operation that makes the change takes */
        CreateAgentProposalRequest: {
            /** @description Why: the person who decides reads it */
            reason: string;
            matchGroup?: components["schemas"]["CreateAgentProposalRequestMatchGroup"];
            annotation?: components["schemas"]["CreateAgentProposalRequestAnnotation"];
            ruleSet?: components["schemas"]["CreateRuleSetRequest"];
            run?: components["schemas"]["CreateAgentProposalRequestRun"];
        };
        AgentProposal: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "match_group" | "annotation" | "rule_set" | "run";
            /** @description What the operation that makes the change takes */
            input: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            reconciliation_id: string | null;
            reason: string;
            /** @enum {string} */
            status: "pending" | "confirmed" | "rejected";
            proposed_by: components["schemas"]["Actor"];
            /** Format: date-time */
            created_at: string;
            decided_by: components["schemas"]["Actor"] | null;
            /** Format: date-time */
            decided_at: string | null;
            decision_note: string | null;
            /**
             * Format: uuid
             * @description The match group, rule set or matching job that it has become
             */
            result_id: string | null;
        };
        ListAgentProposalsAnswer: {
            items: components["schemas"]["AgentProposal"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** @description The cursor of the next page; null on the last one */
            next_cursor: string | null;
        };
        ConfirmAgentProposalRequest: {
            note?: string;
        };
        RejectAgentProposalRequest: {
            note?: string;
        };
        SuggestRuleSetRequest: {
            /** Format: uuid */
            leftDatasetId: string;
            /** Format: uuid */
            rightDatasetId: string;
            /**
             * Format: int32
             * @description Records of each side to learn from; default 20000
             */
            sampleLimit?: number;
        };
        SuggestionSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            left_dataset_id: string;
            /** Format: uuid */
            right_dataset_id: string;
            /**
             * Format: int64
             * @description null for a training
             */
            sample_limit: number | null;
            /**
             * Format: uuid
             * @description The rule set that a training refits
             */
            rule_set_id: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: double
             * @description Done
             */
            progress: number;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        ListSuggestionsAnswer: {
            items: components["schemas"]["SuggestionSummary"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        SuggestedMatcherFields: {
            left: string[];
            right: string[];
        };
        SuggestedMatcherLevel: {
            label: string;
            /**
             * Format: double
             * @description Logarithm of how much more often matches are at this level than others
             */
            weight: number;
            /**
             * Format: double
             * @description Share of matches at this level
             */
            matches: number;
            /**
             * Format: double
             * @description Share of other candidates at this level
             */
            others: number;
        };
        SuggestedMatcherExample: {
            left: {
                [key: string]: unknown;
            };
            right: {
                [key: string]: unknown;
            };
            level: string;
        };
        SuggestedMatcher: {
            id: string;
            name: string;
            fields: components["schemas"]["SuggestedMatcherFields"];
            /**
             * Format: double
             * @description What it says about a match on average, in bits
             */
            strength: number;
            levels: components["schemas"]["SuggestedMatcherLevel"][];
            examples: components["schemas"]["SuggestedMatcherExample"][];
        };
        SuggestedBlocking: {
            name: string;
            why: string;
            /** Format: int64 */
            candidates: number;
            /**
             * Format: double
             * @description Share of the surest pairs that it finds
             */
            recall: number | null;
        };
        SuggestedField: {
            left: string;
            right: string;
            /** @enum {string} */
            kind: "date" | "number" | "code" | "text";
            /**
             * Format: double
             * @description Agreement of their values
             */
            overlap: number;
        };
        SuggestedRuleSetExpected: {
            /**
             * Format: double
             * @description Of MATCH
             */
            precision: number;
            /**
             * Format: double
             * @description Of MATCH
             */
            recall: number;
            /** Format: int64 */
            matches: number;
        };
        SuggestedThreshold: {
            /**
             * Format: double
             * @description Tmatch
             */
            threshold: number;
            /**
             * Format: double
             * @description Expected
             */
            precision: number;
            /**
             * Format: double
             * @description Expected
             */
            recall: number;
            /** Format: int64 */
            matches: number;
        };
        SuggestedScoreRange: {
            /**
             * Format: double
             * @description Score
             */
            from: number;
            /**
             * Format: double
             * @description Score
             */
            to: number;
            /** Format: double */
            matches: number;
            /** Format: double */
            others: number;
        };
        SuggestedRuleSetWaterfallPart: {
            matcher: string;
            level: string;
            /** Format: double */
            weight: number;
        };
        SuggestedRuleSetWaterfall: {
            left: {
                [key: string]: unknown;
            };
            right: {
                [key: string]: unknown;
            };
            /**
             * Format: double
             * @description That the pair is a match
             */
            probability: number;
            /**
             * Format: double
             * @description As the rule set gives it
             */
            score: number;
            parts: components["schemas"]["SuggestedRuleSetWaterfallPart"][];
        };
        SuggestedRuleSetSample: {
            /** Format: int64 */
            left: number;
            /** Format: int64 */
            right: number;
        };
        SuggestedRuleSet: {
            /** @description Always true */
            connected: boolean;
            /** @description A body for POST /v1/rule-sets */
            rule_set: {
                [key: string]: unknown;
            };
            /** @description Why each matcher is there */
            matchers: components["schemas"]["SuggestedMatcher"][];
            /** @description How pairs are found */
            blocking: components["schemas"]["SuggestedBlocking"][];
            /** @description Fields that hold the same */
            fields: components["schemas"]["SuggestedField"][];
            expected: components["schemas"]["SuggestedRuleSetExpected"];
            /** @description The same for other thresholds */
            curve: components["schemas"]["SuggestedThreshold"][];
            /**
             * Format: double
             * @description Left records that have no partner, as expected
             */
            unlinkable: number;
            /** @description Candidates by score */
            histogram: components["schemas"]["SuggestedScoreRange"][];
            /** @description How the scores of some pairs add up, from the best to a doubtful one */
            waterfalls: components["schemas"]["SuggestedRuleSetWaterfall"][];
            sample: components["schemas"]["SuggestedRuleSetSample"];
            /** @description What makes the answer doubtful, and what settles it */
            warnings: components["schemas"]["Warning"][];
        };
        NothingSuggested: {
            /** @description Always false */
            connected: boolean;
            /** @description Says that nothing connects the datasets, and why */
            reason: string;
            /** @description Fields that hold the same */
            fields: components["schemas"]["SuggestedField"][];
            /** @description What makes the answer doubtful, and what settles it */
            warnings: components["schemas"]["Warning"][];
        };
        UsedLabels: {
            /** Format: int64 */
            confirmed: number;
            /** Format: int64 */
            rejected: number;
            /**
             * Format: int64
             * @description Reviewed pairs that a filter, a window, a tolerance or a required matcher decides
             */
            left_out: number;
        };
        TrainedRuleSetWeight: {
            id: string;
            name: string;
            /** Format: double */
            before: number;
            /** Format: double */
            after: number;
        };
        Thresholds: {
            /** Format: double */
            Tmatch: number;
            /** Format: double */
            Tpossible: number;
        };
        TrainedRuleSetThresholds: {
            before: components["schemas"]["Thresholds"];
            after: components["schemas"]["Thresholds"];
        };
        HeldOutQuality: {
            /**
             * Format: double
             * @description null where nothing is matched
             */
            precision: number | null;
            /**
             * Format: double
             * @description Of the pairs that the live job kept
             */
            recall: number | null;
            /** Format: double */
            f1: number | null;
        };
        TrainedRuleSetHeldOut: {
            before: components["schemas"]["HeldOutQuality"];
            after: components["schemas"]["HeldOutQuality"];
        };
        TrainedThreshold: {
            /** Format: double */
            threshold: number;
            /**
             * Format: double
             * @description Expected
             */
            precision: number;
            /**
             * Format: double
             * @description Expected
             */
            recall: number;
            /** Format: int64 */
            matches: number;
        };
        TrainedRuleSet: {
            /** @description Always true */
            trained: boolean;
            /** @description A draft: a body for PATCH or POST /v1/rule-sets */
            rule_set: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description The version that was refitted
             */
            rule_set_version: number;
            labels: components["schemas"]["UsedLabels"];
            /**
             * Format: int64
             * @description Kept and reviewed pairs that were read
             */
            pairs: number;
            /** @description Of the matchers; their sum stays */
            weights: components["schemas"]["TrainedRuleSetWeight"][];
            /** @description Scores from which pairs are MATCH and POSSIBLE */
            thresholds: components["schemas"]["TrainedRuleSetThresholds"];
            /** @description Measured on reviews that training did not see, each fifth in turn; a review speaks for all kept pairs with scores near its own */
            held_out: components["schemas"]["TrainedRuleSetHeldOut"];
            /** @description What other values of Tmatch would match */
            curve: components["schemas"]["TrainedThreshold"][];
            warnings: components["schemas"]["Warning"][];
        };
        NothingTrained: {
            /** @description Always false */
            trained: boolean;
            /** @description Says which reviews are missing */
            reason: string;
            labels: components["schemas"]["UsedLabels"];
        };
        SuggestionAnswer: components["schemas"]["SuggestedRuleSet"] | components["schemas"]["NothingSuggested"] | components["schemas"]["TrainedRuleSet"] | components["schemas"]["NothingTrained"];
        Suggestion: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            left_dataset_id: string;
            /** Format: uuid */
            right_dataset_id: string;
            /**
             * Format: int64
             * @description null for a training
             */
            sample_limit: number | null;
            /**
             * Format: uuid
             * @description The rule set that a training refits
             */
            rule_set_id: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: double
             * @description Done
             */
            progress: number;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            answer: components["schemas"]["SuggestionAnswer"] | null;
        };
        CancelSuggestionAnswer: {
            /** @constant */
            status: "cancelled";
            /** Format: uuid */
            id: string;
        };
        QuestionStratum: {
            /** Format: double */
            from: number;
            /** Format: double */
            to: number;
            /** Format: int64 */
            pairs: number;
            /** Format: int64 */
            reviewed: number;
        };
        Question: {
            /**
             * Format: uuid
             * @description To review with POST /v1/matches/{id}/review
             */
            match_id: string;
            /** Format: uuid */
            left_record_id: string;
            /** Format: uuid */
            right_record_id: string;
            /** Format: double */
            score: number;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /** @description The left record as expressions see it; null once deleted. Absent without the scope records:read */
            left?: {
                [key: string]: unknown;
            } | null;
            /** @description Absent without the scope records:read */
            right?: {
                [key: string]: unknown;
            } | null;
            /** @description The range of scores for which the answer speaks */
            stratum: components["schemas"]["QuestionStratum"];
        };
        ListQuestionsAnswerLabels: {
            /** Format: int64 */
            confirmed: number;
            /** Format: int64 */
            rejected: number;
        };
        ListQuestionsAnswerNeeded: {
            /** Format: int64 */
            labels: number;
            /**
             * Format: int64
             * @description Always 0: answers of one kind are enough
             */
            of_each_kind: number;
        };
        ListQuestionsAnswer: {
            /** @description The first ones teach most */
            items: components["schemas"]["Question"][];
            /** @description Says why there are no questions before a job has run */
            reason: string | null;
            /** @description Pairs reviewed so far */
            labels: components["schemas"]["ListQuestionsAnswerLabels"];
            /** @description Reviewed pairs from which training is possible, or fewer where there are no more questions */
            needed: components["schemas"]["ListQuestionsAnswerNeeded"];
        };
        TrialRuleSet: {
            name?: string;
            /** Format: uuid */
            leftDatasetId: string;
            /** Format: uuid */
            rightDatasetId: string;
            /**
             * @default jsonata
             * @enum {string}
             */
            engine?: "jsonata" | "jsonata-batch";
            /** @description Required when engine is jsonata */
            jsonataExpr?: string;
            params: components["schemas"]["RuleSetParams"];
            /** @description A map of your own, returned unchanged */
            logicJson?: {
                [key: string]: unknown;
            };
        };
        SimulateRuleSetRequestSample: {
            /**
             * Format: int32
             * @description Max left records, chosen by their ids; each meets all its candidates. Default 100000
             */
            records: number;
        };
        SimulateRuleSetRequest: {
            ruleSet: components["schemas"]["TrialRuleSet"];
            /**
             * Format: uuid
             * @description A rule set of the same datasets: what is live of it is compared, and reviews of it hold
             */
            against?: string;
            sample?: components["schemas"]["SimulateRuleSetRequestSample"];
        };
        SimulationSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            left_dataset_id: string;
            /** Format: uuid */
            right_dataset_id: string;
            /** Format: uuid */
            against: string | null;
            /** Format: int64 */
            sample_records: number;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** Format: double */
            progress: number;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        ListSimulationsAnswer: {
            items: components["schemas"]["SimulationSummary"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        RecordsRead: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            read: number;
        };
        SimulationAnswerRecords: {
            left: components["schemas"]["RecordsRead"];
            right: components["schemas"]["RecordsRead"];
        };
        SimulationAnswerDecisionCounts: {
            /** Format: int64 */
            MATCH: number;
            /** Format: int64 */
            POSSIBLE: number;
            /** Format: int64 */
            NO_MATCH: number;
            /** Format: int64 */
            ERROR: number;
            /** Format: int64 */
            COMPOSITE_MATCH: number;
            /** Format: int64 */
            COMPOSITE_POSSIBLE: number;
        };
        SimulatedScoreRange: {
            /**
             * Format: double
             * @description Inclusive
             */
            from: number;
            /**
             * Format: double
             * @description Exclusive but in the last bin
             */
            to: number;
            /** Format: int64 */
            pairs: number;
            /** Format: int64 */
            matches: number;
        };
        SimulationAnswerThresholdMatched: {
            /** Format: int64 */
            left: number;
            /** Format: int64 */
            right: number;
        };
        SimulationAnswerThreshold: {
            /**
             * Format: double
             * @description From 0 to scale
             */
            threshold: number;
            /** Format: int64 */
            pairs: number;
            /**
             * Format: int64
             * @description MATCH, if this were Tmatch
             */
            matches: number;
            matched: components["schemas"]["SimulationAnswerThresholdMatched"];
            /**
             * Format: int64
             * @description POSSIBLE, if this were Tpossible, with Tmatch as sent
             */
            possible: number;
            /**
             * Format: int64
             * @description Of these matches, those that are live MATCH
             */
            live: number | null;
        };
        CountByDecision: {
            /** Format: int64 */
            MATCH: number;
            /** Format: int64 */
            POSSIBLE: number;
        };
        ChangedDecisions: {
            /** Format: int64 */
            to_match: number;
            /** Format: int64 */
            to_possible: number;
        };
        PairDecision: {
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /** Format: double */
            score: number;
        };
        ChangedPair: {
            /** Format: uuid */
            left_record_id: string;
            left_external_id: string | null;
            /** Format: uuid */
            right_record_id: string;
            right_external_id: string | null;
            before: components["schemas"]["PairDecision"] | null;
            after: components["schemas"]["PairDecision"] | null;
        };
        SimulationAnswerChangesPages: {
            /** @description The best pairs that are not live */
            new: components["schemas"]["ChangedPair"][];
            /** @description Live pairs that would be neither MATCH nor POSSIBLE, MATCH first */
            lost: components["schemas"]["ChangedPair"][];
            /** @description The best pairs with another decision */
            changed: components["schemas"]["ChangedPair"][];
        };
        SimulationAnswerChanges: {
            live: components["schemas"]["CountByDecision"];
            new: components["schemas"]["CountByDecision"];
            lost: components["schemas"]["CountByDecision"];
            changed: components["schemas"]["ChangedDecisions"];
            /** Format: int64 */
            unchanged: number;
            pages: components["schemas"]["SimulationAnswerChangesPages"];
        };
        SimulationAnswerCompositesChanges: {
            /** Format: int64 */
            live: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            lost: number;
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            unchanged: number;
        };
        NamedRecord: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
        };
        SimulatedComposite: {
            /** @enum {string} */
            direction: "one_to_many" | "many_to_one";
            /** @enum {string} */
            status: "COMPLETE" | "PARTIAL";
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE";
            /** Format: double */
            score: number;
            /** Format: double */
            target_amount: number;
            /** Format: double */
            composed_amount: number;
            target: components["schemas"]["NamedRecord"];
            members: components["schemas"]["NamedRecord"][];
        };
        SimulationAnswerComposites: {
            /** Format: int64 */
            partial: number;
            /**
             * Format: int64
             * @description Targets whose search ended at its limit without a group
             */
            search_ended: number;
            /** @description Differences from the live groups of `against`; null without it, and of a pass */
            changes: components["schemas"]["SimulationAnswerCompositesChanges"] | null;
            /** @description The best groups */
            page: components["schemas"]["SimulatedComposite"][];
        };
        UnmatchedExampleNearest: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            /** Format: double */
            score: number;
            explanation: {
                [key: string]: unknown;
            } | null;
        };
        UnmatchedExample: {
            /** Format: uuid */
            record_id: string;
            external_id: string | null;
            nearest: components["schemas"]["UnmatchedExampleNearest"] | null;
        };
        UnmatchedOfSide: {
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            without_candidate: number;
            /** @description Some records with their best pair that is no MATCH */
            sample: components["schemas"]["UnmatchedExample"][];
        };
        SimulationAnswerUnmatched: {
            left: components["schemas"]["UnmatchedOfSide"];
            right: components["schemas"]["UnmatchedOfSide"];
        };
        ExamplePair: {
            /** Format: uuid */
            left_record_id: string;
            /** Format: uuid */
            right_record_id: string;
            /** Format: double */
            score: number;
        };
        SimulationAnswerExamples: {
            /** @description The best first */
            best: components["schemas"]["ExamplePair"][];
            /** @description Nearest to Tmatch */
            match: components["schemas"]["ExamplePair"][];
            /** @description Nearest to Tpossible */
            possible: components["schemas"]["ExamplePair"][];
            /** @description Some of all that score above 0 */
            random: components["schemas"]["ExamplePair"][];
        };
        SimulationAnswerCost: {
            /** Format: int64 */
            pairs: number;
            /**
             * Format: int64
             * @description Expressions for a pair that run compiled
             */
            compiled: number;
            /**
             * Format: int64
             * @description Those that run some hundred times as long
             */
            interpreted: number;
            /**
             * Format: int64
             * @description CPU time of comparing all pairs
             */
            cpu_ms: number;
        };
        SimulationAnswer: {
            /** @description False for the first answer, from few records */
            is_final: boolean;
            records: components["schemas"]["SimulationAnswerRecords"];
            /**
             * Format: int64
             * @description Candidates of the records read
             */
            pairs: number;
            decision_counts: components["schemas"]["SimulationAnswerDecisionCounts"];
            /** Format: int64 */
            possible_cut: number;
            unblocked: components["schemas"]["Unblocked"];
            /** @description The first ones, as in a job */
            errors: {
                [key: string]: unknown;
            }[];
            /**
             * Format: double
             * @description The highest score
             */
            scale: number;
            /** @description Pairs with a score in 100 bins, and those that win their records */
            histogram: components["schemas"]["SimulatedScoreRange"][];
            /** @description What 101 thresholds would decide */
            thresholds: components["schemas"]["SimulationAnswerThreshold"][];
            /** @description Differences from what is live or held of `against`, without what people decided on */
            changes: components["schemas"]["SimulationAnswerChanges"] | null;
            /** @description Groups that the rule set composes; null where it composes none, or a warning says why */
            composites: components["schemas"]["SimulationAnswerComposites"] | null;
            unmatched: components["schemas"]["SimulationAnswerUnmatched"];
            /** @description Pairs that people have not decided on. null in answers of versions before them */
            examples: components["schemas"]["SimulationAnswerExamples"] | null;
            /** @description Estimated for all records */
            cost: components["schemas"]["SimulationAnswerCost"];
            warnings: components["schemas"]["Warning"][];
        };
        Simulation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            left_dataset_id: string;
            /** Format: uuid */
            right_dataset_id: string;
            /** Format: uuid */
            against: string | null;
            /** Format: int64 */
            sample_records: number;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** Format: double */
            progress: number;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            answer: components["schemas"]["SimulationAnswer"] | null;
        };
        CancelSimulationAnswer: {
            /** @constant */
            status: "cancelled";
            /** Format: uuid */
            id: string;
        };
        PreviewedRuleSet: {
            name?: string;
            /**
             * Format: uuid
             * @description Needed with recordPairs and sample
             */
            leftDatasetId?: string;
            /**
             * Format: uuid
             * @description Needed with recordPairs and sample
             */
            rightDatasetId?: string;
            /**
             * @default jsonata
             * @enum {string}
             */
            engine?: "jsonata" | "jsonata-batch";
            /** @description Required when engine is jsonata */
            jsonataExpr?: string;
            params: components["schemas"]["RuleSetParams"];
            /** @description A map of your own, returned unchanged */
            logicJson?: {
                [key: string]: unknown;
            };
        };
        PreviewRuleSetRequestPair: {
            /** @description The data of a record */
            left: {
                [key: string]: unknown;
            };
            /** @description The data of a record */
            right: {
                [key: string]: unknown;
            };
        };
        PreviewRuleSetRequestRecordPair: {
            /** Format: uuid */
            left: string;
            /** Format: uuid */
            right: string;
        };
        PreviewRuleSetRequestSample: {
            /**
             * Format: int32
             * @default 10
             */
            limit?: number;
        };
        /**
         * @example {
         *       "ruleSetId": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "pairs": [
         *         {
         *           "left": {
         *             "amount": 12.5
         *           },
         *           "right": {
         *             "amount": "12.50"
         *           }
         *         }
         *       ]
         *     }
         */
        PreviewRuleSetRequest: {
            /**
             * Format: uuid
             * @description A stored rule set; or ruleSet
             */
            ruleSetId?: string;
            ruleSet?: components["schemas"]["PreviewedRuleSet"];
            pairs?: components["schemas"]["PreviewRuleSetRequestPair"][];
            /** @description Pairs of records of the two datasets, by ids */
            recordPairs?: components["schemas"]["PreviewRuleSetRequestRecordPair"][];
            /** @description Pairs of the newest records of both datasets that filters and blocking let through */
            sample?: components["schemas"]["PreviewRuleSetRequestSample"];
        };
        PreviewResultError: {
            code: string;
            message: string;
            /** @description Id of the expression that failed, as in `compiled` */
            expression: string;
        };
        PreviewResult: {
            /** Format: uuid */
            left_record_id?: string;
            /** Format: uuid */
            right_record_id?: string;
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE" | "NO_MATCH" | "ERROR";
            /** Format: double */
            score: number | null;
            explanation: {
                [key: string]: unknown;
            } | null;
            /** @description Why the pair never reached the score */
            dropped?: string;
            error?: components["schemas"]["PreviewResultError"];
        };
        Preview: {
            results: components["schemas"]["PreviewResult"][];
            /** @description By expression id: whether it runs compiled or through the reference */
            compiled: {
                [key: string]: "compiled" | "reference";
            };
            warnings: components["schemas"]["Warning"][];
        };
        RuleSetWarning: {
            code: string;
            /** @description It may quote the first error. Absent without the scope records:read */
            message?: string;
        };
        RuleSet: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            left_dataset_id: string;
            /** Format: uuid */
            right_dataset_id: string;
            /** @enum {string} */
            engine: "jsonata" | "jsonata-batch";
            jsonata_expr: string | null;
            params: components["schemas"]["RuleSetParams"];
            /** @description params with every default filled in */
            effective_params: {
                [key: string]: unknown;
            };
            logic_json: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description Raised by every change
             */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** @description What is worth checking in its definition and in what its last job found, and what to do about it */
            warnings: components["schemas"]["RuleSetWarning"][];
        };
        ListRuleSetsAnswer: {
            items: components["schemas"]["RuleSet"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "params": {
         *         "Tmatch": 0.9,
         *         "Tpossible": 0.6,
         *         "matchers": [
         *           {
         *             "id": "amount",
         *             "expr": "left.amount = right.amount",
         *             "weight": 0.6
         *           },
         *           {
         *             "id": "reference",
         *             "expr": "$contains(right.memo, left.number)",
         *             "weight": 0.4
         *           }
         *         ]
         *       }
         *     }
         */
        UpdateRuleSetRequest: {
            name?: string;
            /** Format: uuid */
            leftDatasetId?: string;
            /** Format: uuid */
            rightDatasetId?: string;
            /** @enum {string} */
            engine?: "jsonata" | "jsonata-batch";
            /** @description null removes it */
            jsonataExpr?: string | null;
            params?: components["schemas"]["RuleSetParams"];
            /** @description null removes it */
            logicJson?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description The version that the change was made to; another one answers 409
             */
            version?: number;
        };
        TruePair: {
            left: string;
            right: string;
        };
        TruePairsOfDataset: {
            /** @description A dataset with a pair a record, such as an uploaded file */
            dataset: string;
            /** @description Its field with the external id of the left record */
            left: string;
            /** @description Its field with the external id of the right record */
            right: string;
        };
        /** @description All pairs that belong together, by external ids */
        TruePairs: components["schemas"]["TruePair"][] | components["schemas"]["TruePairsOfDataset"];
        /**
         * @example {
         *       "truth": [
         *         {
         *           "left": "invoice-17",
         *           "right": "payment-4"
         *         }
         *       ]
         *     }
         */
        EvaluateRuleSetRequest: {
            truth: components["schemas"]["TruePairs"];
            /**
             * @description true: the truth names the pairs of some records only, and pairs of other records are not judged
             * @default false
             */
            partial?: boolean;
            /**
             * Format: int32
             * @description Wrong and missed pairs to list
             * @default 25
             */
            limit?: number;
        };
        PairQuality: {
            /** Format: int64 */
            pairs: number;
            /**
             * Format: int64
             * @description Of these, those that belong together
             */
            true_pairs: number;
            /**
             * Format: double
             * @description Share of true pairs; null without pairs
             */
            precision: number | null;
            /**
             * Format: double
             * @description Share of the truth that is found; null without truth
             */
            recall: number | null;
            /** Format: double */
            f1: number | null;
        };
        DecisionQuality: {
            /** @enum {string} */
            decision: "MATCH" | "POSSIBLE" | "NO_MATCH";
            /**
             * Format: int64
             * @description null for NO_MATCH, which is not stored
             */
            pairs: number | null;
            /** Format: int64 */
            true_pairs: number;
        };
        ThresholdQuality: {
            /** Format: double */
            threshold: number;
            /** Format: int64 */
            pairs: number;
            /**
             * Format: int64
             * @description Of these, those that belong together
             */
            true_pairs: number;
            /**
             * Format: double
             * @description Share of true pairs; null without pairs
             */
            precision: number | null;
            /**
             * Format: double
             * @description Share of the truth that is found; null without truth
             */
            recall: number | null;
            /** Format: double */
            f1: number | null;
            one_to_one: components["schemas"]["PairQuality"];
        };
        MatcherQuality: {
            id: string;
            name: string | null;
            /** Format: int64 */
            pairs: number;
            /**
             * Format: int64
             * @description Of these, those that belong together
             */
            true_pairs: number;
            /**
             * Format: double
             * @description Share of true pairs; null without pairs
             */
            precision: number | null;
            /**
             * Format: double
             * @description Share of the truth that is found; null without truth
             */
            recall: number | null;
            /** Format: double */
            f1: number | null;
        };
        Mistake: {
            /** Format: uuid */
            match_id: string | null;
            /** Format: uuid */
            left_record_id: string;
            /** Format: uuid */
            right_record_id: string;
            left_external_id: string | null;
            right_external_id: string | null;
            /** Format: double */
            score: number | null;
            /** @description null with the reason not_compared: score and explanation are what the rules say of the pair */
            decision: ("MATCH" | "POSSIBLE" | "NO_MATCH" | "ERROR") | null;
            /** @description Of a missed pair. not_compared: the rules would keep it, but blocking, the assignment, the limit of POSSIBLE pairs or a rejection did not */
            reason: ("possible" | "below_threshold" | "dropped" | "error" | "not_compared") | null;
            explanation: {
                [key: string]: unknown;
            } | null;
        };
        Mistakes: {
            /** Format: int64 */
            total: number;
            items: components["schemas"]["Mistake"][];
        };
        Evaluation: {
            /** Format: uuid */
            rule_set_id: string;
            /**
             * Format: uuid
             * @description The job whose results are live
             */
            matching_job_id: string;
            /**
             * Format: int64
             * @description Pairs of the truth whose records exist, each once
             */
            true_pairs: number;
            pairwise: components["schemas"]["PairQuality"];
            /** @description With each record in its best match only */
            one_to_one: components["schemas"]["PairQuality"];
            by_decision: components["schemas"]["DecisionQuality"][];
            /** @description What Tmatch at each hundredth of the scale, from Tpossible on, would match of the kept pairs */
            by_threshold: components["schemas"]["ThresholdQuality"][];
            /** @description What the kept pairs would match if the matcher abstained. Pairs that no job kept are not seen: a matcher that keeps wrong pairs out is worth more than this says */
            without_matcher: components["schemas"]["MatcherQuality"][];
            /** @description Matches that do not belong together, the best first */
            wrong: components["schemas"]["Mistakes"];
            /** @description Pairs that belong together and are no match: POSSIBLE ones first */
            missed: components["schemas"]["Mistakes"];
            warnings: components["schemas"]["Warning"][];
        };
        /**
         * @example {
         *       "truth": [
         *         {
         *           "left": "invoice-17",
         *           "right": "payment-4"
         *         }
         *       ]
         *     }
         */
        ExportEvaluationRequest: {
            truth: components["schemas"]["TruePairs"];
            /**
             * @description true: the truth names the pairs of some records only, and pairs of other records are not judged
             * @default false
             */
            partial?: boolean;
        };
        /**
         * @example {
         *       "name": "transactions"
         *     }
         */
        CreateDatasetRequest: {
            /** @description Unique within the tenant */
            name: string;
            /** @description `records` when absent */
            kind?: string;
            /** Format: uuid */
            dataSourceId?: string;
            selection?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "id": "01994e6c-4d30-7f66-9e24-8d3f5a7b9c43",
         *       "data_source_id": null,
         *       "name": "transactions",
         *       "kind": "records",
         *       "selection": {},
         *       "created_at": "2026-09-15T08:33:00.000Z"
         *     }
         */
        Dataset: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            data_source_id: string | null;
            name: string;
            kind: string;
            /** @description Free form: the part of the source that the dataset holds */
            selection: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        ListDatasetsAnswer: {
            items: components["schemas"]["Dataset"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "name": "bank transactions"
         *     }
         */
        UpdateDatasetRequest: {
            /** @description Unique within the tenant */
            name?: string;
            kind?: string;
            selection?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "sample": {
         *         "amount": "120.50",
         *         "date": "2026-09-01"
         *       }
         *     }
         */
        GetDatasetSampleAnswer: {
            /** @description The data of the record last created */
            sample: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @example {
         *       "status": "processing",
         *       "fields_version": 4,
         *       "records_total": 1200,
         *       "records_processed": 300,
         *       "percent": 25
         *     }
         */
        DatasetProgress: {
            /**
             * @description processing: records wait to be normalised, for the first time or after a change of fields
             * @enum {string}
             */
            status: "idle" | "processing";
            /**
             * Format: int64
             * @description Raised by every change of the fields
             */
            fields_version: number;
            /** Format: int64 */
            records_total: number;
            /**
             * Format: int64
             * @description Ready or failed under the present fields
             */
            records_processed: number;
            /** Format: double */
            percent: number;
        };
        /**
         * @example {
         *       "id": "01994e6c-5e40-7077-af35-9e4a6b8cad54",
         *       "dataset_id": "01994e6c-4d30-7f66-9e24-8d3f5a7b9c43",
         *       "name": "Valor Total",
         *       "type": "amount",
         *       "key": "valor_total",
         *       "source_path": "Valor Total",
         *       "transform_expr": null,
         *       "is_identity": false,
         *       "created_at": "2026-09-15T08:34:00.000Z"
         *     }
         */
        DatasetField: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            dataset_id: string;
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "amount" | "boolean" | "date" | "datetime" | "array" | "object";
            key: string;
            source_path: string | null;
            transform_expr: string | null;
            /** @description The field takes part in identifying a record that has no external id */
            is_identity: boolean;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "name": "Valor Total",
         *       "key": "valor_total",
         *       "type": "amount",
         *       "sourcePath": "Valor Total"
         *     }
         */
        CreateDatasetFieldRequest: {
            name: string;
            key: string;
            /** @enum {string} */
            type: "string" | "number" | "amount" | "boolean" | "date" | "datetime" | "array" | "object";
            /** @description Dotted path into the record; `key` when absent */
            sourcePath?: string | null;
            /** @description JSONata over the record; used instead of sourcePath */
            transform_expr?: string | null;
            isIdentity?: boolean;
        };
        CreateDatasetFieldsFromColumnsRequestColumn: {
            name: string;
            /**
             * @description Inferred from the records when absent
             * @enum {string}
             */
            type?: "string" | "number" | "amount" | "boolean" | "date" | "datetime" | "array" | "object";
            key?: string;
        };
        /**
         * @example {
         *       "columns": [
         *         {
         *           "name": "Valor Total"
         *         },
         *         {
         *           "name": "Data",
         *           "type": "date",
         *           "key": "date"
         *         }
         *       ]
         *     }
         */
        CreateDatasetFieldsFromColumnsRequest: {
            columns: components["schemas"]["CreateDatasetFieldsFromColumnsRequestColumn"][];
        };
        PreviewDatasetFieldsRequestField: {
            key: string;
            /** @enum {string} */
            type: "string" | "number" | "amount" | "boolean" | "date" | "datetime" | "array" | "object";
            /** @description Dotted path into the record; `key` when absent */
            sourcePath?: string | null;
            /** @description JSONata over the record; used instead of sourcePath */
            transform_expr?: string | null;
            /**
             * @description Of numbers that are text. Default: .
             * @enum {string}
             */
            decimalSeparator?: "." | ",";
            /** @description Of dates that are not ISO 8601, such as DD/MM/YYYY */
            dateFormat?: string;
        };
        /**
         * @example {
         *       "fields": [
         *         {
         *           "key": "total",
         *           "type": "amount",
         *           "transform_expr": "$amount(price) * quantity"
         *         }
         *       ],
         *       "records": [
         *         {
         *           "price": "EUR 2.50",
         *           "quantity": 3
         *         }
         *       ]
         *     }
         */
        PreviewDatasetFieldsRequest: {
            fields: components["schemas"]["PreviewDatasetFieldsRequestField"][];
            records: {
                [key: string]: unknown;
            }[];
        };
        PreviewDatasetFieldsAnswerRecordError: {
            field: string;
            code: string;
            message: string;
        };
        PreviewDatasetFieldsAnswerRecord: {
            /** @description Values by key of the field */
            fields: {
                [key: string]: unknown;
            };
            /** @description Fields without a value, and why */
            errors: components["schemas"]["PreviewDatasetFieldsAnswerRecordError"][];
        };
        PreviewDatasetFieldsAnswer: {
            /** @description In the order of the records */
            records: components["schemas"]["PreviewDatasetFieldsAnswerRecord"][];
        };
        /**
         * @example {
         *       "type": "amount"
         *     }
         */
        UpdateDatasetFieldRequest: {
            name?: string;
            key?: string;
            /** @enum {string} */
            type?: "string" | "number" | "amount" | "boolean" | "date" | "datetime" | "array" | "object";
            /** @description Dotted path into the record; `key` when absent */
            sourcePath?: string | null;
            /** @description JSONata over the record; used instead of sourcePath */
            transform_expr?: string | null;
            isIdentity?: boolean;
        };
        /**
         * @example {
         *       "name": "ERP",
         *       "kind": "erp"
         *     }
         */
        CreateDataSourceRequest: {
            name: string;
            kind: string;
        };
        /**
         * @example {
         *       "id": "01994e6c-3c20-7e55-8d13-7c2e4f6a8b32",
         *       "name": "ERP",
         *       "kind": "erp",
         *       "created_at": "2026-09-15T08:32:00.000Z"
         *     }
         */
        DataSource: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Free text; `api` is the source of datasets that records created */
            kind: string;
            /** Format: date-time */
            created_at: string;
        };
        ListDataSourcesAnswer: {
            items: components["schemas"]["DataSource"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        UploadFileRequest: {
            /** Format: binary */
            file: string;
            /** @description Name of the dataset for the rows, created on first use. Default: the name of the file without its extension */
            dataset?: string;
            /**
             * @description Default: detected from the content
             * @enum {string}
             */
            format?: "csv" | "tsv" | "xlsx" | "json" | "ndjson" | "ofx" | "qif" | "mt940" | "mt942" | "camt.052" | "camt.053" | "camt.054";
            /** @description XLSX: name of the sheet. Default: the first */
            sheet?: string;
            /** @description CSV: the character between cells; \t for a tab. Default: detected from the content */
            delimiter?: string;
            /** @description CSV: the character around cells; empty for none. Default: detected from the content */
            quote?: string;
            /** @description Text files: utf-8, utf-16le, windows-1252, iso-8859-1 … Default: detected from the content */
            encoding?: string;
            /**
             * @description Of numbers that are text. Default: proved by the content, for each column
             * @enum {string}
             */
            decimalSeparator?: "." | ",";
            /** @description Of dates that are not ISO 8601, such as DD/MM/YYYY. Default: proved by the content, for each column */
            dateFormat?: string;
            /** @description Tables: whether a row names the columns. Default: as the content shows */
            header?: boolean;
            /**
             * Format: int64
             * @description Tables: number of the line that names the columns. Default: found by the content
             */
            headerRow?: number;
            /**
             * Format: int64
             * @description Tables: number of lines at the beginning that are left out. Default: 0
             */
            skipLines?: number;
            /** @description CSV: lines that begin with this text are left out; empty for none. Default: # where it marks remarks */
            comment?: string;
            /** @description Tables: false, all rows at the end are data; true, totals and notes there are left out, doubtful ones too. Default: clear ones are left out */
            footer?: boolean;
            /** @description JSON: names that lead to the list of rows, with points between them, such as data.items. Default: found by the content */
            path?: string;
            /**
             * @description For a row without identity that equals a row of an earlier file, also uploaded with same: same, it is that record; new, it becomes a new record. Default: new
             * @enum {string}
             */
            equalRows?: "same" | "new";
            /**
             * @description OFX and camt: format, a transaction that another file has too is one record, where the dataset has no identity fields; none, each is a new record. Default: format
             * @enum {string}
             */
            identity?: "format" | "none";
            /**
             * Format: uuid
             * @description Id of an earlier file of the dataset. Once this file is read, records of the earlier one that it does not hold are removed
             */
            replaces?: string;
            /**
             * @description Adds a field to the dataset for each column that no field reads yet, with the type of its values
             * @default false
             */
            fromColumns?: boolean;
        };
        FileReadingAlternative: {
            /** @description Null for one cell in each line, and for other formats */
            delimiter: string | null;
            /**
             * Format: int64
             * @description Line that names the columns; null where none does
             */
            header_row: number | null;
            /** Format: double */
            confidence: number;
        };
        /** @description How the file is read: the reading by which the sample is most consistent. Below a confidence of 0.5 a warning says what to check */
        FileReading: {
            format: string;
            encoding: string | null;
            /** @description Null for one cell in each line, and for other formats */
            delimiter: string | null;
            quote: string | null;
            /**
             * Format: int64
             * @description Line that names the columns; null where none does
             */
            header_row: number | null;
            /** Format: int64 */
            skip_lines: number;
            /** @description Lines that begin with it are left out */
            comment: string | null;
            sheet: string | null;
            /** @description JSON: names that lead to the list of rows */
            path: string | null;
            decimal_separator: string | null;
            /** @description Format of the dates of a column that are not ISO 8601 */
            date_formats: {
                [key: string]: unknown;
            };
            /** @description Type of each column, by its first rows */
            types: {
                [key: string]: unknown;
            };
            /** Format: double */
            confidence: number;
            alternatives: components["schemas"]["FileReadingAlternative"][];
        };
        Remedy: {
            option: string;
            value: string | null;
        };
        FileWarning: {
            code: string;
            column: string | null;
            /** @description The assumption, and what to do about the file where it is wrong. Absent without the scope records:read */
            message?: string;
            /** @description Options of an upload: where the assumption is wrong, upload the file again with the one that holds. A value is null where the content shows none. Absent without the scope records:read */
            remedies?: components["schemas"]["Remedy"][];
            /**
             * Format: int64
             * @description Lines of footer_skipped, reviews of reviews_lost, rows of no_ready_rows
             */
            count?: number;
        };
        DataSourceFileMetadataProgress: {
            /**
             * Format: int64
             * @description Rows that are stored or rejected
             */
            processed: number;
            /**
             * Format: double
             * @description Share of the file that is read; null where that is not known
             */
            percent: number | null;
        };
        FileStatementBalance: {
            /** @description opening, closing, available, ledger …, or the code of the format */
            type: string;
            amount: components["schemas"]["Amount"];
            currency: string | null;
            date: string | null;
        };
        FileStatement: {
            id: string | null;
            account_id: string | null;
            currency: string | null;
            /** Format: int64 */
            transactions: number;
            balances: components["schemas"]["FileStatementBalance"][];
            /** @description Text of the bank that belongs to no transaction, at most 1 KiB */
            additional_information?: string;
        };
        DataSourceFileMetadata: {
            /** Format: uuid */
            datasetId: string;
            /** @description Name of the dataset */
            dataset: string;
            /** @description The options of the upload */
            options: {
                [key: string]: unknown;
            };
            progress: components["schemas"]["DataSourceFileMetadataProgress"];
            /**
             * Format: int64
             * @description Rows that are records and ready
             */
            ready: number;
            /**
             * Format: int64
             * @description Rows that are records of status failed: a value does not fit its field
             */
            failed: number;
            /**
             * Format: int64
             * @description Rows that could not be read; see the errors of the file
             */
            rejected: number;
            /**
             * Format: int64
             * @description With equalRows=same: records of rows without identity that an earlier file had too
             */
            repeated: number;
            /** @description How the file is read: encoding, delimiter, quote, decimalSeparator(s), dateFormats, sheet */
            detected: {
                [key: string]: unknown;
            } | null;
            /** @description Account and balances of the first 100 statements. Absent without the scope records:read */
            statements?: components["schemas"]["FileStatement"][];
            /** @description Tables: the pairs above the table. Absent without the scope records:read */
            preamble?: {
                [key: string]: unknown;
            };
            /** @description The same as warnings of the file */
            warnings: components["schemas"]["FileWarning"][];
            errorCode: string | null;
            /**
             * Format: uuid
             * @description The file of the dataset with the same content: this one added no records
             */
            duplicateOf: string | null;
            /**
             * Format: uuid
             * @description The file whose rows this one replaces: one with the same content but other options, or one that the upload named
             */
            replaces: string | null;
            /**
             * Format: uuid
             * @description The file that replaced the rows of this one
             */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @description When its bytes and the list of its errors were removed because of their age; its records remain
             */
            expiredAt: string | null;
        };
        /**
         * @example {
         *       "id": "01994e70-2b30-7c51-9c11-2f4e6a8b0c3d",
         *       "dataSourceId": "01994e6c-3c20-7e55-8d13-7c2e4f6a8b32",
         *       "tenantId": "01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10",
         *       "fileName": "01994e70-2b30-7c51-9c11-2f4e6a8b0c3d",
         *       "originalName": "statement-march.csv",
         *       "filePath": "01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10/01994e70-2b30-7c51-9c11-2f4e6a8b0c3d",
         *       "mimeType": "text/csv",
         *       "format": "csv",
         *       "sizeBytes": 48211,
         *       "rowCount": 312,
         *       "headers": [
         *         "Buchungstag",
         *         "Betrag",
         *         "Verwendungszweck"
         *       ],
         *       "sheetNames": [],
         *       "status": "ready",
         *       "reading": {
         *         "format": "csv",
         *         "encoding": "windows-1252",
         *         "delimiter": ";",
         *         "quote": "\"",
         *         "header_row": 1,
         *         "skip_lines": 0,
         *         "comment": null,
         *         "sheet": null,
         *         "path": null,
         *         "decimal_separator": ",",
         *         "date_formats": {
         *           "Buchungstag": "DD.MM.YYYY"
         *         },
         *         "types": {
         *           "Buchungstag": "date",
         *           "Betrag": "amount",
         *           "Verwendungszweck": "string"
         *         },
         *         "confidence": 1,
         *         "alternatives": []
         *       },
         *       "warnings": [],
         *       "errorMessage": null,
         *       "metadata": {
         *         "datasetId": "01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d",
         *         "dataset": "statement-march",
         *         "options": {},
         *         "progress": {
         *           "processed": 312,
         *           "percent": 100
         *         },
         *         "ready": 309,
         *         "failed": 2,
         *         "rejected": 1,
         *         "repeated": 0,
         *         "detected": {
         *           "encoding": "windows-1252",
         *           "delimiter": ";",
         *           "quote": "\"",
         *           "decimalSeparator": ",",
         *           "decimalSeparators": {},
         *           "dateFormats": {
         *             "Buchungstag": "DD.MM.YYYY"
         *           },
         *           "sheet": null
         *         },
         *         "statements": [],
         *         "preamble": {},
         *         "warnings": [],
         *         "errorCode": null,
         *         "duplicateOf": null,
         *         "replaces": null,
         *         "replacedBy": null,
         *         "expiredAt": null
         *       },
         *       "uploadedAt": "2026-04-01T08:30:00.000Z",
         *       "processedAt": "2026-04-01T08:30:01.204Z"
         *     }
         */
        DataSourceFile: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            dataSourceId: string;
            /** Format: uuid */
            tenantId: string;
            /** @description The name under which the file is stored */
            fileName: string;
            /** @description The name that the upload gave */
            originalName: string;
            /** @description The path of the file in the storage */
            filePath: string;
            /** @description Detected from the content, even if the file cannot be read; null until then */
            mimeType: string | null;
            /** @description Detected from the content: csv, tsv, xlsx, json, ndjson, ofx, qif, mt940, mt942, camt.052, camt.053, camt.054; null until then, and for any other format */
            format: string | null;
            /** Format: int64 */
            sizeBytes: number;
            /**
             * Format: int64
             * @description Rows of data so far, rejected ones included; once the file is ready, of the whole file
             */
            rowCount: number;
            /** @description Names of the columns, as they are in the data of the records. Without records:read, columns of a doubtful reading are numbered, as their names may be values */
            headers: string[];
            /** @description Sheets of a workbook */
            sheetNames: string[];
            /** @enum {string} */
            status: "uploaded" | "processing" | "ready" | "failed";
            /** @description Null until the content is read */
            reading: components["schemas"]["FileReading"] | null;
            /** @description Of the reading: reading_uncertain, encoding_guessed, no_header, header_joined, lines_skipped, columns_without_name, repeated_header, remarks_skipped, remarks_kept, amounts_joined, amounts_cut, file_cut, nested_rows, archive_files_skipped, sheets_skipped; of columns: ambiguous_number, ambiguous_date, column_mostly_amounts, column_mostly_dates, column_mixed_types, column_mixed_currencies, column_with_units, number_not_exact, numbers_as_text, other_calendar, serial_dates; of rows: footer_skipped, totals; of statements: balance_differs, bank_error, batch_kept_whole, closing_balance_missing, currency_missing, day_corrected, identity_repeated, invalid_characters, negative_amounts, no_transactions, pending_transactions, splits_differ, statement_missing; of the dataset: no_field_values, no_ready_rows, records_without_identity, reviews_lost */
            warnings: components["schemas"]["FileWarning"][];
            /** @description Why the file failed, and what to do. Absent without the scope records:read */
            errorMessage?: string | null;
            /** @description Further details of the file */
            metadata: components["schemas"]["DataSourceFileMetadata"];
            /** Format: date-time */
            uploadedAt: string;
            /** Format: date-time */
            processedAt: string | null;
        };
        PreviewFileRequest: {
            /** Format: binary */
            file: string;
            /** @description Name of the dataset for the rows, created on first use. Default: the name of the file without its extension */
            dataset?: string;
            /**
             * @description Default: detected from the content
             * @enum {string}
             */
            format?: "csv" | "tsv" | "xlsx" | "json" | "ndjson" | "ofx" | "qif" | "mt940" | "mt942" | "camt.052" | "camt.053" | "camt.054";
            /** @description XLSX: name of the sheet. Default: the first */
            sheet?: string;
            /** @description CSV: the character between cells; \t for a tab. Default: detected from the content */
            delimiter?: string;
            /** @description CSV: the character around cells; empty for none. Default: detected from the content */
            quote?: string;
            /** @description Text files: utf-8, utf-16le, windows-1252, iso-8859-1 … Default: detected from the content */
            encoding?: string;
            /**
             * @description Of numbers that are text. Default: proved by the content, for each column
             * @enum {string}
             */
            decimalSeparator?: "." | ",";
            /** @description Of dates that are not ISO 8601, such as DD/MM/YYYY. Default: proved by the content, for each column */
            dateFormat?: string;
            /** @description Tables: whether a row names the columns. Default: as the content shows */
            header?: boolean;
            /**
             * Format: int64
             * @description Tables: number of the line that names the columns. Default: found by the content
             */
            headerRow?: number;
            /**
             * Format: int64
             * @description Tables: number of lines at the beginning that are left out. Default: 0
             */
            skipLines?: number;
            /** @description CSV: lines that begin with this text are left out; empty for none. Default: # where it marks remarks */
            comment?: string;
            /** @description Tables: false, all rows at the end are data; true, totals and notes there are left out, doubtful ones too. Default: clear ones are left out */
            footer?: boolean;
            /** @description JSON: names that lead to the list of rows, with points between them, such as data.items. Default: found by the content */
            path?: string;
            /**
             * @description For a row without identity that equals a row of an earlier file, also uploaded with same: same, it is that record; new, it becomes a new record. Default: new
             * @enum {string}
             */
            equalRows?: "same" | "new";
            /**
             * @description OFX and camt: format, a transaction that another file has too is one record, where the dataset has no identity fields; none, each is a new record. Default: format
             * @enum {string}
             */
            identity?: "format" | "none";
            /**
             * Format: uuid
             * @description Id of an earlier file of the dataset. Once this file is read, records of the earlier one that it does not hold are removed
             */
            replaces?: string;
            /**
             * @description Adds a field to the dataset for each column that no field reads yet, with the type of its values
             * @default false
             */
            fromColumns?: boolean;
        };
        ReadingWarning: {
            code: string;
            column: string | null;
            /** @description The assumption, and what to do about the file where it is wrong */
            message: string;
            /** @description Options of an upload: where the assumption is wrong, upload the file again with the one that holds. A value is null where the content shows none */
            remedies: components["schemas"]["Remedy"][];
            /**
             * Format: int64
             * @description Lines of footer_skipped, reviews of reviews_lost, rows of no_ready_rows
             */
            count?: number;
        };
        FilePreviewField: {
            key: string;
            column: string;
            type: string;
        };
        FilePreviewRowError: {
            column: string;
            field: string;
            code: string;
            message: string;
        };
        FilePreviewRow: {
            /** Format: int64 */
            line: number;
            /** @description The row as it is read */
            data: {
                [key: string]: unknown;
            };
            /** @description Values that fit their field, by its key */
            fields: {
                [key: string]: unknown;
            };
            /** @description Cells that do not fit their field */
            errors: components["schemas"]["FilePreviewRowError"][];
        };
        /**
         * @example {
         *       "line": 17,
         *       "column": null,
         *       "code": "too_many_columns",
         *       "message": "has 5 cells where the header has 3",
         *       "raw": "01.03.2026;10,00;a;b;c",
         *       "recordId": null
         *     }
         */
        RowError: {
            /**
             * Format: int64
             * @description Line of the file, row of the sheet, or number of the item
             */
            line: number;
            column: string | null;
            code: string;
            message: string;
            /** @description The row as it was read, cut at 1 KiB */
            raw: string;
            /**
             * Format: uuid
             * @description The record of status failed that the row became; null where the row could not be read
             */
            recordId: string | null;
        };
        FilePreview: {
            format: string;
            mimeType: string;
            headers: string[];
            sheetNames: string[];
            reading: components["schemas"]["FileReading"];
            /** @description The pairs above the table */
            preamble: {
                [key: string]: unknown;
            };
            warnings: components["schemas"]["ReadingWarning"][];
            /** @description Fields of the dataset without an expression, if it exists; with fromColumns, or without fields, those that the columns would add */
            fields: components["schemas"]["FilePreviewField"][];
            /** @description The first 50 rows */
            rows: components["schemas"]["FilePreviewRow"][];
            /** @description Rows among them that cannot be read */
            rejected: components["schemas"]["RowError"][];
        };
        ListFileErrorsAnswer: {
            items: components["schemas"]["RowError"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "url": "https://receiver.example.com/tieout",
         *       "createdAt": "2026-09-15T08:31:00.000Z",
         *       "updatedAt": "2026-09-15T08:31:00.000Z"
         *     }
         */
        Webhook: {
            /**
             * Format: uuid
             * @description UUID v7
             */
            id: string;
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The events that it receives; absent: all */
            events?: ("ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD")[];
            /**
             * @description Only while it has no signing secret: rotate-signing-secret gives it one
             * @constant
             */
            signsWith?: "secret";
            /**
             * Format: date-time
             * @description Only while the signing secret of before the last rotation signs as well
             */
            oldSigningSecretUntil?: string;
        };
        ListWebhooksAnswerData: {
            webhooks: components["schemas"]["Webhook"][];
        };
        ListWebhooksAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["ListWebhooksAnswerData"];
        };
        GetWebhookAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["Webhook"];
        };
        /**
         * @example {
         *       "url": "https://receiver.example.com/tieout",
         *       "secret": "f2b6c1d09e3a4b57",
         *       "events": [
         *         "MATCHING_JOB_COMPLETED"
         *       ]
         *     }
         */
        CreateWebhookRequest: {
            /** @description https, a public host by name, port 443 or 8443 unless configured otherwise */
            url: string;
            /** @description Sent unchanged in the header Authorization: 1 to 1024 printable ASCII characters, no space at either end */
            secret: string;
            /** @description The events that it receives; absent: all */
            events?: ("ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD")[];
            /** @description Signs deliveries: whsec_ and 24 to 64 random bytes in base64, or as many printable characters. Default: a new one */
            signingSecret?: string;
        };
        /**
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "url": "https://receiver.example.com/tieout",
         *       "createdAt": "2026-09-15T08:31:00.000Z",
         *       "updatedAt": "2026-09-15T08:31:00.000Z",
         *       "secret": "f2b6c1d09e3a4b57",
         *       "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        CreatedWebhook: {
            /**
             * Format: uuid
             * @description UUID v7
             */
            id: string;
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The events that it receives; absent: all */
            events?: ("ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD")[];
            /**
             * @description Only while it has no signing secret: rotate-signing-secret gives it one
             * @constant
             */
            signsWith?: "secret";
            /**
             * Format: date-time
             * @description Only while the signing secret of before the last rotation signs as well
             */
            oldSigningSecretUntil?: string;
            /** @description The secret as it was sent: shown in this answer only */
            secret: string;
            /** @description Signs deliveries: shown in this answer only */
            signingSecret: string;
        };
        CreateWebhookAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["CreatedWebhook"];
        };
        /**
         * @example {
         *       "url": "https://receiver.example.com/tieout",
         *       "secret": "f2b6c1d09e3a4b57",
         *       "events": [
         *         "MATCHING_JOB_COMPLETED"
         *       ]
         *     }
         */
        UpdateWebhookRequest: {
            /** @description https, a public host by name, port 443 or 8443 unless configured otherwise */
            url: string;
            /** @description Sent unchanged in the header Authorization: 1 to 1024 printable ASCII characters, no space at either end */
            secret: string;
            /** @description The events that it receives; absent: all */
            events?: ("ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD")[];
        };
        UpdateWebhookAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["Webhook"];
        };
        /**
         * @example {
         *       "overlapSeconds": 86400
         *     }
         */
        RotateWebhookSigningSecretRequest: {
            /** @description Signs deliveries: whsec_ and 24 to 64 random bytes in base64, or as many printable characters. Default: a new one */
            signingSecret?: string;
            /**
             * Format: int32
             * @description For how long the signing secret of until now signs as well
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /**
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "url": "https://receiver.example.com/tieout",
         *       "createdAt": "2026-09-15T08:31:00.000Z",
         *       "updatedAt": "2026-09-15T08:31:00.000Z",
         *       "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        RotatedWebhook: {
            /**
             * Format: uuid
             * @description UUID v7
             */
            id: string;
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The events that it receives; absent: all */
            events?: ("ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD")[];
            /**
             * @description Only while it has no signing secret: rotate-signing-secret gives it one
             * @constant
             */
            signsWith?: "secret";
            /**
             * Format: date-time
             * @description Only while the signing secret of before the last rotation signs as well
             */
            oldSigningSecretUntil?: string;
            /** @description Signs from now on: shown in this answer only */
            signingSecret: string;
        };
        RotateWebhookSigningSecretAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["RotatedWebhook"];
        };
        DeleteWebhookAnswer: {
            /** @constant */
            status: "success";
            message: string;
        };
        /** @description One event on its way to one webhook */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            event: string;
            /**
             * Format: uuid
             * @description data.eventId of the body, and the header webhook-id
             */
            eventId: string;
            /** @enum {string} */
            status: "pending" | "sending" | "retry_scheduled" | "delivered" | "abandoned" | "cancelled";
            /** Format: int64 */
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ListWebhookDeliveriesAnswerData: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        ListWebhookDeliveriesAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["ListWebhookDeliveriesAnswerData"];
        };
        WebhookAttempt: {
            /** Format: int64 */
            number: number;
            /** @enum {string} */
            trigger: "schedule" | "manual";
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: int64
             * @description For an attempt whose process was lost: the longest that it can have lasted
             */
            durationMs: number;
            /**
             * @description delivered: status 200 to 299; interrupted: our process was stopped or lost during the attempt
             * @enum {string}
             */
            outcome: "delivered" | "http_status" | "redirect" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "protocol_error" | "blocked_address" | "interrupted";
            /** Format: int64 */
            responseStatus: number | null;
            /** @description Its first 4 KiB */
            responseBody: string | null;
            bodyState: ("complete" | "truncated" | "deadline" | "error") | null;
            remoteAddress: string | null;
            /** @description As the receiver sent it; the schedule stays */
            retryAfter: string | null;
            error: string | null;
        };
        WebhookDeliveryDetail: {
            /** Format: uuid */
            id: string;
            event: string;
            /**
             * Format: uuid
             * @description data.eventId of the body, and the header webhook-id
             */
            eventId: string;
            /** @enum {string} */
            status: "pending" | "sending" | "retry_scheduled" | "delivered" | "abandoned" | "cancelled";
            /** Format: int64 */
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        GetWebhookDeliveryAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["WebhookDeliveryDetail"];
        };
        RetryWebhookDeliveryAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["WebhookDelivery"];
        };
        TestWebhookAnswer: {
            /** @constant */
            status: "success";
            data: components["schemas"]["WebhookDelivery"];
        };
        ConnectorParameter: {
            /** @description The key in parameters */
            name: string;
            label: string;
            required: boolean;
            /** @description It is not shown while it is typed */
            secret: boolean;
        };
        Connector: {
            /** @description The connectorId of POST /v1/items */
            id: string;
            name: string;
            parameters: components["schemas"]["ConnectorParameter"][];
        };
        ListConnectorsAnswer: {
            items: components["schemas"]["Connector"][];
        };
        ItemError: {
            /** @enum {string} */
            code: "LOGIN_IN_PROGRESS" | "WAITING_USER_INPUT" | "USER_AUTHORIZATION_PENDING" | "COLLECTING" | "SUCCESS" | "PARTIAL_SUCCESS" | "INVALID_CREDENTIALS" | "INVALID_CREDENTIALS_MFA" | "ACCOUNT_LOCKED" | "SITE_NOT_AVAILABLE" | "USER_INPUT_TIMEOUT" | "ERROR";
            message: string;
        };
        /** @description Set while WAITING_USER_ACTION: what the user has to do in another place */
        ItemUserAction: {
            /** @enum {string} */
            type: "app" | "qr" | "redirect";
            instructions: string;
            /** @description The address to open, or to show as a QR code */
            url: string | null;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description Set while WAITING_USER_INPUT: the input for POST /v1/items/{id}/mfa */
        ItemParameter: {
            /** @description The key in the parameters of the answer */
            name: string;
            label: string;
            /** @enum {string} */
            type: "text" | "number" | "password" | "image";
            /** @description The picture, where the question is one */
            data: string | null;
            /** Format: date-time */
            expiresAt: string;
        };
        /**
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "connector_id": "sandbox",
         *       "status": "UPDATED",
         *       "execution_status": "SUCCESS",
         *       "client_user_id": null,
         *       "products": [],
         *       "error": null,
         *       "user_action": null,
         *       "parameter": null,
         *       "consent_expires_at": null,
         *       "next_sync_at": "2026-09-15T20:31:00.000Z",
         *       "created_at": "2026-09-15T08:30:58.000Z",
         *       "updated_at": "2026-09-15T08:31:00.000Z",
         *       "last_updated_at": "2026-09-15T08:31:00.000Z"
         *     }
         */
        Item: {
            /** Format: uuid */
            id: string;
            connector_id: string;
            /** @enum {string} */
            status: "UPDATING" | "WAITING_USER_INPUT" | "WAITING_USER_ACTION" | "UPDATED" | "LOGIN_ERROR" | "OUTDATED";
            /**
             * @description The progress of the running sync, or how the last one ended
             * @enum {string}
             */
            execution_status: "LOGIN_IN_PROGRESS" | "WAITING_USER_INPUT" | "USER_AUTHORIZATION_PENDING" | "COLLECTING" | "SUCCESS" | "PARTIAL_SUCCESS" | "INVALID_CREDENTIALS" | "INVALID_CREDENTIALS_MFA" | "ACCOUNT_LOCKED" | "SITE_NOT_AVAILABLE" | "USER_INPUT_TIMEOUT" | "ERROR";
            client_user_id: string | null;
            products: string[];
            /** @description Why the last sync failed or is incomplete */
            error: components["schemas"]["ItemError"] | null;
            user_action: components["schemas"]["ItemUserAction"] | null;
            parameter: components["schemas"]["ItemParameter"] | null;
            /** Format: date-time */
            consent_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the next scheduled sync starts
             */
            next_sync_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When its data were last collected
             */
            last_updated_at: string | null;
        };
        ListItemsAnswer: {
            items: components["schemas"]["Item"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "connectorId": "sandbox",
         *       "parameters": {
         *         "user": "ok",
         *         "password": "any"
         *       }
         *     }
         */
        CreateItemRequest: {
            /** @description The institution; a service without a provider of its own has one, sandbox */
            connectorId: string;
            /** @description The input that the login of the connector needs. Encrypted, never returned, deleted once the provider has it */
            parameters: {
                [key: string]: string;
            };
            /** @description Your own id of its user */
            clientUserId?: string;
            /** @description What the item is for; stored with it */
            products?: string[];
        };
        /**
         * @description {}: collect new data. With parameters: log in again
         * @example {}
         * @example {
         *       "parameters": {
         *         "user": "ok",
         *         "password": "any"
         *       }
         *     }
         */
        UpdateItemRequest: {
            /** @description The input that the login of the connector needs. Encrypted, never returned, deleted once the provider has it */
            parameters?: {
                [key: string]: string;
            };
        };
        /**
         * @description The requested input by its name; {} when the user has done the requested action
         * @example {
         *       "parameters": {
         *         "token": "123456"
         *       }
         *     }
         */
        AnswerItemRequest: {
            /** @description The input that the login of the connector needs. Encrypted, never returned, deleted once the provider has it */
            parameters?: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "dataset": "bank_lines"
         *     }
         */
        IngestItemRequest: {
            /** @description Name of a dataset */
            dataset: string;
            /** @description Absent: all accounts, credit cards included */
            accountIds?: string[];
        };
        /** @description An import of the transactions of an item into a dataset, now and after each sync */
        ItemIngest: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            item_id: string;
            /** Format: uuid */
            dataset_id: string;
            dataset: string;
            /** @description null: all */
            account_ids: string[] | null;
            /**
             * @description failed: the import has ended, and error says why
             * @enum {string}
             */
            status: "active" | "failed";
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: int64
             * @description All transactions
             */
            transactions: number;
            /**
             * Format: int64
             * @description New and changed transactions that are not records yet
             */
            pending: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ListItemIngestsAnswer: {
            items: components["schemas"]["ItemIngest"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        Pagination: {
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            totalPages: number;
            /**
             * Format: int64
             * @description Counted by the service; a number that the provider states is ignored
             */
            totalRecords: number;
        };
        CreditCard: {
            /** @description The cardId */
            id: string;
            /** Format: uuid */
            itemId: string;
            name: string;
            brand: string;
            level: string | null;
            numberLast4: string;
            /** @enum {string} */
            holderType: "MAIN" | "ADDITIONAL";
            /** @enum {string} */
            status: "ACTIVE" | "BLOCKED" | "CANCELLED";
            /** @description ISO 4217 */
            currencyCode: string;
            /** Format: double */
            creditLimit: number;
            /** Format: double */
            availableCreditLimit: number;
            /**
             * Format: double
             * @description The debt
             */
            balance: number;
            /** Format: double */
            minimumPayment: number | null;
            /** Format: date */
            closingDate: string | null;
            /** Format: date */
            dueDate: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        BrowseCreditCardsAnswer: {
            pagination: components["schemas"]["Pagination"];
            creditCards: components["schemas"]["CreditCard"][];
        };
        PaymentParty: {
            name: string | null;
            document: string | null;
            branch: string | null;
            account: string | null;
            ispb: string | null;
        };
        Boleto: {
            digitableLine: string | null;
            barcode: string | null;
            /** Format: date */
            dueDate: string | null;
        };
        PaymentData: {
            payer: components["schemas"]["PaymentParty"] | null;
            receiver: components["schemas"]["PaymentParty"] | null;
            /** @description Of the payment of a card’s bill: its billId */
            referenceNumber: string | null;
            reason: string | null;
            boleto: components["schemas"]["Boleto"] | null;
        };
        CardTransactionCardMetadata: {
            cardNumberLast4: string;
            /**
             * Format: int64
             * @description From 1
             */
            installmentNumber: number | null;
            /** Format: int64 */
            totalInstallments: number | null;
            /**
             * Format: double
             * @description Of all installments
             */
            totalAmount: number | null;
            /** Format: date */
            purchaseDate: string;
            /** @description null while the bill is open */
            billId: string | null;
            payeeMcc: string | null;
            /** Format: double */
            originalAmount: number | null;
            originalCurrencyCode: string | null;
            feeType: string | null;
        };
        CardTransactionMerchant: {
            name: string;
            cnpj: string | null;
        };
        CardTransaction: {
            /** @description The same in every sync */
            id: string;
            accountId: string;
            /** Format: uuid */
            itemId: string;
            /** Format: date */
            date: string;
            description: string;
            descriptionRaw: string | null;
            /** @enum {string} */
            type: "DEBIT" | "CREDIT";
            /** Format: double */
            amount: number;
            /**
             * Format: double
             * @description The change of the balance: negative for DEBIT, which includes purchases with a card
             */
            signedAmount: number;
            /** @description ISO 4217 */
            currencyCode: string;
            /** @enum {string} */
            status: "POSTED" | "PENDING";
            /** Format: double */
            balanceAfter: number | null;
            category: string | null;
            operationType: ("PIX" | "TED" | "BOLETO" | "CARD" | "FEE" | "SALARY" | "INTEREST" | "OTHER") | null;
            providerId: string | null;
            paymentData: components["schemas"]["PaymentData"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The accountId */
            cardId: string;
            cardMetadata: components["schemas"]["CardTransactionCardMetadata"];
            merchant: components["schemas"]["CardTransactionMerchant"] | null;
        };
        BrowseCreditCardTransactionsAnswer: {
            pagination: components["schemas"]["Pagination"];
            transactions: components["schemas"]["CardTransaction"][];
        };
        Account: {
            /** @description The accountId; of a CREDIT_CARD, the cardId */
            id: string;
            /** Format: uuid */
            itemId: string;
            /** @enum {string} */
            type: "CHECKING" | "SAVINGS" | "CREDIT_CARD";
            name: string;
            number: string | null;
            /** Format: double */
            balance: number;
            /** @description ISO 4217 */
            currencyCode: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BrowseAccountsAnswer: {
            pagination: components["schemas"]["Pagination"];
            accounts: components["schemas"]["Account"][];
        };
        AccountTransaction: {
            /** @description The same in every sync */
            id: string;
            accountId: string;
            /** Format: uuid */
            itemId: string;
            /** Format: date */
            date: string;
            description: string;
            descriptionRaw: string | null;
            /** @enum {string} */
            type: "DEBIT" | "CREDIT";
            /** Format: double */
            amount: number;
            /**
             * Format: double
             * @description The change of the balance: negative for DEBIT, which includes purchases with a card
             */
            signedAmount: number;
            /** @description ISO 4217 */
            currencyCode: string;
            /** @enum {string} */
            status: "POSTED" | "PENDING";
            /** Format: double */
            balanceAfter: number | null;
            category: string | null;
            operationType: ("PIX" | "TED" | "BOLETO" | "CARD" | "FEE" | "SALARY" | "INTEREST" | "OTHER") | null;
            providerId: string | null;
            paymentData: components["schemas"]["PaymentData"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BrowseAccountTransactionsAnswer: {
            pagination: components["schemas"]["Pagination"];
            transactions: components["schemas"]["AccountTransaction"][];
        };
        Investment: {
            /** @description The investmentId */
            id: string;
            /** Format: uuid */
            itemId: string;
            /** @enum {string} */
            type: "FIXED_INCOME" | "MUTUAL_FUND" | "EQUITY" | "OTHER";
            name: string;
            code: string | null;
            /** Format: double */
            balance: number;
            /** @description ISO 4217 */
            currencyCode: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BrowseInvestmentsAnswer: {
            pagination: components["schemas"]["Pagination"];
            investments: components["schemas"]["Investment"][];
        };
        InvestmentTransactionExpenses: {
            /** Format: double */
            incomeTax: number;
            /** Format: double */
            brokerageFee: number;
            /** Format: double */
            settlementFee: number;
            /** Format: double */
            custodyFee: number;
            /** Format: double */
            other: number;
        };
        InvestmentTransaction: {
            id: string;
            investmentId: string;
            /** Format: uuid */
            itemId: string;
            /** @enum {string} */
            type: "BUY" | "SELL" | "INTEREST" | "TAX" | "TRANSFER" | "AMORTIZATION";
            /** @enum {string} */
            movementType: "DEBIT" | "CREDIT";
            /** Format: date */
            date: string;
            /** Format: date */
            tradeDate: string | null;
            /** Format: double */
            quantity: number | null;
            /** Format: double */
            unitPrice: number | null;
            /** Format: double */
            amount: number;
            /** Format: double */
            netAmount: number | null;
            /** @description ISO 4217 */
            currencyCode: string;
            description: string | null;
            brokerageNumber: string | null;
            expenses: components["schemas"]["InvestmentTransactionExpenses"] | null;
        };
        BrowseInvestmentTransactionsAnswer: {
            transactions: components["schemas"]["InvestmentTransaction"][];
        };
        BillingUsageByPeriod: {
            /** @example 2025-03 */
            period: string;
            /** Format: int64 */
            matches: number;
        };
        BillingUsageByRuleSet: {
            /** Format: uuid */
            ruleSetId: string;
            name: string;
            /** Format: int64 */
            matches: number;
        };
        BillingUsageByDataset: {
            dataset: string;
            /** Format: int64 */
            matches: number;
        };
        BillingUsageRecordsByDataset: {
            /** Format: uuid */
            datasetId: string;
            name: string;
            /** Format: int64 */
            count: number;
        };
        BillingUsageRecords: {
            /** Format: int64 */
            total: number;
            /** @description Every dataset */
            byDataset: components["schemas"]["BillingUsageRecordsByDataset"][];
        };
        BillingUsageMatches: {
            /** Format: int64 */
            total: number;
            byDecision: components["schemas"]["CountByDecision"];
            /**
             * Format: double
             * @description Left records with a live MATCH, composites included, of all records of left datasets
             */
            matchRate: number;
        };
        BillingUsageCompositesByStatus: {
            /** Format: int64 */
            COMPLETE: number;
            /** Format: int64 */
            PARTIAL: number;
        };
        BillingUsageComposites: {
            /** Format: int64 */
            total: number;
            byDecision: components["schemas"]["CountByDecision"];
            byStatus: components["schemas"]["BillingUsageCompositesByStatus"];
        };
        BillingUsageRecentJob: {
            /** Format: uuid */
            id: string;
            dataset: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: double
             * @description Of its left records; 0 until it has completed
             */
            matchRate: number;
        };
        BillingUsageBilling: {
            /** @example 2025-03 */
            currentPeriod: string;
            /**
             * Format: int64
             * @description Of the current month, whatever the range
             */
            matchesCount: number;
        };
        BillingUsageConnector: {
            name: string;
            type: string;
            /** Format: date-time */
            createdAt: string;
        };
        QuotaUsage: {
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            used: number;
        };
        /** @description What is used now, and the limits */
        Quotas: {
            /** @description records */
            records: components["schemas"]["QuotaUsage"];
            /** @description bytes of uploaded files that are kept */
            bytes: components["schemas"]["QuotaUsage"];
            /** @description uploaded files that are kept */
            files: components["schemas"]["QuotaUsage"];
            /** @description matching jobs that are queued or running */
            jobs: components["schemas"]["QuotaUsage"];
            /** @description webhooks */
            webhooks: components["schemas"]["QuotaUsage"];
        };
        BillingUsage: {
            /** @example 2025-03 */
            currentPeriod: string;
            /**
             * Format: int64
             * @description MATCH pairs of jobs that completed in the range, each counted once, when its job completed
             */
            totalMatches: number;
            /** @description Every month of the range, oldest first */
            byPeriod: components["schemas"]["BillingUsageByPeriod"][];
            /** @description In the range; also rule sets that have been deleted */
            byRuleSet: components["schemas"]["BillingUsageByRuleSet"][];
            /** @description In the range, by the dataset that the jobs ran for */
            byDataset: components["schemas"]["BillingUsageByDataset"][];
            records: components["schemas"]["BillingUsageRecords"];
            /** @description What GET /v1/matches lists now */
            matches: components["schemas"]["BillingUsageMatches"];
            /** @description What GET /v1/composite-matches lists now */
            composites: components["schemas"]["BillingUsageComposites"];
            /** @description The newest ten */
            recentJobs: components["schemas"]["BillingUsageRecentJob"][];
            billing: components["schemas"]["BillingUsageBilling"];
            /** @description Data sources, newest first */
            connectors: components["schemas"]["BillingUsageConnector"][];
            quotas: components["schemas"]["Quotas"];
        };
        VerifyAuditAnswerHead: {
            /** Format: int64 */
            seq: number;
            hash: string;
        };
        VerifyAuditAnswerBroken: {
            /** Format: int64 */
            seq: number;
            /** @enum {string} */
            reason: "missing" | "previous_hash" | "hash";
        };
        VerifyAuditAnswer: {
            valid: boolean;
            /**
             * Format: int64
             * @description Entries up to the first that is broken
             */
            entries: number;
            head: components["schemas"]["VerifyAuditAnswerHead"] | null;
            broken: components["schemas"]["VerifyAuditAnswerBroken"] | null;
        };
        AuditEntryObject: {
            type: string;
            id: string;
        };
        AuditEntry: {
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["Actor"];
            action: string;
            object: components["schemas"]["AuditEntryObject"];
            /** @description What the action has changed, as it was. Absent without the scope records:read */
            before?: {
                [key: string]: unknown;
            } | null;
            /** @description The same as it is since. Absent without the scope records:read */
            after?: {
                [key: string]: unknown;
            } | null;
            reason: string | null;
            request_id: string | null;
            prev_hash: string;
            /** @description SHA-256, in hex, over prev_hash and the canonical JSON (RFC 8785) of the entry without hash */
            hash: string;
        };
        ListAuditAnswer: {
            items: components["schemas"]["AuditEntry"][];
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            limit: number;
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "companyId": "01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10"
         *     }
         */
        SetUpReconciliationRequest: {
            /**
             * Format: uuid
             * @description Id of the company, which is its tenant; a missing tenant is created
             */
            companyId: string;
        };
        ReconciliationSetupDataset: {
            /** Format: uuid */
            id: string;
            name: string;
            kind: string;
        };
        /**
         * @example {
         *       "dataSourceId": "01994e6c-3c20-7e55-8d13-7c2e4f6a8b32",
         *       "dataSourceCreated": true,
         *       "datasets": [
         *         {
         *           "id": "01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d",
         *           "name": "core_invoices",
         *           "kind": "invoices"
         *         },
         *         {
         *           "id": "01994e6c-7d31-7b62-8d22-3a5f7b9c1d4e",
         *           "name": "core_accounting_entries",
         *           "kind": "accounting_entries"
         *         }
         *       ]
         *     }
         */
        ReconciliationSetup: {
            /** Format: uuid */
            dataSourceId: string;
            dataSourceCreated: boolean;
            datasets: components["schemas"]["ReconciliationSetupDataset"][];
        };
        /**
         * @example {
         *       "companyId": "01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10",
         *       "companyName": "Acme"
         *     }
         */
        SetUpCoreRequest: {
            /**
             * Format: uuid
             * @description Id of the company, which is its tenant; a missing tenant is created
             */
            companyId: string;
            /** @description Name for a tenant that is created */
            companyName?: string;
        };
        CoreDataset: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /**
         * @example {
         *       "dataSourceId": "01994e6c-3c20-7e55-8d13-7c2e4f6a8b32",
         *       "invoiceDataset": {
         *         "id": "01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d",
         *         "name": "core_invoices"
         *       },
         *       "accountingDataset": {
         *         "id": "01994e6c-7d31-7b62-8d22-3a5f7b9c1d4e",
         *         "name": "core_accounting_entries"
         *       },
         *       "created": true
         *     }
         */
        CoreSetup: {
            /** Format: uuid */
            dataSourceId: string;
            invoiceDataset: components["schemas"]["CoreDataset"];
            accountingDataset: components["schemas"]["CoreDataset"];
            /** @description Whether anything was created */
            created: boolean;
        };
        /**
         * @example {
         *       "label": "ERP import",
         *       "scopes": [
         *         "records:write"
         *       ],
         *       "allowedCidrs": [
         *         "203.0.113.0/24"
         *       ]
         *     }
         */
        CreateApiKeyRequest: {
            /** text that can be seen, without control characters and marks of direction */
            label: string;
            /**
             * @description [] = everything that the tenant may do; write implies read
             * @default []
             */
            scopes?: ("records:read" | "records:write" | "datasets:read" | "datasets:write" | "rule-sets:read" | "rule-sets:write" | "jobs:read" | "jobs:write" | "matches:read" | "matches:write" | "matches:approve" | "reconciliations:read" | "reconciliations:write" | "periods:write" | "audit:read" | "actors:name" | "agents:commit" | "webhooks:read" | "webhooks:write" | "items:read" | "items:write" | "browse:read" | "billing:read" | "keys:read" | "keys:write" | "users:read" | "users:write")[];
            /** @description When it stops working; RFC 3339 with a time zone, in the future. Default: never */
            expiresAt?: string | null;
            /**
             * @description The addresses from which it works: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32. Default: all
             * @default []
             */
            allowedCidrs?: string[];
        };
        ApiKeyCreator: {
            /** @enum {string} */
            type: "key" | "user" | "platform";
            /**
             * Format: uuid
             * @description null: the platform key
             */
            id: string | null;
            label: string;
        };
        PreviousSecret: {
            prefix: string;
            last4: string;
            /** Format: date-time */
            expires_at: string;
        };
        /**
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "label": "ERP import",
         *       "scopes": [
         *         "records:write"
         *       ],
         *       "active": true,
         *       "created_at": "2026-09-15T08:31:00.000Z",
         *       "prefix": "rk_0D3xWq8ZpLk2mN7aB",
         *       "last4": "q7Zx",
         *       "last_used_at": null,
         *       "expires_at": "2027-09-15T00:00:00.000Z",
         *       "allowed_cidrs": [
         *         "203.0.113.0/24"
         *       ],
         *       "created_by": {
         *         "type": "platform",
         *         "id": null,
         *         "label": "Platform"
         *       },
         *       "previous": null,
         *       "key": "rk_0D3xWq8ZpLk2mN7aB_5hV0cT9yR2uJ6eK1sG4fA8bX3dM7nQ0wZ5pL2tY9vC6iq7Zx"
         *     }
         */
        CreatedApiKey: {
            /** Format: uuid */
            id: string;
            label: string;
            /** @description [] = everything that the tenant may do; write implies read */
            scopes: ("records:read" | "records:write" | "datasets:read" | "datasets:write" | "rule-sets:read" | "rule-sets:write" | "jobs:read" | "jobs:write" | "matches:read" | "matches:write" | "matches:approve" | "reconciliations:read" | "reconciliations:write" | "periods:write" | "audit:read" | "actors:name" | "agents:commit" | "webhooks:read" | "webhooks:write" | "items:read" | "items:write" | "browse:read" | "billing:read" | "keys:read" | "keys:write" | "users:read" | "users:write")[];
            /** @description false once the key is revoked or has expired */
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description The beginning of the key */
            prefix: string;
            /** @description The last four characters of the key */
            last4: string;
            /**
             * Format: date-time
             * @description Accurate to a minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description null: never
             */
            expires_at: string | null;
            /** @description The addresses from which it works; []: all */
            allowed_cidrs: string[];
            /** @description null for keys that are older than this note */
            created_by: components["schemas"]["ApiKeyCreator"] | null;
            /** @description The secret before the last rotation, while it is accepted */
            previous: components["schemas"]["PreviousSecret"] | null;
            /** @description The key itself: shown in this answer only */
            key: string;
        };
        /**
         * @description A key as it can be shown at any time
         * @example {
         *       "id": "01994e6c-2a10-7c44-9f02-6b1d3e5f7a21",
         *       "label": "ERP import",
         *       "scopes": [
         *         "records:write"
         *       ],
         *       "active": true,
         *       "created_at": "2026-09-15T08:31:00.000Z",
         *       "prefix": "rk_0D3xWq8ZpLk2mN7aB",
         *       "last4": "q7Zx",
         *       "last_used_at": null,
         *       "expires_at": "2027-09-15T00:00:00.000Z",
         *       "allowed_cidrs": [
         *         "203.0.113.0/24"
         *       ],
         *       "created_by": {
         *         "type": "platform",
         *         "id": null,
         *         "label": "Platform"
         *       },
         *       "previous": null
         *     }
         */
        ApiKey: {
            /** Format: uuid */
            id: string;
            label: string;
            /** @description [] = everything that the tenant may do; write implies read */
            scopes: ("records:read" | "records:write" | "datasets:read" | "datasets:write" | "rule-sets:read" | "rule-sets:write" | "jobs:read" | "jobs:write" | "matches:read" | "matches:write" | "matches:approve" | "reconciliations:read" | "reconciliations:write" | "periods:write" | "audit:read" | "actors:name" | "agents:commit" | "webhooks:read" | "webhooks:write" | "items:read" | "items:write" | "browse:read" | "billing:read" | "keys:read" | "keys:write" | "users:read" | "users:write")[];
            /** @description false once the key is revoked or has expired */
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description The beginning of the key */
            prefix: string;
            /** @description The last four characters of the key */
            last4: string;
            /**
             * Format: date-time
             * @description Accurate to a minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description null: never
             */
            expires_at: string | null;
            /** @description The addresses from which it works; []: all */
            allowed_cidrs: string[];
            /** @description null for keys that are older than this note */
            created_by: components["schemas"]["ApiKeyCreator"] | null;
            /** @description The secret before the last rotation, while it is accepted */
            previous: components["schemas"]["PreviousSecret"] | null;
        };
        ListApiKeysAnswer: {
            items: components["schemas"]["ApiKey"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        RotateApiKeyRequest: {
            /**
             * Format: int32
             * @description The time for which the present secret is still accepted; 0 for a leaked one
             * @default 3600
             */
            overlapSeconds?: number;
        };
        /**
         * @example {
         *       "email": "ana@example.com",
         *       "name": "Ana Souza",
         *       "role": "preparer"
         *     }
         */
        CreateUserRequest: {
            /** an email: name@example.com */
            email: string;
            /** text that can be seen, without control characters and marks of direction */
            name: string;
            /**
             * @description What each may do: docs/reference/people.md
             * @enum {string}
             */
            role: "viewer" | "preparer" | "approver" | "admin";
        };
        /** @description Lets its bearer set the password, once */
        Invitation: {
            /** @description What POST /v1/users/accept takes: shown in this answer only */
            token: string;
            /** @description The page of the console that takes it */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        InvitedUser: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "preparer" | "approver" | "admin";
            /** @description false: cannot sign in */
            active: boolean;
            /** @description false until an invitation is accepted */
            has_password: boolean;
            /**
             * Format: date-time
             * @description When the open invitation ends; null: there is none
             */
            invited_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_sign_in_at: string | null;
            invitation: components["schemas"]["Invitation"];
        };
        /**
         * @description A person of the tenant
         * @example {
         *       "id": "01994e6c-2b20-7d55-8a13-7c2e4f6a8b32",
         *       "email": "ana@example.com",
         *       "name": "Ana Souza",
         *       "role": "preparer",
         *       "active": true,
         *       "has_password": false,
         *       "invited_until": "2026-09-22T08:31:00.000Z",
         *       "created_at": "2026-09-15T08:31:00.000Z",
         *       "last_sign_in_at": null
         *     }
         */
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "preparer" | "approver" | "admin";
            /** @description false: cannot sign in */
            active: boolean;
            /** @description false until an invitation is accepted */
            has_password: boolean;
            /**
             * Format: date-time
             * @description When the open invitation ends; null: there is none
             */
            invited_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_sign_in_at: string | null;
        };
        ListUsersAnswer: {
            items: components["schemas"]["User"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        /**
         * @example {
         *       "token": "hP3k…",
         *       "password": "four words that rhyme"
         *     }
         */
        AcceptInvitationRequest: {
            token: string;
            password: string;
        };
        /** @description An access of a browser */
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Accurate to a minute
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When it ends even in use; unused it ends after 12 hours
             */
            expires_at: string;
            /** @description Where it began */
            address: string | null;
            user_agent: string | null;
        };
        MeUser: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "preparer" | "approver" | "admin";
        };
        MeKey: {
            /** Format: uuid */
            id: string;
            label: string;
        };
        MeTenant: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description Who sends the request, and what they may do */
        Me: {
            /** @enum {string} */
            kind: "user" | "key" | "platform";
            user?: components["schemas"]["MeUser"];
            key?: components["schemas"]["MeKey"];
            tenant: components["schemas"]["MeTenant"];
            /** @description []: everything that the tenant may do */
            scopes: ("records:read" | "records:write" | "datasets:read" | "datasets:write" | "rule-sets:read" | "rule-sets:write" | "jobs:read" | "jobs:write" | "matches:read" | "matches:write" | "matches:approve" | "reconciliations:read" | "reconciliations:write" | "periods:write" | "audit:read" | "actors:name" | "agents:commit" | "webhooks:read" | "webhooks:write" | "items:read" | "items:write" | "browse:read" | "billing:read" | "keys:read" | "keys:write" | "users:read" | "users:write")[];
        };
        SignedIn: {
            /** @constant */
            status: "ok";
            session: components["schemas"]["Session"];
            me: components["schemas"]["Me"];
            /** @description What the header x-tieout-csrf of each change has to hold */
            csrf_token: string;
        };
        /**
         * @example {
         *       "role": "approver"
         *     }
         * @example {
         *       "active": false
         *     }
         */
        UpdateUserRequest: {
            /** text that can be seen, without control characters and marks of direction */
            name?: string;
            /**
             * @description What each may do: docs/reference/people.md
             * @enum {string}
             */
            role?: "viewer" | "preparer" | "approver" | "admin";
            active?: boolean;
        };
        /**
         * @example {
         *       "email": "ana@example.com",
         *       "password": "four words that rhyme"
         *     }
         */
        SignInRequest: {
            email?: string;
            password?: string;
            /**
             * Format: uuid
             * @description Needed where several tenants know email and password
             */
            tenantId?: string;
            /** @description In place of email and password */
            apiKey?: string;
        };
        TenantChoiceTenant: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        TenantChoice: {
            /** @constant */
            status: "choose_tenant";
            tenants: components["schemas"]["TenantChoiceTenant"][];
        };
        SignInMethodsProvider: {
            /** @description What people call it */
            name: string;
            /** @description Where a browser begins, with the page of the console to come back to in `to` */
            begin: string;
        };
        SignInMethods: {
            password: boolean;
            api_key: boolean;
            /** @description The identity provider of the deployment */
            provider: components["schemas"]["SignInMethodsProvider"] | null;
        };
        SignInByProviderRequest: {
            /**
             * Format: uuid
             * @description Needed where several tenants know the email
             */
            tenantId?: string;
        };
        ListedSession: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Accurate to a minute
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When it ends even in use; unused it ends after 12 hours
             */
            expires_at: string;
            /** @description Where it began */
            address: string | null;
            user_agent: string | null;
            /** @description The session of this request */
            current: boolean;
        };
        ListSessionsAnswer: {
            items: components["schemas"]["ListedSession"][];
        };
        /** @description csrf_token is there for a session only */
        MeAnswer: {
            /** @constant */
            status: "ok";
            me: components["schemas"]["Me"];
            /** @description What the header x-tieout-csrf of each change has to hold */
            csrf_token?: string;
        };
        ChangePasswordRequest: {
            currentPassword: string;
            newPassword: string;
        };
        /**
         * @example {
         *       "name": "Acme"
         *     }
         */
        CreateTenantRequest: {
            /** text that can be seen, without control characters and marks of direction */
            name: string;
            /**
             * Format: uuid
             * @description Generated when absent
             */
            id?: string;
        };
        /** @description Only while it is deleted: how far that is */
        TenantDeletion: {
            /** Format: date-time */
            requested_at: string;
            /** @description Rows by table, stored files and queue jobs */
            erased: {
                [key: string]: number;
            };
        };
        /**
         * @description The owner of data sources, datasets, records, rule sets, jobs and keys
         * @example {
         *       "id": "01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10",
         *       "name": "Acme",
         *       "status": "active",
         *       "created_at": "2026-09-15T08:30:00.000Z"
         *     }
         */
        Tenant: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description suspended: its requests are refused, and its jobs, files, syncs and deliveries wait; moving: the same, while it moves to another database; deleting: everything that it has is being erased
             * @enum {string}
             */
            status: "active" | "suspended" | "moving" | "deleting";
            /** Format: date-time */
            created_at: string;
            deletion?: components["schemas"]["TenantDeletion"];
        };
        ListTenantsAnswer: {
            items: components["schemas"]["Tenant"][];
            /**
             * Format: int64
             * @description Items of the whole list
             */
            total: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
        };
        TenantDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description suspended: its requests are refused, and its jobs, files, syncs and deliveries wait; moving: the same, while it moves to another database; deleting: everything that it has is being erased
             * @enum {string}
             */
            status: "active" | "suspended" | "moving" | "deleting";
            /** Format: date-time */
            created_at: string;
            deletion?: components["schemas"]["TenantDeletion"];
            quotas: components["schemas"]["Quotas"];
        };
        UpdateTenantRequestQuotas: {
            /**
             * Format: int64
             * @description Limit of records; null: that of the deployment
             */
            records?: number | null;
            /**
             * Format: int64
             * @description Limit of bytes of uploaded files that are kept; null: that of the deployment
             */
            bytes?: number | null;
            /**
             * Format: int64
             * @description Limit of uploaded files that are kept; null: that of the deployment
             */
            files?: number | null;
            /**
             * Format: int64
             * @description Limit of matching jobs that are queued or running; null: that of the deployment
             */
            jobs?: number | null;
            /**
             * Format: int32
             * @description Limit of webhooks; null: that of the deployment
             */
            webhooks?: number | null;
        };
        /**
         * @example {
         *       "status": "suspended"
         *     }
         * @example {
         *       "quotas": {
         *         "records": 1000000
         *       }
         *     }
         */
        UpdateTenantRequest: {
            /** text that can be seen, without control characters and marks of direction */
            name?: string;
            /** @enum {string} */
            status?: "active" | "suspended";
            quotas?: components["schemas"]["UpdateTenantRequestQuotas"];
        };
        GetHealthAnswer: {
            /** @constant */
            status: "ok";
        };
        GetReadinessAnswer: {
            /** @enum {string} */
            status: "ok" | "error";
            /** @description The dependencies of the API, by name */
            checks: {
                [key: string]: "ok" | "failed";
            };
        };
    };
    responses: {
        /** @description One of: validation_error, malformed_json, tenant_required, webhook_url_not_allowed, base_url_not_allowed, provider_rejected */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "validation_error",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53",
                 *       "errors": [
                 *         {
                 *           "path": "/name",
                 *           "code": "required",
                 *           "message": "is required"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: missing_api_key, invalid_api_key, invalid_session, invalid_credentials */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "missing_api_key",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: insufficient_scope, address_not_allowed, cross_site_request, tenant_suspended */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "insufficient_scope",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: tenant_not_found, api_key_not_found, user_not_found, session_not_found, invitation_not_valid, data_source_not_found, data_source_file_not_found, dataset_not_found, dataset_field_not_found, record_not_found, rule_set_not_found, matching_job_not_found, suggestion_not_found, simulation_not_found, match_not_found, composite_match_not_found, reconciliation_not_found, match_group_not_found, agent_proposal_not_found, certificate_not_found, reason_code_not_found, webhook_not_found, webhook_delivery_not_found, item_not_found, item_ingest_not_found, account_not_found, investment_not_found, provider_resource_not_found, route_not_found */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "tenant_not_found",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: job_not_running, conflict, reconciliation_in_use, rule_set_is_a_pass, record_held, record_excluded, approval_pending, period_open, period_closed, period_locked, item_busy, item_not_ready, idempotency_key_in_use */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "job_not_running",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: body_too_large, quota_exceeded */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "body_too_large",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: unsupported_media_type */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "unsupported_media_type",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: idempotency_key_reused, not_balanced, mixed_currencies, evaluation_timeout, expression_memory */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "idempotency_key_reused",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: rate_limited, too_many_jobs */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "rate_limited",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: internal_error */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "internal_error",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: provider_auth_failed, provider_bad_response */
        BadProvider: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "provider_auth_failed",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: service_unavailable, tenant_moving, provider_unavailable, provider_rate_limited */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "service_unavailable",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description One of: provider_timeout */
        ProviderTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "code": "provider_timeout",
                 *       "message": "A message for people",
                 *       "request_id": "01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in logs and errors */
        RequestId: string;
        /** @description true: the answer is the stored one of an earlier request */
        IdempotentReplayed: string;
        /** @description Requests of this kind that the tenant may send in a minute */
        RateLimit: number;
        /** @description Requests that are left of them */
        RateLimitRemaining: number;
        /** @description Seconds until all of them are available again; they come back evenly */
        RateLimitReset: number;
        /** @description Seconds until one more request may be sent */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRecords: {
        parameters: {
            query?: {
                /** @description Only records of the dataset with this name */
                dataset?: string;
                /** @description Only the record with this external id */
                externalId?: string;
                /** @description received until it is processed, then ready or failed */
                status?: "received" | "ready" | "failed";
                /** @description Created at this instant or later; RFC 3339 or YYYY-MM-DD, UTC without a zone */
                createdFrom?: string;
                /** @description Created before this instant; RFC 3339 or YYYY-MM-DD, UTC without a zone */
                createdTo?: string;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
                conditions?: {
                    [key: string]: string[];
                };
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecordsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecord: {
        parameters: {
            query?: {
                /** @description Name of the dataset; it is created on first use */
                dataset?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecordRequest"];
            };
        };
        responses: {
            /** @description The record is stored and will be processed */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRecordAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecords: {
        parameters: {
            query?: {
                /** @description Name of the dataset; it is created on first use */
                dataset?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The numbers of accepted and rejected lines, with errors */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRecordsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportRecords: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportRecordsRequest"];
            };
        };
        responses: {
            /** @description The records, streamed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecord: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRecord: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMatches: {
        parameters: {
            query?: {
                /** @description Also a running job, whose matches appear batch by batch */
                matchingJobId?: string;
                ruleSetId?: string;
                decision?: "MATCH" | "POSSIBLE";
                /** @description On either side */
                recordId?: string;
                minScore?: number;
                /** @description none: not reviewed */
                review?: "confirmed" | "rejected" | "none";
                /** @description Of a confirmed one: whether its records have changed since */
                stale?: boolean;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMatchesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewMatches: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewMatchesRequest"];
            };
        };
        responses: {
            /** @description The outcome */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOutcome"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The match */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Match"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewMatchRequest"];
            };
        };
        responses: {
            /** @description The match with its review */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Match"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompositeMatches: {
        parameters: {
            query?: {
                ruleSetId?: string;
                /** @description The job that made them; there are none before it is completed */
                jobId?: string;
                decision?: "MATCH" | "POSSIBLE";
                direction?: "one_to_many" | "many_to_one";
                /** @description Of a confirmed one: whether its records have changed since */
                stale?: boolean;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of composite matches */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCompositeMatchesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompositeMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The composite match */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompositeMatchDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewCompositeMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewCompositeMatchRequest"];
            };
        };
        responses: {
            /** @description The composite match with its review */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompositeMatchDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMatchingJobs: {
        parameters: {
            query?: {
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description Name of the left dataset */
                dataset?: string;
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMatchingJobsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startMatchingJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartMatchingJobRequest"];
            };
        };
        responses: {
            /** @description The job, or the group */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartMatchingJobAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatchingJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelMatchingJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is cancelled */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelMatchingJobAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    undoMatchingJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndoMatchingJobRequest"];
            };
        };
        responses: {
            /** @description The outcome */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOutcome"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUnmatchedRecords: {
        parameters: {
            query?: {
                side?: "left" | "right";
                /** @description Also list these: filtered, failed or filtered,failed */
                include?: string;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUnmatchedRecordsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClusters: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clusters */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListClustersAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRunChanges: {
        parameters: {
            query?: {
                kind?: "kept" | "changed" | "new" | "lost";
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunChangesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMatchGroups: {
        parameters: {
            query?: {
                reconciliationId?: string;
                status?: "held" | "pending" | "released";
                origin?: "auto" | "confirmed" | "manual";
                recordId?: string;
                jobId?: string;
                /** @description YYYY-MM */
                period?: string;
                /** @description Of this month and those before */
                periodTo?: string;
                stale?: boolean;
                /** @description true: those that are late; false: without them */
                late?: boolean;
                /** @description false: those that hold their records, pending ones included */
                released?: boolean;
                /** @description Those that held their records then, whatever has become of them */
                asOf?: string;
                /** @description With a record that is dated up to this day, or without a date */
                upTo?: string;
                /** @description Empty: those without a currency */
                currency?: string;
                /** @description Of the left side, without its sign */
                minAmount?: number;
                maxAmount?: number;
                /** @description Held since */
                from?: string;
                /** @description Held before */
                to?: string;
                sort?: "-heldAt" | "heldAt" | "-amount" | "amount";
                /** @description Members bear their records: the first 50 of a side, up to 4 MiB in an answer */
                records?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of match groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMatchGroupsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMatchGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMatchGroupRequest"];
            };
        };
        responses: {
            /** @description The match group */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseMatchGroups: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseMatchGroupsRequest"];
            };
        };
        responses: {
            /** @description What was done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOutcome"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatchGroup: {
        parameters: {
            query?: {
                /** @description Members bear their records: the first 50 of a side, up to 4 MiB in an answer */
                records?: boolean;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The match group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseMatchGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseMatchGroupRequest"];
            };
        };
        responses: {
            /** @description The match group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveMatchGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveMatchGroupRequest"];
            };
        };
        responses: {
            /** @description The match group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectMatchGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectMatchGroupRequest"];
            };
        };
        responses: {
            /** @description The match group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReconciliations: {
        parameters: {
            query?: {
                archived?: boolean;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reconciliations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReconciliationsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReconciliationRequest"];
            };
        };
        responses: {
            /** @description The reconciliation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reconciliation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reconciliation is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateReconciliationRequest"];
            };
        };
        responses: {
            /** @description The reconciliation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    annotateOpenItems: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotateOpenItemsRequest"];
            };
        };
        responses: {
            /** @description What was done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOutcome"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOpenItems: {
        parameters: {
            query?: {
                side?: "left" | "right";
                /** @description Words, or beginnings of words, in any field */
                q?: string;
                amountMin?: number;
                amountMax?: number;
                /** @description Inclusive */
                dateFrom?: string;
                /** @description Inclusive */
                dateTo?: string;
                /** @description Dated up to this day, or without a date, as the proof of balance counts */
                upTo?: string;
                /** @description Empty: those without a currency */
                currency?: string;
                minAgeDays?: number;
                /** @description true: only excluded records; default: only open ones */
                excluded?: boolean;
                assignee?: string;
                reasonCode?: string;
                /** @description true: only those with an assignee; false: without them */
                assigned?: boolean;
                /** @description true: only those with a reason code or a note; false: without them */
                explained?: boolean;
                /** @description true: only those dated in a month that was closed before they came; false: without them */
                late?: boolean;
                /** @description true: only those snoozed to a later day; false: without them */
                snoozed?: boolean;
                /** @description true: only those that a proposal of the latest run names; false: without them */
                suggested?: boolean;
                /** @description false: total and totals are null, and the list is faster */
                totals?: boolean;
                /** @description age: the youngest first */
                sort?: "age" | "-age" | "date" | "-date" | "amount" | "-amount";
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of open items */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOpenItemsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    annotateOpenItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotateOpenItemRequest"];
            };
        };
        responses: {
            /** @description The item is changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOpenItemCandidates: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The likeliest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOpenItemCandidatesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProposals: {
        parameters: {
            query?: {
                kind?: "pair" | "composite";
                decision?: "MATCH" | "POSSIBLE";
                ruleSetId?: string;
                /** @description A record that it names */
                recordId?: string;
                minScore?: number;
                maxScore?: number;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of proposals */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProposalsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReconciliationRuns: {
        parameters: {
            query?: {
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matching jobs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReconciliationRunsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startReconciliationRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartReconciliationRunRequest"];
            };
        };
        responses: {
            /** @description The matching job */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReconciliationSummary: {
        parameters: {
            query?: {
                /** @description What was known at the end of a day (YYYY-MM-DD), or at a moment (RFC 3339) */
                asOf?: string;
                /** @description YYYY-MM: records and groups of this month and those before */
                period?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvedSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeriods: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of months */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPeriodsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPeriod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                /** @description YYYY-MM */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Period"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    closePeriod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                /** @description YYYY-MM */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClosePeriodRequest"];
            };
        };
        responses: {
            /** @description The month */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Period"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopenPeriod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                /** @description YYYY-MM */
                period: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReopenPeriodRequest"];
            };
        };
        responses: {
            /** @description The month */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReopenPeriodAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lockPeriod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                /** @description YYYY-MM */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Period"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeriodOpenItems: {
        parameters: {
            query?: {
                side?: "left" | "right";
                /** @description true: those that are excluded instead */
                excluded?: boolean;
                /** @description Empty: those without a currency */
                currency?: string;
                /** @description A voided certificate; default: the one that stands */
                certificateId?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                /** @description YYYY-MM */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPeriodOpenItemsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBalances: {
        parameters: {
            query?: {
                side?: "left" | "right";
                /** @description Inclusive */
                dateFrom?: string;
                /** @description Inclusive */
                dateTo?: string;
                /** @description true: also those that others took the place of */
                replaced?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of balances */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBalancesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stateBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StateBalanceRequest"];
            };
        };
        responses: {
            /** @description The balance; null where the day has none any more */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SideBalance"] | null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReconciliationReport: {
        parameters: {
            query?: {
                /** @description YYYY-MM; default: all months, as of now */
                period?: string;
                format?: "xlsx" | "csv" | "json";
                /** @description With format=csv: only this table */
                section?: "summary" | "proof" | "groups" | "open_items";
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report, streamed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationReport"];
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReasonCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReasonCodesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createReasonCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReasonCodeRequest"];
            };
        };
        responses: {
            /** @description The reason code */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonCode"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteReasonCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                /** @description Small letters, digits and _ */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reason code is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordAgentCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordAgentCallRequest"];
            };
        };
        responses: {
            /** @description The call is recorded */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentProposals: {
        parameters: {
            query?: {
                status?: "pending" | "confirmed" | "rejected";
                reconciliationId?: string;
                /** @description Counted from 1; 1 when absent. Not together with cursor */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                /** @description The cursor that the previous page gave */
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of proposals */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentProposalsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgentProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentProposalRequest"];
            };
        };
        responses: {
            /** @description The proposal */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentProposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proposal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentProposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmAgentProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmAgentProposalRequest"];
            };
        };
        responses: {
            /** @description The proposal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentProposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectAgentProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RejectAgentProposalRequest"];
            };
        };
        responses: {
            /** @description The proposal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentProposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suggestRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuggestRuleSetRequest"];
            };
        };
        responses: {
            /** @description The suggestion, queued */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuggestions: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suggestions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSuggestionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSuggestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggestion */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSuggestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggestion is cancelled */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelSuggestionAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    trainRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The training, queued */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuestionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateRuleSetRequest"];
            };
        };
        responses: {
            /** @description The simulation, queued */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSimulations: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of simulations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSimulationsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSimulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The simulation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSimulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The simulation is cancelled */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelSimulationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRuleSetRequest"];
            };
        };
        responses: {
            /** @description Decisions with their explanation, in the order of the pairs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuleSets: {
        parameters: {
            query?: {
                leftDatasetId?: string;
                rightDatasetId?: string;
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rule sets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRuleSetsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRuleSetRequest"];
            };
        };
        responses: {
            /** @description The rule set */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule set */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule set is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRuleSetRequest"];
            };
        };
        responses: {
            /** @description The rule set */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    evaluateRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluateRuleSetRequest"];
            };
        };
        responses: {
            /** @description How good the rule set is */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportEvaluationRequest"];
            };
        };
        responses: {
            /** @description All wrong pairs, then all missed ones, streamed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of datasets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDatasetsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetRequest"];
            };
        };
        responses: {
            /** @description The dataset */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDatasetRequest"];
            };
        };
        responses: {
            /** @description The dataset */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDatasetSample: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sample, null when there are no records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDatasetSampleAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDatasetProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetProgress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDatasetFields: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetField"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDatasetField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetFieldRequest"];
            };
        };
        responses: {
            /** @description The field */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetField"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDatasetFieldsFromColumns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetFieldsFromColumnsRequest"];
            };
        };
        responses: {
            /** @description The fields of all columns, in their order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetField"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewDatasetFields: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewDatasetFieldsRequest"];
            };
        };
        responses: {
            /** @description The fields of each record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewDatasetFieldsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDatasetField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The field is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDatasetField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDatasetFieldRequest"];
            };
        };
        responses: {
            /** @description The field */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetField"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDataSources: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of data sources */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDataSourcesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDataSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDataSourceRequest"];
            };
        };
        responses: {
            /** @description The data source */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDataSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Files on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSourceFile"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadFileRequest"];
            };
        };
        responses: {
            /** @description The file is stored and will be processed */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSourceFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PreviewFileRequest"];
            };
        };
        responses: {
            /** @description How the file would be read */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSourceFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFileErrors: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFileErrorsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook, with its secrets */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSigningSecretRequest"];
            };
        };
        responses: {
            /** @description The webhook, with the new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSigningSecretAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "sending" | "retry_scheduled" | "delivered" | "abandoned" | "cancelled";
                event?: "ITEM_CREATED" | "ITEM_UPDATED" | "ITEM_DELETED" | "ITEM_ERROR" | "ITEM_WAITING_USER_INPUT" | "ITEM_WAITING_USER_ACTION" | "ITEM_LOGIN_SUCCEEDED" | "TRANSACTIONS_CREATED" | "TRANSACTIONS_UPDATED" | "MATCHING_JOB_COMPLETED" | "MATCHING_JOB_FAILED" | "MATCHING_JOB_CANCELLED" | "COMPOSITE_MATCH_CREATED" | "MATCH_STALE" | "MATCH_GROUP_HELD" | "MATCH_GROUP_PENDING" | "MATCH_GROUP_RELEASED" | "PERIOD_CLOSED" | "PERIOD_REOPENED" | "RECONCILIATION_RUN_COMPLETED" | "AUDIT_HEAD" | "WEBHOOK_TEST";
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookDeliveryAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt is due */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryWebhookDeliveryAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All institutions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListConnectorsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
                status?: "UPDATING" | "WAITING_USER_INPUT" | "WAITING_USER_ACTION" | "UPDATED" | "LOGIN_ERROR" | "OUTDATED";
                clientUserId?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListItemsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateItemRequest"];
            };
        };
        responses: {
            /** @description The item */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateItemRequest"];
            };
        };
        responses: {
            /** @description The item, UPDATING */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerItemRequest"];
            };
        };
        responses: {
            /** @description The item, UPDATING */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestItemRequest"];
            };
        };
        responses: {
            /** @description The import has started */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemIngest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listItemIngests: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports with their progress */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListItemIngestsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteItemIngest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
                ingestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    browseCreditCards: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description Counted from 1; a page after the last one is empty */
                page?: number;
                /** @description Rows on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of credit cards */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseCreditCardsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    browseCreditCardTransactions: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description Counted from 1; a page after the last one is empty */
                page?: number;
                /** @description Rows on a page */
                limit?: number;
                /** @description A credit card of the item */
                cardId: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseCreditCardTransactionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    browseAccounts: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description Counted from 1; a page after the last one is empty */
                page?: number;
                /** @description Rows on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseAccountsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    browseAccountTransactions: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description Counted from 1; a page after the last one is empty */
                page?: number;
                /** @description Rows on a page */
                limit?: number;
                /** @description An account of the item that is not a credit card */
                accountId: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseAccountTransactionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    browseInvestments: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description Counted from 1; a page after the last one is empty */
                page?: number;
                /** @description Rows on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of investments */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseInvestmentsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    browseInvestmentTransactions: {
        parameters: {
            query: {
                /** @description An item of POST /v1/items */
                itemId: string;
                /** @description Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it */
                baseUrl?: string;
                /** @description An investment of the item */
                investmentId: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseInvestmentTransactionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadProvider"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    getBillingUsage: {
        parameters: {
            query?: {
                /** @description The first month, UTC; default: 12 months ago */
                periodFrom?: string;
                /** @description The last month; default: the current one */
                periodTo?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyAuditAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description Such as match_group.release */
                action?: string;
                /** @description Such as rule_set */
                objectType?: string;
                objectId?: string;
                /** @description The person that x-actor named, else the id of the key or job */
                actor?: string;
                actorType?: "user" | "key" | "agent" | "job" | "operator";
                /** @description The id of the key or job, whomever x-actor named */
                actorId?: string;
                requestId?: string;
                /** @description Inclusive */
                from?: string;
                /** @description Exclusive */
                to?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries, streamed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Such as match_group.release */
                action?: string;
                /** @description Such as rule_set */
                objectType?: string;
                objectId?: string;
                /** @description The person that x-actor named, else the id of the key or job */
                actor?: string;
                actorType?: "user" | "key" | "agent" | "job" | "operator";
                /** @description The id of the key or job, whomever x-actor named */
                actorId?: string;
                requestId?: string;
                /** @description Inclusive */
                from?: string;
                /** @description Exclusive */
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUpReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpReconciliationRequest"];
            };
        };
        responses: {
            /** @description The data source and its datasets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationSetup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUpCore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpCoreRequest"];
            };
        };
        responses: {
            /** @description Everything existed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoreSetup"];
                };
            };
            /** @description Something was created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoreSetup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only keys that this key or user has created, by its id; or platform */
                createdBy?: string;
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its text */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** @description Also revokes every key that it has created, or whose secret it has rotated, and makes inactive the users that it has invited, and theirs in turn */
                descendants?: boolean;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its new text */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                role?: "viewer" | "preparer" | "approver" | "admin";
                active?: boolean;
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsersAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description The user, with the invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Signed in: the cookie tieout_session is set */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, with the invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 100 sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description Several tenants know email and password: send tenantId too */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantChoice"];
                };
            };
            /** @description Signed in: the cookie tieout_session is set */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInByProviderRequest"];
            };
        };
        responses: {
            /** @description Several tenants know email and password: send tenantId too */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantChoice"];
                };
            };
            /** @description Signed in: the cookie tieout_session is set */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended and its cookie is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The tenant to act for; needed with the platform key */
                "x-tenant-id"?: string;
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The password is changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Counted from 1 */
                page?: number;
                /** @description Items on a page */
                limit?: number;
            };
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tenants */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTenantsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
                /** @description Within 24 hours the same request with the same key is carried out once and answered alike each time */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTenantRequest"];
            };
        };
        responses: {
            /** @description The tenant */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant is being deleted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description There is no such tenant, or none any more */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The person behind the request, for the audit; a key with scopes needs actors:name */
                "x-actor"?: string;
                /** @description The agent that sends the request: it changes nothing by itself unless the key names agents:commit */
                "x-agent"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTenantRequest"];
            };
        };
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is alive */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All dependencies answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadinessAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalError"];
            /** @description A dependency does not answer */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadinessAnswer"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
