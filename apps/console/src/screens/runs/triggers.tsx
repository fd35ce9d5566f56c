import { useState } from 'react';
import { tieout } from '../../api/client';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import type { Schema } from '../../api/client';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Check, Field, textIn } from '../../parts/form';
import { Moment } from '../../parts/values';
import { useText } from '../../text';

type Triggers = Schema<'RunTriggers'>;

const defaultQuietSeconds = 60;

interface TriggersProps {
  reconciliation: ReconciliationAnswer;
  mayChange: boolean;
}

/** Says in a line when runs start by themselves. */
export function Triggers({ reconciliation, mayChange }: TriggersProps) {
  const { runs } = useText();
  const [isOpen, setOpen] = useState(false);
  const triggers = reconciliation.triggers as Triggers;
  const { schedule, onArrival } = triggers;
  const said = [
    ...(schedule ? [`${schedule.cron} (${schedule.timezone ?? reconciliation.timezone})`] : []),
    ...(onArrival ? [runs.onArrivalSays(String(onArrival.quietSeconds ?? defaultQuietSeconds))] : []),
  ];
  return (
    <div className="strip">
      <span className="soft">{runs.triggers}</span>
      <span>{said.length === 0 ? runs.byHandOnly : said.join(' · ')}</span>
      {reconciliation.next_run_at ? (
        <span>
          <span className="soft">{runs.nextAt}</span> <Moment of={reconciliation.next_run_at} />
        </span>
      ) : null}
      {mayChange ? (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {runs.editTriggers}
        </button>
      ) : null}
      {isOpen ? <TriggerDialog reconciliation={reconciliation} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function TriggerDialog({ reconciliation, onClose }: { reconciliation: ReconciliationAnswer; onClose: () => void }) {
  const { runs } = useText();
  const triggers = reconciliation.triggers as Triggers;
  const [isOnArrival, setOnArrival] = useState(triggers.onArrival !== undefined);
  const { isBusy, run } = useAction(['reconciliation', reconciliation.id], ['reconciliations']);
  const save = (form: FormData): void => {
    const cron = textIn(form, 'cron');
    const timezone = textIn(form, 'timezone');
    const body = {
      triggers: {
        ...(cron && { schedule: { cron, ...(timezone && { timezone }) } }),
        ...(isOnArrival && {
          onArrival: { ...triggers.onArrival, quietSeconds: Number(textIn(form, 'quietSeconds')) },
        }),
      },
    };
    void run(async () => {
      await tieout.updateReconciliation({ path: { id: reconciliation.id }, body });
      return runs.saved;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm title={runs.triggers} submitLabel={runs.save} isBusy={isBusy} onClose={onClose} onSubmit={save}>
      <Field label={runs.schedule} hint={runs.scheduleHint}>
        <input className="input mono" name="cron" defaultValue={triggers.schedule?.cron ?? ''} autoFocus />
      </Field>
      <Field label={runs.timezone}>
        <input
          className="input"
          name="timezone"
          placeholder={reconciliation.timezone}
          defaultValue={triggers.schedule?.timezone ?? ''}
        />
      </Field>
      <Check label={runs.onArrival} isOn={isOnArrival} onChange={setOnArrival} />
      {isOnArrival ? (
        <Field label={runs.quiet}>
          <input
            className="input"
            name="quietSeconds"
            type="number"
            min={1}
            max={86_400}
            required
            defaultValue={triggers.onArrival?.quietSeconds ?? defaultQuietSeconds}
          />
        </Field>
      ) : null}
    </Confirm>
  );
}
