import { useNavigate } from '@tanstack/react-router';
import { Fragment, useMemo, useRef, useState } from 'react';
import { useGroups, type GroupQuery, type GroupAnswer } from '../../api/groups';
import { usePathId } from '../../parts/address';
import { Chips, type FilterChip } from '../../parts/chips';
import { Choice } from '../../parts/choice';
import { Misread, NothingListed, useFilters } from '../../parts/filter-states';
import { HiddenHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { useReach } from '../../parts/pages';
import { Loaded } from '../../parts/states';
import { Amount, Moment } from '../../parts/values';
import { VirtualList, type ListHandle } from '../../parts/virtual-list';
import { recordNames, wordsOf } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { filtersOf } from './filter';

/** Texts of a record in a row of the list. */
const shownWords = 2;

function Row({ group }: { group: GroupAnswer }) {
  const formats = useFormats();
  const { groups } = useText();
  const words = [group.left[0], group.right[0]].flatMap((member) =>
    member ? wordsOf({ ...member, currency: group.currency }, formats.day, shownWords) || [] : [],
  );
  return (
    <div className="item-row">
      <span className="item-name grow">
        <strong className="tied">
          <bdi className="cut">{recordNames(group.left)}</bdi>
          {group.left.length > 0 && group.right.length > 0 ? ' ↔ ' : null}
          <bdi className="cut">{recordNames(group.right)}</bdi>
        </strong>
        <span className="soft tied">
          {words.map((side, at) => (
            <Fragment key={at}>
              {at === 0 ? null : ' ↔ '}
              <bdi className="cut">{side}</bdi>
            </Fragment>
          ))}
        </span>
      </span>
      {group.stale ? <span className="badge warn">{groups.stale}</span> : null}
      {group.status === 'held' ? null : <span className="badge">{groups.status[group.status]}</span>}
      <span className="item-side">
        <Amount of={group.left_amount ?? group.right_amount} currency={group.currency} showsCode />
        <span className="soft">
          <Moment of={group.held_at} />
          <span className="made-by"> · {groups.origin[group.origin]}</span>
        </span>
      </span>
    </div>
  );
}

/** The group that was opened last: on return from it, the user continues there. */
let opened: string | undefined;

function List({ filter, chips }: { filter: GroupQuery; chips: readonly FilterChip[] }) {
  const { groups } = useText();
  const formats = useFormats();
  const id = usePathId();
  const navigate = useNavigate();
  const query = useGroups(id, filter);
  const items = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.items), [query.data]);
  const ids = useMemo(() => items.map((group) => group.id), [items]);
  const [active, setActive] = useState(() => Math.max(0, ids.indexOf(opened ?? '')));
  const list = useRef<ListHandle>(null);
  const press = ({ key }: KeyboardEvent): void => list.current?.press(key);
  useKeys([
    { key: 'j', label: groups.keyMove, run: press },
    { key: 'k', label: groups.keyMove, run: press },
    { key: 'Enter', label: groups.keyOpen, run: press },
  ]);
  const onReach = useReach(query, items.length);
  return (
    <Loaded query={query}>
      {({ pages }) =>
        items.length === 0 ? (
          <NothingListed chips={chips} title={groups.none}>
            <p>{groups.noneHint}</p>
          </NothingListed>
        ) : (
          <section className="pane shown" aria-label={groups.title}>
            <VirtualList
              handle={list}
              label={groups.list(formats.counted(pages[0]?.total ?? items.length))}
              count={items.length}
              ids={ids}
              listKey={filter}
              active={active}
              onActive={setActive}
              isSelected={(row) => row === active}
              onPick={(row) => {
                const group = items[row];
                opened = group?.id;
                if (group)
                  void navigate({
                    to: '/reconciliations/$id/groups/$groupId',
                    params: { id, groupId: group.id },
                  } as never);
              }}
              onReach={onReach}
              renderRow={(row) => {
                const group = items[row];
                return group ? <Row group={group} /> : null;
              }}
            />
          </section>
        )
      }
    </Loaded>
  );
}

export default function Groups() {
  const texts = useText();
  const { groups } = texts;
  const { chips, faults, query } = useFilters<GroupQuery>(filtersOf(texts, useFormats()));
  return (
    <div className="suggestions fill">
      <HiddenHead title={groups.title} />
      <div className="toolbar">
        <div className="filters">
          <Choice name="status" label={groups.allStatuses} options={groups.status} />
          <Choice name="origin" label={groups.allOrigins} options={groups.origin} />
        </div>
        <Chips chips={chips} />
      </div>
      {query ? <List filter={query} chips={chips} /> : <Misread faults={faults} />}
    </div>
  );
}
