import type { ListedPeriod } from '../../api/periods';
import { useText } from '../../text';

const tones = { open: 'badge', closed: 'badge good', locked: 'badge good' } as const;

export function PeriodBadge({ status }: { status: ListedPeriod['status'] }) {
  const { close } = useText();
  return <span className={tones[status]}>{close.status[status]}</span>;
}
