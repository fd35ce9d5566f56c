import { useFormats } from '../text';
import { textOfValue } from './words';

type Values = Readonly<Record<string, unknown>>;

/** Shows all fields of a record. */
export function RecordFields({ record }: { record: Values }) {
  return (
    <table className="plain-table">
      <tbody>
        {Object.entries(record).map(([key, value]) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{key}</bdi>
            </th>
            <td className="wrap">
              <bdi>{textOfValue(value, 4_000)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows a share as a bar beside its percentage. */
export function Meter({ share, label }: { share: number; label: string }) {
  const formats = useFormats();
  return (
    <span className="meter" title={label}>
      <i style={{ width: `${Math.round(100 * Math.max(0, Math.min(1, share)))}%` }} />
      <span className="figures">{formats.percent(Math.floor(share * 100) / 100)}</span>
    </span>
  );
}
