import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { tieout } from '../../api/client';
import {
  atEndOf,
  useMonthSummary,
  useOpenWork,
  type MonthCertificate,
  type MonthSummary,
  type ListedPeriod,
} from '../../api/periods';
import { useReconciliation } from '../../api/reconciliations';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { save } from '../../parts/download';
import { Icon } from '../../parts/icons';
import { useKeys } from '../../parts/keys';
import { OnlyFor } from '../../parts/only-for';
import { useSideNames } from '../../parts/sides';
import { Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { Warned } from '../../parts/warned';
import { useFormats, useText } from '../../text';
import { PeriodBadge } from './badge';
import { checksOf, unknownChecks, type CheckName, type MonthCheck } from './checks';
import { BalanceDialog, PeriodDialog, type PeriodAct } from './dialogs';
import { OpenAtEnd, useEndItems } from './open-at-end';
import { Statement } from './statement';
import { usePrint, type Printing } from './use-print';

/** The address of the exceptions screen that lists what a check of a month counts; empty where it counts nothing. */
function listOf(name: CheckName, period: string): Record<string, string> {
  const counted = { ...atEndOf(period), snoozed: 'any' };
  if (name === 'explained') return { explained: 'no', ...counted };
  if (name === 'assigned') return { who: 'none', ...counted };
  return name === 'stale' ? { view: 'stale' } : {};
}

interface ChecklistProps {
  /** Undefined: nothing is known of the points yet. */
  checks: readonly MonthCheck[] | undefined;
  reconciliationId: string;
  period: string;
}

function Checklist({ checks, reconciliationId, period }: ChecklistProps) {
  const { close, frame } = useText();
  const formats = useFormats();
  return (
    <section className="block">
      <h3>{close.checklist}</h3>
      <ul className="checklist">
        {(checks ?? unknownChecks).map(({ name, isDone, count }) => (
          <li key={name} className={isDone ? 'done' : undefined}>
            <span className="tick">{isDone ? <Icon name="check" /> : null}</span>
            <span>
              {close.checks[name]}
              <span className="visually-hidden">
                {' – '}
                {checks === undefined ? frame.loading : isDone ? close.isDone : close.isToDo}
              </span>
            </span>
            {!isDone && count ? (
              <Link
                className="badge warn"
                to="/reconciliations/$id/exceptions"
                params={{ id: reconciliationId }}
                search={listOf(name, period)}
              >
                {close.left(formats.counted(count))}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Counts({ summary }: { summary: MonthSummary }) {
  const { close } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const columns = ['records', 'held', 'open', 'excluded'] as const;
  return (
    <section className="block">
      <h3>{close.counts}</h3>
      <TableFrame label={close.counts}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{close.side}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className="amount">
                  {close[column]}
                </th>
              ))}
              <th scope="col" className="amount">
                %
              </th>
            </tr>
          </thead>
          <tbody>
            {(['left', 'right'] as const).map((side) => (
              <tr key={side}>
                <th scope="row">{sides[side]}</th>
                {columns.map((column) => (
                  <td key={column} className="amount">
                    {formats.count(summary[side][column].count)}
                  </td>
                ))}
                <td className="amount">{formats.percent(summary[side].match_rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function CertificateFacts({ certificate }: { certificate: MonthCertificate }) {
  const { close } = useText();
  const { at, by, locked_at: lockedAt, locked_by: lockedBy, note, digest } = certificate;
  return (
    <section className="block">
      <h3>{close.certificate}</h3>
      <dl className="facts">
        <div>
          <dt>{close.closedBy}</dt>
          <dd>
            <Moment of={at} /> <bdi>{by.label ?? by.id}</bdi>
          </dd>
        </div>
        {lockedAt ? (
          <div>
            <dt>{close.lockedBy}</dt>
            <dd>
              <Moment of={lockedAt} /> <bdi>{lockedBy?.label ?? lockedBy?.id}</bdi>
            </dd>
          </div>
        ) : null}
        {note ? (
          <div>
            <dt>{close.note}</dt>
            <dd>
              <bdi>{note}</bdi>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{close.digest}</dt>
          <dd className="mono digest">{digest}</dd>
        </div>
      </dl>
    </section>
  );
}

function Voided({ certificates }: { certificates: readonly MonthCertificate[] }) {
  const { close } = useText();
  if (certificates.length === 0) return null;
  return (
    <details className="block">
      <summary>
        {close.voided} ({certificates.length})
      </summary>
      <ul className="faults">
        {certificates.map((one) => (
          <li key={one.id}>
            <p>
              {close.closedBy} <Moment of={one.at} /> <bdi>{one.by.label}</bdi>
              {one.voided_at ? (
                <>
                  , {close.voidedLine} <Moment of={one.voided_at} /> <bdi>{one.voided_by?.label}</bdi>
                </>
              ) : null}
            </p>
            {one.void_reason ? (
              <p className="soft">
                <bdi>{one.void_reason}</bdi>
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface MonthProps {
  reconciliationId: string;
  period: string;
}

interface ActionsProps extends MonthProps {
  status: ListedPeriod['status'];
  onAct: (act: PeriodAct | 'balance') => void;
  printing: Printing;
}

function Actions({ reconciliationId, period, status, onAct, printing }: ActionsProps) {
  const { close } = useText();
  const mayClose = useAllows('periods:write');
  const mayBalance = useAllows('reconciliations:write');
  const { isBusy, run } = useAction();
  const download = () =>
    run(async () => {
      const answer = tieout.getReconciliationReport({ path: { id: reconciliationId }, query: { period } });
      await save(answer, `${period}.xlsx`);
      return undefined;
    });
  const isOpen = status === 'open';
  useKeys([
    ...(mayClose && isOpen ? [{ key: 'c', label: close.close, run: () => onAct('close') }] : []),
    ...(mayBalance && isOpen ? [{ key: 'b', label: close.giveBalance, run: () => onAct('balance') }] : []),
    ...(mayClose && status === 'closed'
      ? [
          { key: 'o', label: close.reopen, run: () => onAct('reopen') },
          { key: 'l', label: close.lock, run: () => onAct('lock') },
        ]
      : []),
    { key: 'x', label: close.report, run: () => void download() },
    { key: 'p', label: close.print, run: printing.print },
  ]);
  return (
    <div className="row no-print">
      <button type="button" className="button" disabled={printing.isBusy} onClick={printing.print}>
        {close.print} <kbd>P</kbd>
      </button>
      <button type="button" className="button" disabled={isBusy} onClick={() => void download()}>
        {close.report} <kbd>X</kbd>
      </button>
      {mayClose && status === 'closed' ? (
        <>
          <button type="button" className="button" onClick={() => onAct('reopen')}>
            {close.reopen} <kbd>O</kbd>
          </button>
          <button type="button" className="button" onClick={() => onAct('lock')}>
            {close.lock} <kbd>L</kbd>
          </button>
        </>
      ) : null}
      {mayBalance && isOpen ? (
        <button type="button" className="button" onClick={() => onAct('balance')}>
          {close.giveBalance} <kbd>B</kbd>
        </button>
      ) : null}
      {mayClose && isOpen ? (
        <button type="button" className="button primary" onClick={() => onAct('close')}>
          {close.close} <kbd>C</kbd>
        </button>
      ) : null}
      {mayClose ? null : <OnlyFor act="close" />}
    </div>
  );
}

/** Shows a month: what is left to do, the statement of balances, the actions that close it, and the report. */
export function Month({ reconciliationId, period }: MonthProps) {
  const { close, frame } = useText();
  const formats = useFormats();
  const [act, setAct] = useState<PeriodAct | 'balance' | null>(null);
  const reconciliation = useReconciliation(reconciliationId);
  const month = useQuery({
    queryKey: ['reconciliation', reconciliationId, 'periods', period],
    queryFn: ({ signal }) => tieout.getPeriod({ path: { id: reconciliationId, period }, signal }),
  });
  const summary = useMonthSummary(reconciliationId, period);
  const isOpen = month.data?.status === 'open';
  const items = useEndItems({
    reconciliationId,
    period,
    isOpen,
    isEnabled: month.data !== undefined && !summary.isPending,
  });
  const printing = usePrint(items);
  const openCount = (summary.data?.left.open.count ?? 0) + (summary.data?.right.open.count ?? 0);
  // The statement is shown first: these counts take longer where a million items are open.
  const work = useOpenWork(reconciliationId, period, isOpen && summary.data !== undefined);
  const checks = summary.data && work.data ? checksOf(summary.data, work.data) : undefined;
  const isOpposite = reconciliation.data?.amount_sign === 'opposite';
  return (
    <article className="card run month">
      <Loaded query={month}>
        {({ status, certificate, voided_certificates: voided }) => (
          <>
            <header className="columns">
              <h2>
                {formats.month(period)} <PeriodBadge status={status} />
              </h2>
              <Actions
                reconciliationId={reconciliationId}
                period={period}
                status={status}
                onAct={setAct}
                printing={printing}
              />
            </header>
            {isOpen && !summary.error && !work.error ? (
              <Checklist checks={checks} reconciliationId={reconciliationId} period={period} />
            ) : null}
            <Loaded query={summary}>
              {(data) => (
                <>
                  <section className="block">
                    <h3>{close.statement}</h3>
                    {data.proof === undefined ? (
                      <p className="soft">{frame.noPermission}</p>
                    ) : data.proof.length === 0 ? (
                      <p className="soft">{close.noStatement}</p>
                    ) : null}
                    {(data.proof ?? []).map((proof) => (
                      <Statement
                        key={proof.currency}
                        proof={proof}
                        isOpposite={isOpposite}
                        reconciliationId={reconciliationId}
                      />
                    ))}
                    {data.warnings.map(({ code, message }) => (
                      <p key={code} className="notice">
                        <Warned code={code} message={message} />
                      </p>
                    ))}
                  </section>
                  <Counts summary={data} />
                </>
              )}
            </Loaded>
            {certificate ? <CertificateFacts certificate={certificate} /> : null}
            {summary.isPending ? null : (
              // The parts above have their height by now: nothing on the page moves.
              <>
                <OpenAtEnd query={items} isOpen={isOpen} total={openCount} />
                <Voided certificates={voided} />
              </>
            )}
            <p className="soft only-print">{close.printed(formats.moment(new Date().toISOString()))}</p>
          </>
        )}
      </Loaded>
      {act === 'balance' ? (
        // The dialog offers the side that lacks a balance, which only the summary knows.
        summary.data && (
          <BalanceDialog
            reconciliationId={reconciliationId}
            period={period}
            proof={summary.data.proof ?? []}
            onClose={() => setAct(null)}
          />
        )
      ) : act ? (
        <PeriodDialog
          act={act}
          reconciliationId={reconciliationId}
          period={period}
          isUnfinished={checks?.some(({ isDone }) => !isDone) ?? false}
          onClose={() => setAct(null)}
        />
      ) : null}
    </article>
  );
}
