import { Link } from '@tanstack/react-router';
import type { Proof } from '../../api/periods';
import { useSideNames } from '../../parts/sides';
import { TableFrame } from '../../parts/table-frame';
import { Amount, Day } from '../../parts/values';
import { decimalOf, unitsOf, useFormats, useText, type WireAmount } from '../../text';

interface Line {
  left: WireAmount;
  right: WireAmount;
}

const parts = ['open', 'held', 'excluded', 'stale'] as const;

/** Returns left minus right, or their sum where the sides have opposite signs; null where one is missing. */
function togetherOf({ left, right }: Line, isOpposite: boolean): WireAmount {
  const [a, b] = [unitsOf(left), unitsOf(right)];
  if (a === null || b === null) return null;
  return decimalOf(isOpposite ? a + b : a - b);
}

interface StatementProps {
  proof: Proof;
  isOpposite: boolean;
  reconciliationId: string;
}

/**
 * Shows the proof of one currency as an accountant writes it: balances minus what explains their difference is zero.
 */
export function Statement({ proof, isOpposite, reconciliationId }: StatementProps) {
  const { close } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const { currency } = proof;
  const balances: Line = { left: proof.balances.left?.amount ?? null, right: proof.balances.right?.amount ?? null };
  const amount = (of: WireAmount) =>
    of === null ? <span className="soft">{close.notGiven}</span> : <Amount of={of} currency={currency} />;
  const isOff = proof.unexplained !== null && unitsOf(proof.unexplained) !== 0n;
  return (
    <>
      <p className="soft">{close.statementHint(formats.day(proof.day))}</p>
      <TableFrame label={`${close.statement} ${currency ?? ''}`}>
        <table className="plain-table statement">
          <thead>
            <tr>
              <th scope="col">{currency ?? <span className="visually-hidden">{close.line}</span>}</th>
              <th scope="col" className="amount">
                {sides.left}
              </th>
              <th scope="col" className="amount">
                {sides.right}
              </th>
              <th scope="col" className="amount">
                {isOpposite ? close.sum(sides.left, sides.right) : close.difference(sides.left, sides.right)}
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{close.lines.balance}</th>
              {(['left', 'right'] as const).map((side) => {
                const given = proof.balances[side];
                return (
                  <td key={side} className="amount">
                    {amount(balances[side])}
                    {given !== null && given.date !== proof.day ? (
                      <small className="soft">
                        <br />
                        <Day of={given.date} />
                      </small>
                    ) : null}
                  </td>
                );
              })}
              <td className="amount">{amount(togetherOf(balances, isOpposite))}</td>
            </tr>
            {parts.map((part) => (
              <tr key={part}>
                <th scope="row">
                  <span className="soft">{close.plus}</span>{' '}
                  {part === 'open' ? (
                    <Link className="link" to="/reconciliations/$id/workbench" params={{ id: reconciliationId }}>
                      {close.lines.open}
                    </Link>
                  ) : (
                    close.lines[part]
                  )}
                </th>
                <td className="amount">{amount(proof[part].left)}</td>
                <td className="amount">{amount(proof[part].right)}</td>
                <td className="amount">{amount(togetherOf(proof[part], isOpposite))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {close.lines.unexplained}
              </th>
              <td className={isOff ? 'amount wrong' : 'amount'}>{amount(proof.unexplained)}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </>
  );
}
