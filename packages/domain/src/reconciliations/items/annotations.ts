/** SQL for what people have said about the item `i`, null if nothing: of an excluded one about its exclusion. */
export const annotationsSql = `nullif(jsonb_strip_nulls(jsonb_build_object('assignee', i.assignee,
  'reasonCode', coalesce(i.excluded ->> 'reasonCode', i.reason_code),
  'note', coalesce(i.excluded ->> 'note', i.note))), '{}')`;

/** SQL for the columns of ShownAnnotations, from what `annotationsSql` gave. */
export const shownAnnotations = (stored: string): string =>
  ['assignee', 'reasonCode', 'note'].map((key) => `${stored} ->> '${key}' as "${key}"`).join(', ');
