import type { GroupQuery } from '../../api/groups';
import { filter, kinds, type Filters } from '../../parts/read-filters';
import type { Formats, Texts } from '../../text';

/** The filters of the screen. */
export const filtersOf = ({ groups: texts }: Texts, formats: Formats): Filters<GroupQuery> => ({
  status: filter({
    label: texts.statusLabel,
    kind: kinds.oneOf(['held', 'pending', 'released'] as const),
    ask: (status) => ({ status }),
    shown: (status) => texts.status[status],
  }),
  origin: filter({
    label: texts.originLabel,
    kind: kinds.oneOf(['auto', 'confirmed', 'manual'] as const),
    ask: (origin) => ({ origin }),
    shown: (origin) => texts.origin[origin],
  }),
  period: filter({
    label: texts.month,
    kind: kinds.month,
    ask: (period) => ({ period }),
    shown: formats.month,
  }),
  stale: filter({
    label: texts.stale,
    kind: kinds.oneOf(['true']),
    ask: () => ({ stale: true }),
    chip: () => texts.stale,
  }),
});
