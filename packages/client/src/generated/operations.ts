// Generated from the OpenAPI document by npm run client:generate.
import type { ApiMethod, OperationName } from '../operation';

/** Every operation of the API. */
export interface Operations {
  /**
   * List records, newest first
   *
   * field.<key>=value compares the normalised value of a field, else the raw one, as text. All filters must hold.
   *
   * Needs the scope records:read.
   */
  listRecords: ApiMethod<'listRecords'>;
  /**
   * Ingest a record
   *
   * The external id, or the identity fields of the dataset, identify the record: sending it again replaces its data and has it processed again.
   *
   * Needs the scope records:write.
   */
  createRecord: ApiMethod<'createRecord'>;
  /**
   * Ingest many records
   *
   * Lines of NDJSON, or a JSON array, of {externalId?, body}. The valid ones are stored together, the others are listed. Of lines with the same external id the last is stored. At most 32 MiB and 200,000 lines.
   *
   * Needs the scope records:write.
   */
  createRecords: ApiMethod<'createRecords'>;
  /**
   * Export records as CSV, newest first
   *
   * RFC 4180 in UTF-8 with CRLF: record.id, dataset, external_id and the fields, taken from the data. Arrays are joined with ;, objects are JSON, and text that a spreadsheet would read as a formula, or run behind a ;, a tab or a line break, gets a leading apostrophe; a number kept as text, such as -5.00, gets none.
   *
   * Needs the scope records:read.
   */
  exportRecords: ApiMethod<'exportRecords'>;
  /**
   * Read a record
   *
   * Needs the scope records:read.
   */
  getRecord: ApiMethod<'getRecord'>;
  /**
   * Delete a record and its matches
   *
   * 409 conflict while a matching job of the dataset completes: delete the record after that.
   *
   * Needs the scope records:write.
   */
  deleteRecord: ApiMethod<'deleteRecord'>;
  /**
   * List matches, newest first
   *
   * The live ones, those of each rule set’s latest completed job, and all reviewed ones. With matchingJobId, those of that job.
   *
   * Needs the scope matches:read; without records:read what quotes records is left out.
   */
  listMatches: ApiMethod<'listMatches'>;
  /**
   * Confirm or reject many matches, or withdraw their reviews
   *
   * Each is done or not, as by the review of one match.
   *
   * Needs the scope matches:write.
   */
  reviewMatches: ApiMethod<'reviewMatches'>;
  /**
   * Read a match with its explanation
   *
   * Needs the scope matches:read; without records:read what quotes records is left out.
   */
  getMatch: ApiMethod<'getMatch'>;
  /**
   * Confirm or reject a match, or withdraw its review
   *
   * Replaces an earlier review. No later job changes or removes a reviewed match. Later jobs of the rule set keep a confirmed match for its pair, and with assignment one_to_one other pairs with one of its records are no MATCH. They do not propose the pair of a rejected match again while the datasets, expressions and params are the same. A confirmed match whose records change in what the rule set reads is stale until it is reviewed again. 409 conflict when a later job has replaced it, or when another match or composite match of the rule set holds the pair or one of the records to confirm; a match of a group is withdrawn by releasing that.
   *
   * Needs the scope matches:write; without records:read what quotes records is left out.
   */
  reviewMatch: ApiMethod<'reviewMatch'>;
  /**
   * List composite matches, newest first
   *
   * The live ones, those of each rule set’s latest completed job, and all reviewed ones. With jobId, those of that job.
   *
   * Needs the scope matches:read; without records:read what quotes records is left out.
   */
  listCompositeMatches: ApiMethod<'listCompositeMatches'>;
  /**
   * Read a composite match with its target and members
   *
   * Needs the scope matches:read; without records:read what quotes records is left out.
   */
  getCompositeMatch: ApiMethod<'getCompositeMatch'>;
  /**
   * Confirm or reject a composite match, or withdraw its review
   *
   * Replaces an earlier review. Later jobs keep the records of a confirmed one together, and use them in no other pair or group; a confirmed PARTIAL one leaves the rest of its target open. They do not propose a rejected one again while the datasets, expressions and params are the same. 409 conflict when a later job has replaced it, or when one of the records to confirm is in another MATCH of the rule set.
   *
   * Needs the scope matches:write; without records:read what quotes records is left out.
   */
  reviewCompositeMatch: ApiMethod<'reviewCompositeMatch'>;
  /**
   * List jobs, newest first
   *
   * Needs the scope jobs:read; without records:read what quotes records is left out.
   */
  listMatchingJobs: ApiMethod<'listMatchingJobs'>;
  /**
   * Run the rule sets of a dataset
   *
   * The job reads the records as they are when it starts. With datasets, the answer is a group of jobs.
   *
   * Needs the scope jobs:write; without records:read what quotes records is left out.
   */
  startMatchingJob: ApiMethod<'startMatchingJob'>;
  /**
   * Read a job with its progress
   *
   * Needs the scope jobs:read; without records:read what quotes records is left out.
   */
  getMatchingJob: ApiMethod<'getMatchingJob'>;
  /**
   * Cancel a running job, or a run that waits
   *
   * Batches that are not yet processed are skipped; 409 job_not_running when the job is neither running nor a queued run of a reconciliation.
   *
   * Needs the scope jobs:write.
   */
  cancelMatchingJob: ApiMethod<'cancelMatchingJob'>;
  /**
   * Release all match groups that a run has held
   *
   * In steps, each of which is done or not. Counts as released by people.
   *
   * Needs the scope matches:write.
   */
  undoMatchingJob: ApiMethod<'undoMatchingJob'>;
  /**
   * List the records of one side that got no MATCH
   *
   * Records that are neither in a MATCH pair nor in a composite MATCH, each with the reason and its best POSSIBLE of both kinds. Empty until the job is completed.
   *
   * Needs the scope jobs:read and records:read.
   */
  listUnmatchedRecords: ApiMethod<'listUnmatchedRecords'>;
  /**
   * List the records of a dataset that belong together
   *
   * Where a rule set compares a dataset with itself: the records that MATCH pairs of the job connect, and those that people had confirmed, the largest cluster first. Clusters are as the job found them; later reviews show in `review`. Empty until the job is completed; 409 conflict for rule sets of two datasets, and for runs.
   *
   * Needs the scope jobs:read and records:read.
   */
  listClusters: ApiMethod<'listClusters'>;
  /**
   * List what a dry run would change, or a full run has changed
   *
   * Needs the scope jobs:read and records:read.
   */
  listRunChanges: ApiMethod<'listRunChanges'>;
  /**
   * List match groups, newest first
   *
   * Needs the scope matches:read and records:read.
   */
  listMatchGroups: ApiMethod<'listMatchGroups'>;
  /**
   * Tie records by hand
   *
   * Any number of open items of either side whose amounts and adjustments add up to 0.
   *
   * Needs the scope matches:write and records:read.
   */
  createMatchGroup: ApiMethod<'createMatchGroup'>;
  /**
   * Release many match groups
   *
   * In steps of 200, each of which is done or not.
   *
   * Needs the scope matches:write, and records:read with a filter.
   */
  releaseMatchGroups: ApiMethod<'releaseMatchGroups'>;
  /**
   * Read a match group
   *
   * Needs the scope matches:read and records:read.
   */
  getMatchGroup: ApiMethod<'getMatchGroup'>;
  /**
   * Release a match group
   *
   * Its records are open again. A run does not tie the same records again, unless allowAgain.
   *
   * Needs the scope matches:write and records:read.
   */
  releaseMatchGroup: ApiMethod<'releaseMatchGroup'>;
  /**
   * Approve a match group that waits for it
   *
   * For a person other than its maker: a user, or one whom a key names in x-actor. Its maker is refused with 403, and a group that does not wait with 409.
   *
   * Needs the scope matches:approve and records:read.
   */
  approveMatchGroup: ApiMethod<'approveMatchGroup'>;
  /**
   * Reject a match group that waits for approval
   *
   * It is released: its records are open again, and no run ties them again by the same rules.
   *
   * Needs the scope matches:approve and records:read.
   */
  rejectMatchGroup: ApiMethod<'rejectMatchGroup'>;
  /**
   * List reconciliations, newest first
   *
   * Needs the scope reconciliations:read.
   */
  listReconciliations: ApiMethod<'listReconciliations'>;
  /**
   * Create a reconciliation
   *
   * Its records are open items from now on, until a match group holds them.
   *
   * Needs the scope reconciliations:write.
   */
  createReconciliation: ApiMethod<'createReconciliation'>;
  /**
   * Read a reconciliation
   *
   * Needs the scope reconciliations:read.
   */
  getReconciliation: ApiMethod<'getReconciliation'>;
  /**
   * Change a reconciliation
   *
   * Once a group has held, keys, sign and time zone are fixed, and datasets can only be added.
   *
   * Needs the scope reconciliations:write.
   */
  updateReconciliation: ApiMethod<'updateReconciliation'>;
  /**
   * Delete a reconciliation that has never held a group
   *
   * Needs the scope reconciliations:write.
   */
  deleteReconciliation: ApiMethod<'deleteReconciliation'>;
  /**
   * Annotate, snooze or exclude many items
   *
   * In steps of 500, each of which is done or not.
   *
   * Needs the scope reconciliations:write, and records:read with a filter.
   */
  annotateOpenItems: ApiMethod<'annotateOpenItems'>;
  /**
   * List open items
   *
   * Records that no group holds wholly, with what remains of their amount.
   *
   * Needs the scope reconciliations:read and records:read.
   */
  listOpenItems: ApiMethod<'listOpenItems'>;
  /**
   * Annotate, snooze or exclude an item
   *
   * Needs the scope reconciliations:write.
   */
  annotateOpenItem: ApiMethod<'annotateOpenItem'>;
  /**
   * List what most likely belongs to an open item
   *
   * Open items of the other side and groups that add up to the item, outside of the windows of the passes too, each with what the passes say of it and why none has tied it.
   *
   * Needs the scope reconciliations:read and records:read.
   */
  listOpenItemCandidates: ApiMethod<'listOpenItemCandidates'>;
  /**
   * List what the latest run proposes, the best first
   *
   * Pairs and composites whose records are all open, without those that people have decided about.
   *
   * Needs the scope matches:read and records:read.
   */
  listProposals: ApiMethod<'listProposals'>;
  /**
   * List the runs of a reconciliation, newest first
   *
   * Needs the scope reconciliations:read; without records:read what quotes records is left out.
   */
  listReconciliationRuns: ApiMethod<'listReconciliationRuns'>;
  /**
   * Match the open items
   *
   * Pass after pass; each sees what the ones before have left. A MATCH becomes a held group, unless accept is review. A full run also takes apart what runs have held and it ties differently. One run works at a time; one that is asked for meanwhile waits, and is the answer to further requests.
   *
   * Needs the scope reconciliations:write; without records:read what quotes records is left out.
   */
  startReconciliationRun: ApiMethod<'startReconciliationRun'>;
  /**
   * Sum up both sides, and prove their balances
   *
   * Records, held, open and excluded ones, the age of open ones, match rates, groups, adjustments and the proof of balance: as they are now, as they were known at a moment, or as they are at the end of a month. A closed month is what its certificate says.
   *
   * Needs the scope reconciliations:read; without records:read what quotes records is left out.
   */
  getReconciliationSummary: ApiMethod<'getReconciliationSummary'>;
  /**
   * List the months of a reconciliation, the latest first
   *
   * Those that have records, groups or certificates.
   *
   * Needs the scope reconciliations:read; without records:read what quotes records is left out.
   */
  listPeriods: ApiMethod<'listPeriods'>;
  /**
   * Read a month with its certificates
   *
   * Needs the scope reconciliations:read; without records:read what quotes records is left out.
   */
  getPeriod: ApiMethod<'getPeriod'>;
  /**
   * Close a month
   *
   * Its certificate keeps the sums of both sides, the proof and the open items. Earlier months that have records or groups have to be closed. Groups of a closed month are released only with `force`, and records that come later count in the first open one.
   *
   * Needs the scope periods:write and records:read.
   */
  closePeriod: ApiMethod<'closePeriod'>;
  /**
   * Open a closed month again
   *
   * Later closed months open too. Their certificates are kept, with their end.
   *
   * Needs the scope periods:write and records:read.
   */
  reopenPeriod: ApiMethod<'reopenPeriod'>;
  /**
   * Lock a closed month for good
   *
   * With those before it. A locked month never opens again.
   *
   * Needs the scope periods:write and records:read.
   */
  lockPeriod: ApiMethod<'lockPeriod'>;
  /**
   * List the items that are open at the end of a month
   *
   * The month’s certificate tells its open items; a month without one lists those of now.
   *
   * Needs the scope reconciliations:read and records:read.
   */
  listPeriodOpenItems: ApiMethod<'listPeriodOpenItems'>;
  /**
   * List the balances of both sides, the latest day first
   *
   * Needs the scope reconciliations:read and records:read.
   */
  listBalances: ApiMethod<'listBalances'>;
  /**
   * Give the balance of a side at the end of a day
   *
   * In place of the one that was given for this day and currency. Closing balances of camt.053, MT940 and OFX files come by themselves; the sum of the accounts of a side counts until a balance of a later day is given for it.
   *
   * Needs the scope reconciliations:write.
   */
  stateBalance: ApiMethod<'stateBalance'>;
  /**
   * Report a month, or all months
   *
   * Summary, groups with their records and adjustments, and open items with their age. xlsx has a sheet for each; csv has one table with section, else all of them one after the other.
   *
   * Needs the scope reconciliations:read and records:read and matches:read.
   */
  getReconciliationReport: ApiMethod<'getReconciliationReport'>;
  /**
   * List the reason codes
   *
   * Needs the scope reconciliations:read.
   */
  listReasonCodes: ApiMethod<'listReasonCodes'>;
  /**
   * Add a reason code
   *
   * Needs the scope reconciliations:write.
   */
  createReasonCode: ApiMethod<'createReasonCode'>;
  /**
   * Remove a reason code of the tenant
   *
   * What was done with it keeps it.
   *
   * Needs the scope reconciliations:write.
   */
  deleteReasonCode: ApiMethod<'deleteReasonCode'>;
  /**
   * Record in the audit that an agent uses a tool
   *
   * Before the tool does anything. What it changes has the same request id where the caller sends one.
   *
   * Needs no scope.
   */
  recordAgentCall: ApiMethod<'recordAgentCall'>;
  /**
   * List what agents have proposed, newest first
   *
   * Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
   */
  listAgentProposals: ApiMethod<'listAgentProposals'>;
  /**
   * Propose a change for a person to confirm
   *
   * It is checked as if it were carried out, and changes nothing until a person confirms it. A key whose scopes name agents:commit carries it out at once. Also needs the scope of the action: matches:write, rule-sets:write, or reconciliations:write for annotations and runs.
   *
   * Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
   */
  createAgentProposal: ApiMethod<'createAgentProposal'>;
  /**
   * Read a proposal of an agent
   *
   * Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
   */
  getAgentProposal: ApiMethod<'getAgentProposal'>;
  /**
   * Carry a proposal out as the person who confirms it
   *
   * For a user, or a person whom another key names in x-actor, with the scope of the action. If the action is refused, the answer is its error, and the proposal keeps waiting. A proposal that does not wait: 409.
   *
   * Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
   */
  confirmAgentProposal: ApiMethod<'confirmAgentProposal'>;
  /**
   * Reject a proposal
   *
   * The people who may confirm a proposal may reject it. It then changes nothing.
   *
   * Needs the scope reconciliations:read and records:read and matches:read and rule-sets:read.
   */
  rejectAgentProposal: ApiMethod<'rejectAgentProposal'>;
  /**
   * Look for a rule set that matches two datasets, or one with itself
   *
   * Learns from the records alone. Nothing but the answer is stored: post its rule_set to use it.
   *
   * Needs the scope rule-sets:write.
   */
  suggestRuleSet: ApiMethod<'suggestRuleSet'>;
  /**
   * List suggestions, newest first, without their answers
   *
   * Needs the scope rule-sets:read.
   */
  listSuggestions: ApiMethod<'listSuggestions'>;
  /**
   * Read a suggestion with its progress and answer
   *
   * Needs the scope rule-sets:read and records:read.
   */
  getSuggestion: ApiMethod<'getSuggestion'>;
  /**
   * Cancel a suggestion that is queued or running
   *
   * Needs the scope rule-sets:write.
   */
  cancelSuggestion: ApiMethod<'cancelSuggestion'>;
  /**
   * Refit the weights and thresholds of a rule set to its reviewed pairs
   *
   * Changes nothing: GET /v1/suggestions/{id} has the draft, to be patched or posted. 409 conflict without a completed job of the rule set as it is, or with too few reviews.
   *
   * Needs the scope rule-sets:write and matches:read.
   */
  trainRuleSet: ApiMethod<'trainRuleSet'>;
  /**
   * List the pairs of a rule set whose reviews would teach most
   *
   * Live pairs without a review, about as many of each range of scores on both sides of Tmatch, most beside it, and pairs that differ first. The same records and reviews give the same list.
   *
   * Needs the scope rule-sets:read and matches:read; without records:read what quotes records is left out.
   */
  listQuestions: ApiMethod<'listQuestions'>;
  /**
   * Count what a rule set would find
   *
   * Runs a rule set as it is sent over real candidates, and stores nothing but the answer. A first answer from few records comes within about a second.
   *
   * Needs the scope rule-sets:write.
   */
  simulateRuleSet: ApiMethod<'simulateRuleSet'>;
  /**
   * List simulations, newest first, without their answers
   *
   * Needs the scope rule-sets:read.
   */
  listSimulations: ApiMethod<'listSimulations'>;
  /**
   * Read a simulation with its progress and the answer so far
   *
   * Needs the scope rule-sets:read and records:read.
   */
  getSimulation: ApiMethod<'getSimulation'>;
  /**
   * Cancel a simulation that is queued or running
   *
   * Needs the scope rule-sets:write.
   */
  cancelSimulation: ApiMethod<'cancelSimulation'>;
  /**
   * Score pairs without storing anything
   *
   * Pairs of raw data, pairs of stored records, or a sample of the candidates among the newest records of both datasets.
   *
   * Needs the scope rule-sets:read, and records:read for stored records.
   */
  previewRuleSet: ApiMethod<'previewRuleSet'>;
  /**
   * List rule sets, newest first
   *
   * Needs the scope rule-sets:read; without records:read what quotes records is left out.
   */
  listRuleSets: ApiMethod<'listRuleSets'>;
  /**
   * Create a rule set
   *
   * Every expression is parsed; with strict field validation its references must be declared fields.
   *
   * Needs the scope rule-sets:write.
   */
  createRuleSet: ApiMethod<'createRuleSet'>;
  /**
   * Read a rule set
   *
   * Needs the scope rule-sets:read; without records:read what quotes records is left out.
   */
  getRuleSet: ApiMethod<'getRuleSet'>;
  /**
   * Change a rule set
   *
   * Raises its version. A running job keeps its definition. A pass keeps to the rules of passes.
   *
   * Needs the scope rule-sets:write; without records:read what quotes records is left out.
   */
  updateRuleSet: ApiMethod<'updateRuleSet'>;
  /**
   * Delete a rule set with its matches and its links to jobs
   *
   * Also answers 204 when there is no such rule set.
   *
   * Needs the scope rule-sets:write.
   */
  deleteRuleSet: ApiMethod<'deleteRuleSet'>;
  /**
   * Compare the live results of a rule set with pairs that belong together
   *
   * Judges pairs, as confirmed and rejected by people, not composite matches, and stores nothing. 409 conflict without a completed job, or with more than a million kept pairs.
   *
   * Needs the scope rule-sets:read and records:read and matches:read.
   */
  evaluateRuleSet: ApiMethod<'evaluateRuleSet'>;
  /**
   * Export the wrong and the missed pairs of a rule set as CSV
   *
   * Needs the scope rule-sets:read and records:read and matches:read.
   */
  exportEvaluation: ApiMethod<'exportEvaluation'>;
  /**
   * List datasets, newest first
   *
   * Needs the scope datasets:read.
   */
  listDatasets: ApiMethod<'listDatasets'>;
  /**
   * Create a dataset
   *
   * POST /v1/records also creates one when it names a dataset that does not exist.
   *
   * Needs the scope datasets:write.
   */
  createDataset: ApiMethod<'createDataset'>;
  /**
   * Read a dataset
   *
   * Needs the scope datasets:read.
   */
  getDataset: ApiMethod<'getDataset'>;
  /**
   * Change a dataset
   *
   * Needs the scope datasets:write.
   */
  updateDataset: ApiMethod<'updateDataset'>;
  /**
   * Delete a dataset with its fields and records
   *
   * Refused with 409 while a rule set uses it. The matches of its records are deleted as well. With the answer, the dataset and its records can no longer be read; the records of a large dataset and their matches are removed within minutes.
   *
   * Needs the scope datasets:write.
   */
  deleteDataset: ApiMethod<'deleteDataset'>;
  /**
   * Read the data of the record last created
   *
   * Needs the scope datasets:read and records:read.
   */
  getDatasetSample: ApiMethod<'getDatasetSample'>;
  /**
   * Read how far the records are normalised
   *
   * After a change of fields all records are normalised again in the background. Until then they are read with their previous values.
   *
   * Needs the scope datasets:read.
   */
  getDatasetProgress: ApiMethod<'getDatasetProgress'>;
  /**
   * List the fields of a dataset in the order of their creation
   *
   * Needs the scope datasets:read.
   */
  listDatasetFields: ApiMethod<'listDatasetFields'>;
  /**
   * Declare a field
   *
   * Its value is transform_expr over the record, else the one at sourcePath, else at key. The records of the dataset are processed again in the background.
   *
   * Needs the scope datasets:write.
   */
  createDatasetField: ApiMethod<'createDatasetField'>;
  /**
   * Declare a field for every column of the data
   *
   * A missing key is derived from the name, a missing type from the present records. A field whose key exists is updated. The records of the dataset are processed again in the background.
   *
   * Needs the scope datasets:write.
   */
  createDatasetFieldsFromColumns: ApiMethod<'createDatasetFieldsFromColumns'>;
  /**
   * Compute fields over data that is sent, without storing anything
   *
   * Shows what fields would make of records before they are declared or changed.
   *
   * Needs the scope datasets:read.
   */
  previewDatasetFields: ApiMethod<'previewDatasetFields'>;
  /**
   * Change a field
   *
   * null or an empty text removes a sourcePath or a transform_expr. The records of the dataset are processed again in the background.
   *
   * Needs the scope datasets:write.
   */
  updateDatasetField: ApiMethod<'updateDatasetField'>;
  /**
   * Delete a field
   *
   * The records of the dataset are processed again in the background.
   *
   * Needs the scope datasets:write.
   */
  deleteDatasetField: ApiMethod<'deleteDatasetField'>;
  /**
   * List data sources, newest first
   *
   * Needs the scope datasets:read.
   */
  listDataSources: ApiMethod<'listDataSources'>;
  /**
   * Create a data source
   *
   * Needs the scope datasets:write.
   */
  createDataSource: ApiMethod<'createDataSource'>;
  /**
   * Read a data source
   *
   * Needs the scope datasets:read.
   */
  getDataSource: ApiMethod<'getDataSource'>;
  /**
   * List the files of a data source, newest first
   *
   * Needs the scope datasets:read; without records:read what quotes records is left out.
   */
  listFiles: ApiMethod<'listFiles'>;
  /**
   * Upload a file of records
   *
   * CSV, TSV, XLSX, JSON, NDJSON, OFX, QIF, MT940, MT942, camt.052, camt.053 or camt.054, or a ZIP archive with one of them, at most 256 MiB. Its rows become records of the dataset in the background; its errors list the rows that cannot be read. Content that the dataset has already received adds nothing; with other reading options it replaces its earlier rows.
   *
   * Needs the scope datasets:write; without records:read what quotes records is left out.
   */
  uploadFile: ApiMethod<'uploadFile'>;
  /**
   * Show how a file would be read
   *
   * Takes the fields of an upload and stores nothing: the reading, the first 50 rows as their records would be, with the cells that do not fit, and the warnings. A file that cannot be read is a 400 that says why.
   *
   * Needs the scope datasets:read.
   */
  previewFile: ApiMethod<'previewFile'>;
  /**
   * Read a file: its status and progress
   *
   * Needs the scope datasets:read; without records:read what quotes records is left out.
   */
  getFile: ApiMethod<'getFile'>;
  /**
   * List the rows of a file that could not be used
   *
   * In the order of the lines: rows that could not be read and so are not records, and rows with a value that does not fit its field, which are records of status failed.
   *
   * Needs the scope datasets:read and records:read.
   */
  listFileErrors: ApiMethod<'listFileErrors'>;
  /**
   * List webhooks, newest first
   *
   * Needs the scope webhooks:read.
   */
  listWebhooks: ApiMethod<'listWebhooks'>;
  /**
   * Register a webhook
   *
   * It receives events from now on. Events, headers, retries and how to verify them: docs/how-to/webhooks.md. 413 quota_exceeded when the tenant has as many as it may.
   *
   * Needs the scope webhooks:write.
   */
  createWebhook: ApiMethod<'createWebhook'>;
  /**
   * Read a webhook
   *
   * Needs the scope webhooks:read.
   */
  getWebhook: ApiMethod<'getWebhook'>;
  /**
   * Replace url, secret and events of a webhook
   *
   * Takes effect with the next attempt, also for deliveries that wait for a retry. The signing secret stays.
   *
   * Needs the scope webhooks:write.
   */
  updateWebhook: ApiMethod<'updateWebhook'>;
  /**
   * Remove a webhook
   *
   * Nothing more is sent to it. Waiting deliveries are cancelled; all deliveries remain readable.
   *
   * Needs the scope webhooks:write.
   */
  deleteWebhook: ApiMethod<'deleteWebhook'>;
  /**
   * Give a webhook another signing secret
   *
   * From the next attempt on, deliveries are signed with both until the overlap ends, then with the new one. A rotation during an overlap ends that.
   *
   * Needs the scope webhooks:write.
   */
  rotateWebhookSigningSecret: ApiMethod<'rotateWebhookSigningSecret'>;
  /**
   * List the deliveries of a webhook, newest first
   *
   * Also lists those of a removed webhook.
   *
   * Needs the scope webhooks:read.
   */
  listWebhookDeliveries: ApiMethod<'listWebhookDeliveries'>;
  /**
   * Read a delivery with the log of its attempts
   *
   * Needs the scope webhooks:read.
   */
  getWebhookDelivery: ApiMethod<'getWebhookDelivery'>;
  /**
   * Retry a delivery once, now
   *
   * In any state, also delivered or abandoned. Success ends the delivery; failure changes neither it nor its schedule. 409 conflict while an attempt is running.
   *
   * Needs the scope webhooks:write.
   */
  retryWebhookDelivery: ApiMethod<'retryWebhookDelivery'>;
  /**
   * Send a test event
   *
   * Sends WEBHOOK_TEST, whichever events the webhook subscribes to. It is delivered and retried like any other event.
   *
   * Needs the scope webhooks:write.
   */
  testWebhook: ApiMethod<'testWebhook'>;
  /**
   * List the institutions that can be connected, with what the login of each needs
   *
   * Needs the scope items:read.
   */
  listConnectors: ApiMethod<'listConnectors'>;
  /**
   * List items, newest first
   *
   * Needs the scope items:read.
   */
  listItems: ApiMethod<'listItems'>;
  /**
   * Connect to an institution
   *
   * The login and the first sync follow in the background; webhooks report each step. Lifecycle and events: docs/reference/items.md.
   *
   * Needs the scope items:write.
   */
  createItem: ApiMethod<'createItem'>;
  /**
   * Read an item
   *
   * Needs the scope items:read.
   */
  getItem: ApiMethod<'getItem'>;
  /**
   * Sync an item now, or log in again
   *
   * Refused with item_busy while a run is under way or waits for the user.
   *
   * Needs the scope items:write.
   */
  updateItem: ApiMethod<'updateItem'>;
  /**
   * Remove an item
   *
   * Ends a running sync and the consent at the provider. Records made of its transactions remain. Also 204 for an unknown id.
   *
   * Needs the scope items:write.
   */
  deleteItem: ApiMethod<'deleteItem'>;
  /**
   * Answer what an item asks its user for
   *
   * Refused with item_busy unless the item is WAITING_USER_INPUT or WAITING_USER_ACTION.
   *
   * Needs the scope items:write.
   */
  answerItem: ApiMethod<'answerItem'>;
  /**
   * Import the transactions of an item into a dataset
   *
   * The present transactions and those of each later sync become records, with the id of the transaction as external id. Calling it again for the same dataset replaces its accounts.
   *
   * Needs the scope items:write.
   */
  ingestItem: ApiMethod<'ingestItem'>;
  /**
   * List the imports of an item into datasets, newest first
   *
   * Needs the scope items:read.
   */
  listItemIngests: ApiMethod<'listItemIngests'>;
  /**
   * End the import of an item into a dataset
   *
   * The records remain.
   *
   * Needs the scope items:write.
   */
  deleteItemIngest: ApiMethod<'deleteItemIngest'>;
  /**
   * Credit cards of an item
   *
   * Needs the scope browse:read.
   */
  browseCreditCards: ApiMethod<'browseCreditCards'>;
  /**
   * Transactions of a credit card, newest first
   *
   * Each installment is a transaction. Pages requested within a minute belong to the same list, unless a sync has changed it.
   *
   * Needs the scope browse:read.
   */
  browseCreditCardTransactions: ApiMethod<'browseCreditCardTransactions'>;
  /**
   * Accounts of an item, credit cards included
   *
   * Needs the scope browse:read.
   */
  browseAccounts: ApiMethod<'browseAccounts'>;
  /**
   * Transactions of an account, newest first
   *
   * Pages requested within a minute belong to the same list, unless a sync has changed it.
   *
   * Needs the scope browse:read.
   */
  browseAccountTransactions: ApiMethod<'browseAccountTransactions'>;
  /**
   * Investments of an item
   *
   * Needs the scope browse:read.
   */
  browseInvestments: ApiMethod<'browseInvestments'>;
  /**
   * All transactions of an investment, newest first
   *
   * Needs the scope browse:read.
   */
  browseInvestmentTransactions: ApiMethod<'browseInvestmentTransactions'>;
  /**
   * Read usage and what is billed
   *
   * What is billed is booked when a job completes and never changes. Records, matches and composites are counted as they are now. All numbers are of one moment.
   *
   * Needs the scope billing:read.
   */
  getBillingUsage: ApiMethod<'getBillingUsage'>;
  /**
   * Compute the hashes of the whole chain again
   *
   * Compare the head with one that you kept: a chain that was rewritten as a whole has another one.
   *
   * Needs the scope audit:read.
   */
  verifyAudit: ApiMethod<'verifyAudit'>;
  /**
   * Export what people and jobs did as CSV, oldest first
   *
   * All entries of the filters, streamed. Cells are those of the export of records; changes are JSON.
   *
   * Needs the scope audit:read and records:read.
   */
  exportAudit: ApiMethod<'exportAudit'>;
  /**
   * List what people and jobs did, newest first
   *
   * Needs the scope audit:read; without records:read what quotes records is left out.
   */
  listAudit: ApiMethod<'listAudit'>;
  /**
   * Set up automatic reconciliation for a company
   *
   * Creates what is missing: the internal data source of a company and the datasets core_invoices and core_accounting_entries, with fields for invoices and accounting entries. A dataset of such a name with fields of its own is left unchanged; one without fields gets them. Calling it again changes nothing.
   *
   * Needs the platform key.
   */
  setUpReconciliation: ApiMethod<'setUpReconciliation'>;
  /**
   * Set up the core data of a company
   *
   * Creates what is missing: the internal data source of a company and the datasets core_invoices and core_accounting_entries, with fields for invoices and accounting entries. A dataset of such a name with fields of its own is left unchanged; one without fields gets them. Calling it again changes nothing.
   *
   * Needs the platform key.
   */
  setUpCore: ApiMethod<'setUpCore'>;
  /**
   * List API keys, newest first
   *
   * Needs the scope keys:read.
   */
  listApiKeys: ApiMethod<'listApiKeys'>;
  /**
   * Create an API key
   *
   * No key creates one that may do more than itself: its scopes, expiresAt and allowedCidrs limit those of the new key.
   *
   * Needs the scope keys:write.
   */
  createApiKey: ApiMethod<'createApiKey'>;
  /**
   * Read an API key
   *
   * Needs the scope keys:read.
   */
  getApiKey: ApiMethod<'getApiKey'>;
  /**
   * Revoke an API key
   *
   * It stops working within a second and remains readable with active false. Revoking it again changes nothing. A key with scopes cannot revoke one with scopes that it lacks.
   *
   * Needs the scope keys:write.
   */
  revokeApiKey: ApiMethod<'revokeApiKey'>;
  /**
   * Give an API key another secret
   *
   * The present secret is accepted for overlapSeconds more, an older one no longer. Id, scopes and limits stay. No key rotates one that may do more than itself; 409 conflict for a key that is not active.
   *
   * Needs the scope keys:write.
   */
  rotateApiKey: ApiMethod<'rotateApiKey'>;
  /**
   * List users, newest first
   *
   * Needs the scope users:read.
   */
  listUsers: ApiMethod<'listUsers'>;
  /**
   * Invite a person
   *
   * Send the person invitation.url: it is shown once, and nothing is mailed. No caller gives a role that may do more than itself, and no key does that expires or works from some addresses only.
   *
   * Needs the scope users:write.
   */
  createUser: ApiMethod<'createUser'>;
  /**
   * Accept an invitation: set the password and sign in
   *
   * It can be accepted once. A password has 12 to 256 characters, 5 of them different; it is not made of the email, and not one that is guessed first. Other sessions of the user end.
   */
  acceptInvitation: ApiMethod<'acceptInvitation'>;
  /**
   * Read a user
   *
   * Needs the scope users:read.
   */
  getUser: ApiMethod<'getUser'>;
  /**
   * Rename a user, change the role, or take or give back the access
   *
   * A role holds for running sessions at once; with active false they end at once. Nobody changes their own role or activity (409), nor those of a user who may do more (403).
   *
   * Needs the scope users:write.
   */
  updateUser: ApiMethod<'updateUser'>;
  /**
   * Delete a user
   *
   * The sessions of the user end at once; the audit keeps what the user did.
   *
   * Needs the scope users:write.
   */
  deleteUser: ApiMethod<'deleteUser'>;
  /**
   * Invite a user again, such as one who forgot the password
   *
   * An earlier invitation is void. Password and sessions stay until this one is accepted.
   *
   * Needs the scope users:write.
   */
  inviteUser: ApiMethod<'inviteUser'>;
  /**
   * List your own sessions, the last used first
   *
   * Needs no scope.
   */
  listSessions: ApiMethod<'listSessions'>;
  /**
   * Sign in
   *
   * Begins the session of a user, or of an API key, which may do what the key may. It ends 12 hours after its last request, 30 days after its first. Requests with its cookie must come from a page of the same origin; one that changes something needs csrf_token in the header x-tieout-csrf.
   */
  signIn: ApiMethod<'signIn'>;
  /**
   * How people sign in here
   */
  listSignInMethods: ApiMethod<'listSignInMethods'>;
  /**
   * Sign in as the person whom the identity provider has named
   *
   * The console sends this request after a sign-in at the identity provider, which has set a cookie with the verified email. 404 user_not_found: no user was invited with that email.
   */
  signInByProvider: ApiMethod<'signInByProvider'>;
  /**
   * Sign out
   *
   * Needs no scope.
   */
  signOut: ApiMethod<'signOut'>;
  /**
   * End one of your own sessions
   *
   * Needs no scope.
   */
  endSession: ApiMethod<'endSession'>;
  /**
   * Who sends this request, and what they may do
   *
   * Needs no scope.
   */
  getMe: ApiMethod<'getMe'>;
  /**
   * Change your own password
   *
   * Your other sessions end. The rules of passwords are those of POST /v1/users/accept.
   *
   * Needs no scope.
   */
  changePassword: ApiMethod<'changePassword'>;
  /**
   * List tenants, newest first
   *
   * Needs the platform key.
   */
  listTenants: ApiMethod<'listTenants'>;
  /**
   * Create a tenant
   *
   * Create its first key with POST /v1/api-keys, the platform key and the header x-tenant-id.
   *
   * Needs the platform key.
   */
  createTenant: ApiMethod<'createTenant'>;
  /**
   * Read a tenant, what it uses and its limits
   *
   * Needs the platform key.
   */
  getTenant: ApiMethod<'getTenant'>;
  /**
   * Rename, suspend or resume a tenant, or change its limits
   *
   * A suspended tenant is refused with 403 tenant_suspended within a second; the platform key may still read its data, revoke and rotate its keys and delete its webhooks. Its work waits, nothing of it is lost, and it goes on within two minutes once the tenant is active. A limit may be lower than what is used: then nothing is added.
   *
   * Needs the platform key.
   */
  updateTenant: ApiMethod<'updateTenant'>;
  /**
   * Delete a tenant and erase everything that it has
   *
   * Its keys stop working within a second. Then all of its data is erased, bills included: GET shows how far that is, and answers 404 once it is done. Repeating the call changes nothing; 204 says that there is no such tenant. It cannot be undone.
   *
   * Needs the platform key.
   */
  deleteTenant: ApiMethod<'deleteTenant'>;
  /**
   * Whether the process is alive
   */
  getHealth: ApiMethod<'getHealth'>;
  /**
   * Whether the API can do its work
   */
  getReadiness: ApiMethod<'getReadiness'>;
  /**
   * This description of the API
   */
  getOpenApiDocument: ApiMethod<'getOpenApiDocument'>;
}

export type BodyKind = 'none' | 'json' | 'ndjson' | 'form';
export type AnswerKind = 'none' | 'json' | 'response';

/** Method, path, body, answer, and whether it honours an Idempotency-Key. */
export const operationTable: Record<OperationName, readonly [string, string, BodyKind, AnswerKind, boolean]> = {
  listRecords: ['get', '/v1/records', 'none', 'json', false],
  createRecord: ['post', '/v1/records', 'json', 'json', true],
  createRecords: ['post', '/v1/records/bulk', 'ndjson', 'json', true],
  exportRecords: ['post', '/v1/records/export.csv', 'json', 'response', false],
  getRecord: ['get', '/v1/records/{id}', 'none', 'json', false],
  deleteRecord: ['delete', '/v1/records/{id}', 'none', 'none', false],
  listMatches: ['get', '/v1/matches', 'none', 'json', false],
  reviewMatches: ['post', '/v1/matches/review', 'json', 'json', false],
  getMatch: ['get', '/v1/matches/{id}', 'none', 'json', false],
  reviewMatch: ['post', '/v1/matches/{id}/review', 'json', 'json', true],
  listCompositeMatches: ['get', '/v1/composite-matches', 'none', 'json', false],
  getCompositeMatch: ['get', '/v1/composite-matches/{id}', 'none', 'json', false],
  reviewCompositeMatch: ['post', '/v1/composite-matches/{id}/review', 'json', 'json', true],
  listMatchingJobs: ['get', '/v1/matching-jobs', 'none', 'json', false],
  startMatchingJob: ['post', '/v1/matching-jobs', 'json', 'json', true],
  getMatchingJob: ['get', '/v1/matching-jobs/{id}', 'none', 'json', false],
  cancelMatchingJob: ['post', '/v1/matching-jobs/{id}/cancel', 'none', 'json', false],
  undoMatchingJob: ['post', '/v1/matching-jobs/{id}/undo', 'json', 'json', false],
  listUnmatchedRecords: ['get', '/v1/matching-jobs/{id}/unmatched', 'none', 'json', false],
  listClusters: ['get', '/v1/matching-jobs/{id}/clusters', 'none', 'json', false],
  listRunChanges: ['get', '/v1/matching-jobs/{id}/changes', 'none', 'json', false],
  listMatchGroups: ['get', '/v1/match-groups', 'none', 'json', false],
  createMatchGroup: ['post', '/v1/match-groups', 'json', 'json', true],
  releaseMatchGroups: ['post', '/v1/match-groups/release', 'json', 'json', false],
  getMatchGroup: ['get', '/v1/match-groups/{id}', 'none', 'json', false],
  releaseMatchGroup: ['post', '/v1/match-groups/{id}/release', 'json', 'json', true],
  approveMatchGroup: ['post', '/v1/match-groups/{id}/approve', 'json', 'json', true],
  rejectMatchGroup: ['post', '/v1/match-groups/{id}/reject', 'json', 'json', true],
  listReconciliations: ['get', '/v1/reconciliations', 'none', 'json', false],
  createReconciliation: ['post', '/v1/reconciliations', 'json', 'json', true],
  getReconciliation: ['get', '/v1/reconciliations/{id}', 'none', 'json', false],
  updateReconciliation: ['patch', '/v1/reconciliations/{id}', 'json', 'json', false],
  deleteReconciliation: ['delete', '/v1/reconciliations/{id}', 'none', 'none', false],
  annotateOpenItems: ['post', '/v1/reconciliations/{id}/open-items/annotate', 'json', 'json', false],
  listOpenItems: ['get', '/v1/reconciliations/{id}/open-items', 'none', 'json', false],
  annotateOpenItem: ['patch', '/v1/reconciliations/{id}/open-items/{recordId}', 'json', 'none', false],
  listOpenItemCandidates: ['get', '/v1/reconciliations/{id}/open-items/{recordId}/candidates', 'none', 'json', false],
  listProposals: ['get', '/v1/reconciliations/{id}/proposals', 'none', 'json', false],
  listReconciliationRuns: ['get', '/v1/reconciliations/{id}/runs', 'none', 'json', false],
  startReconciliationRun: ['post', '/v1/reconciliations/{id}/runs', 'json', 'json', true],
  getReconciliationSummary: ['get', '/v1/reconciliations/{id}/summary', 'none', 'json', false],
  listPeriods: ['get', '/v1/reconciliations/{id}/periods', 'none', 'json', false],
  getPeriod: ['get', '/v1/reconciliations/{id}/periods/{period}', 'none', 'json', false],
  closePeriod: ['post', '/v1/reconciliations/{id}/periods/{period}/close', 'json', 'json', true],
  reopenPeriod: ['post', '/v1/reconciliations/{id}/periods/{period}/reopen', 'json', 'json', false],
  lockPeriod: ['post', '/v1/reconciliations/{id}/periods/{period}/lock', 'none', 'json', false],
  listPeriodOpenItems: ['get', '/v1/reconciliations/{id}/periods/{period}/open-items', 'none', 'json', false],
  listBalances: ['get', '/v1/reconciliations/{id}/balances', 'none', 'json', false],
  stateBalance: ['post', '/v1/reconciliations/{id}/balances', 'json', 'json', true],
  getReconciliationReport: ['get', '/v1/reconciliations/{id}/report', 'none', 'response', false],
  listReasonCodes: ['get', '/v1/reason-codes', 'none', 'json', false],
  createReasonCode: ['post', '/v1/reason-codes', 'json', 'json', true],
  deleteReasonCode: ['delete', '/v1/reason-codes/{code}', 'none', 'none', false],
  recordAgentCall: ['post', '/v1/agent-calls', 'json', 'json', true],
  listAgentProposals: ['get', '/v1/agent-proposals', 'none', 'json', false],
  createAgentProposal: ['post', '/v1/agent-proposals', 'json', 'json', true],
  getAgentProposal: ['get', '/v1/agent-proposals/{id}', 'none', 'json', false],
  confirmAgentProposal: ['post', '/v1/agent-proposals/{id}/confirm', 'json', 'json', true],
  rejectAgentProposal: ['post', '/v1/agent-proposals/{id}/reject', 'json', 'json', true],
  suggestRuleSet: ['post', '/v1/rule-sets/suggest', 'json', 'json', true],
  listSuggestions: ['get', '/v1/suggestions', 'none', 'json', false],
  getSuggestion: ['get', '/v1/suggestions/{id}', 'none', 'json', false],
  cancelSuggestion: ['post', '/v1/suggestions/{id}/cancel', 'none', 'json', false],
  trainRuleSet: ['post', '/v1/rule-sets/{id}/train', 'none', 'json', true],
  listQuestions: ['get', '/v1/rule-sets/{id}/questions', 'none', 'json', false],
  simulateRuleSet: ['post', '/v1/rule-sets/simulate', 'json', 'json', true],
  listSimulations: ['get', '/v1/simulations', 'none', 'json', false],
  getSimulation: ['get', '/v1/simulations/{id}', 'none', 'json', false],
  cancelSimulation: ['post', '/v1/simulations/{id}/cancel', 'none', 'json', false],
  previewRuleSet: ['post', '/v1/rule-sets/preview', 'json', 'json', false],
  listRuleSets: ['get', '/v1/rule-sets', 'none', 'json', false],
  createRuleSet: ['post', '/v1/rule-sets', 'json', 'json', true],
  getRuleSet: ['get', '/v1/rule-sets/{id}', 'none', 'json', false],
  updateRuleSet: ['patch', '/v1/rule-sets/{id}', 'json', 'json', false],
  deleteRuleSet: ['delete', '/v1/rule-sets/{id}', 'none', 'none', false],
  evaluateRuleSet: ['post', '/v1/rule-sets/{id}/evaluate', 'json', 'json', false],
  exportEvaluation: ['post', '/v1/rule-sets/{id}/evaluate.csv', 'json', 'response', false],
  listDatasets: ['get', '/v1/datasets', 'none', 'json', false],
  createDataset: ['post', '/v1/datasets', 'json', 'json', true],
  getDataset: ['get', '/v1/datasets/{id}', 'none', 'json', false],
  updateDataset: ['patch', '/v1/datasets/{id}', 'json', 'json', false],
  deleteDataset: ['delete', '/v1/datasets/{id}', 'none', 'none', false],
  getDatasetSample: ['get', '/v1/datasets/{id}/sample', 'none', 'json', false],
  getDatasetProgress: ['get', '/v1/datasets/{id}/progress', 'none', 'json', false],
  listDatasetFields: ['get', '/v1/datasets/{id}/fields', 'none', 'json', false],
  createDatasetField: ['post', '/v1/datasets/{id}/fields', 'json', 'json', true],
  createDatasetFieldsFromColumns: ['post', '/v1/datasets/{id}/fields/from-columns', 'json', 'json', true],
  previewDatasetFields: ['post', '/v1/datasets/fields/preview', 'json', 'json', false],
  updateDatasetField: ['patch', '/v1/datasets/fields/{fieldId}', 'json', 'json', false],
  deleteDatasetField: ['delete', '/v1/datasets/fields/{fieldId}', 'none', 'none', false],
  listDataSources: ['get', '/v1/data-sources', 'none', 'json', false],
  createDataSource: ['post', '/v1/data-sources', 'json', 'json', true],
  getDataSource: ['get', '/v1/data-sources/{id}', 'none', 'json', false],
  listFiles: ['get', '/v1/data-sources/{id}/files', 'none', 'json', false],
  uploadFile: ['post', '/v1/data-sources/{id}/files', 'form', 'json', true],
  previewFile: ['post', '/v1/files/preview', 'form', 'json', false],
  getFile: ['get', '/v1/data-sources/{id}/files/{fileId}', 'none', 'json', false],
  listFileErrors: ['get', '/v1/data-sources/{id}/files/{fileId}/errors', 'none', 'json', false],
  listWebhooks: ['get', '/v1/webhooks', 'none', 'json', false],
  createWebhook: ['post', '/v1/webhooks', 'json', 'json', true],
  getWebhook: ['get', '/v1/webhooks/{id}', 'none', 'json', false],
  updateWebhook: ['put', '/v1/webhooks/{id}', 'json', 'json', false],
  deleteWebhook: ['delete', '/v1/webhooks/{id}', 'none', 'json', false],
  rotateWebhookSigningSecret: ['post', '/v1/webhooks/{id}/rotate-signing-secret', 'json', 'json', true],
  listWebhookDeliveries: ['get', '/v1/webhooks/{id}/deliveries', 'none', 'json', false],
  getWebhookDelivery: ['get', '/v1/webhooks/{id}/deliveries/{deliveryId}', 'none', 'json', false],
  retryWebhookDelivery: ['post', '/v1/webhooks/{id}/deliveries/{deliveryId}/retry', 'none', 'json', false],
  testWebhook: ['post', '/v1/webhooks/{id}/test', 'none', 'json', true],
  listConnectors: ['get', '/v1/connectors', 'none', 'json', false],
  listItems: ['get', '/v1/items', 'none', 'json', false],
  createItem: ['post', '/v1/items', 'json', 'json', true],
  getItem: ['get', '/v1/items/{id}', 'none', 'json', false],
  updateItem: ['patch', '/v1/items/{id}', 'json', 'json', false],
  deleteItem: ['delete', '/v1/items/{id}', 'none', 'none', false],
  answerItem: ['post', '/v1/items/{id}/mfa', 'json', 'json', false],
  ingestItem: ['post', '/v1/items/{id}/ingest', 'json', 'json', true],
  listItemIngests: ['get', '/v1/items/{id}/ingests', 'none', 'json', false],
  deleteItemIngest: ['delete', '/v1/items/{id}/ingests/{ingestId}', 'none', 'none', false],
  browseCreditCards: ['get', '/v1/data-sources/openfinance/browse/credit-cards', 'none', 'json', false],
  browseCreditCardTransactions: ['get', '/v1/data-sources/openfinance/browse/credit-card-transactions', 'none', 'json', false],
  browseAccounts: ['get', '/v1/data-sources/openfinance/browse/accounts', 'none', 'json', false],
  browseAccountTransactions: ['get', '/v1/data-sources/openfinance/browse/account-transactions', 'none', 'json', false],
  browseInvestments: ['get', '/v1/data-sources/openfinance/browse/investments', 'none', 'json', false],
  browseInvestmentTransactions: ['get', '/v1/data-sources/openfinance/browse/investment-transactions', 'none', 'json', false],
  getBillingUsage: ['get', '/v1/billing/usage', 'none', 'json', false],
  verifyAudit: ['get', '/v1/audit/verify', 'none', 'json', false],
  exportAudit: ['get', '/v1/audit/export.csv', 'none', 'response', false],
  listAudit: ['get', '/v1/audit', 'none', 'json', false],
  setUpReconciliation: ['post', '/v1/data-sources/core/setup-reconciliation', 'json', 'json', true],
  setUpCore: ['post', '/v1/setup/core', 'json', 'json', true],
  listApiKeys: ['get', '/v1/api-keys', 'none', 'json', false],
  createApiKey: ['post', '/v1/api-keys', 'json', 'json', true],
  getApiKey: ['get', '/v1/api-keys/{id}', 'none', 'json', false],
  revokeApiKey: ['delete', '/v1/api-keys/{id}', 'none', 'none', false],
  rotateApiKey: ['post', '/v1/api-keys/{id}/rotate', 'json', 'json', true],
  listUsers: ['get', '/v1/users', 'none', 'json', false],
  createUser: ['post', '/v1/users', 'json', 'json', true],
  acceptInvitation: ['post', '/v1/users/accept', 'json', 'json', false],
  getUser: ['get', '/v1/users/{id}', 'none', 'json', false],
  updateUser: ['patch', '/v1/users/{id}', 'json', 'json', false],
  deleteUser: ['delete', '/v1/users/{id}', 'none', 'none', false],
  inviteUser: ['post', '/v1/users/{id}/invitation', 'none', 'json', true],
  listSessions: ['get', '/v1/sessions', 'none', 'json', false],
  signIn: ['post', '/v1/sessions', 'json', 'json', false],
  listSignInMethods: ['get', '/v1/sessions/methods', 'none', 'json', false],
  signInByProvider: ['post', '/v1/sessions/provider', 'json', 'json', false],
  signOut: ['delete', '/v1/sessions/current', 'none', 'none', false],
  endSession: ['delete', '/v1/sessions/{id}', 'none', 'none', false],
  getMe: ['get', '/v1/me', 'none', 'json', false],
  changePassword: ['post', '/v1/me/password', 'json', 'none', false],
  listTenants: ['get', '/v1/tenants', 'none', 'json', false],
  createTenant: ['post', '/v1/tenants', 'json', 'json', true],
  getTenant: ['get', '/v1/tenants/{id}', 'none', 'json', false],
  updateTenant: ['patch', '/v1/tenants/{id}', 'json', 'json', false],
  deleteTenant: ['delete', '/v1/tenants/{id}', 'none', 'json', false],
  getHealth: ['get', '/healthz', 'none', 'json', false],
  getReadiness: ['get', '/readyz', 'none', 'json', false],
  getOpenApiDocument: ['get', '/openapi.json', 'none', 'json', false],
};
