import { ListTree, X } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { useComponentChoices } from "../../api/use-component-choices.ts";
import { useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form/fields.tsx";
import { List } from "../../parts/list/list.tsx";
import { ListFrame } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { useListKeys } from "../../parts/list/use-list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Split } from "../../parts/split.tsx";
import { Empty } from "../../parts/state.tsx";
import { useNow } from "../../parts/time.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { jobColumns } from "./job-columns.tsx";
import { JobDetail } from "./job-detail.tsx";
import { filterNames, type Job, listQueryOf, type QueueFilters } from "./queue-query.ts";
import { QueueStats } from "./queue-stats.tsx";

const spanChoices = [
  { id: "", text: "Any time" },
  { id: "1h", text: "Last hour" },
  { id: "24h", text: "Last day" },
  { id: "7d", text: "Last week" },
  { id: "30d", text: "Last 30 days" },
];

const none: ReadonlySet<string> = new Set();

/** The jobs of runs in the background: what waits, what is at work, what failed. */
export default function Queue() {
  const [filters, change, clear] = useFilters(filterNames);
  const { job: selected } = filters;
  const now = useNow();
  const query = useMemo(() => listQueryOf(filters), [filters]);
  const list = usePagedList<Job>({
    key: ["queue", "list", query],
    read: (page, signal) => platform.listJobs({ query: { ...query, ...page } }, { signal }),
    idOf: ({ id }) => id,
  });
  const { rows } = list;
  const [chosen, setChosen] = useState(none);
  const chosenJobs = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen]);
  const columns = useMemo(
    () =>
      jobColumns(
        {
          isChosen: (id) => chosen.has(id),
          onChoose: (id, is) =>
            setChosen((before) => new Set(is ? [...before, id] : [...before].filter((one) => one !== id))),
          areAll: rows.length > 0 && chosenJobs.length === rows.length,
          areSome: chosenJobs.length > 0,
          onChooseAll: (is) => setChosen(is ? new Set(rows.map(({ id }) => id)) : none),
        },
        now,
      ),
    [chosen, chosenJobs, rows, now],
  );
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const select = useCallback((id: string) => change({ job: id }), [change]);
  useListKeys({ ids, selected: selected || undefined, onSelect: select });
  return (
    <Page title="Queue" about="Jobs of runs in the background: what waits, what is at work, what failed.">
      <QueueStats filters={filters} />
      <Filters filters={filters} change={change} clear={clear} />
      <Split
        isChosen={selected !== ""}
        list={
          <>
            <BulkBar
              chosen={chosenJobs}
              filters={filters}
              total={list.total}
              onClear={() => setChosen(none)}
            />
            <ListFrame
              reading={list.reading}
              count={rows.length}
              empty={<NoJobs filters={filters} />}
              changes={list.changes}
              onShowChanges={list.refresh}
            >
              <List
                label="Jobs"
                rows={rows}
                keyOf={({ id }) => id}
                columns={columns}
                to={({ id }) => addressOf("/queue", { ...filters, job: id })}
                isSelected={({ id }) => id === selected}
                rowHeight={60}
                onEnd={list.reading.onEnd}
                hasMore={list.reading.hasMore}
              />
            </ListFrame>
          </>
        }
        detail={
          selected && (
            <JobDetail
              key={selected}
              id={selected}
              known={rows.find(({ id }) => id === selected)}
              onClose={() => change({ job: "" })}
            />
          )
        }
      />
    </Page>
  );
}

type FiltersProps = {
  readonly filters: QueueFilters;
  readonly change: (changes: Partial<QueueFilters>) => void;
  readonly clear: () => void;
};

function Filters({ filters, change, clear }: FiltersProps) {
  const { component, user, session, since, error } = filters;
  const components = useComponentChoices(component);
  const isFiltered = [component, user, session, since, error].some((value) => value !== "");
  return (
    <div className="filters">
      <Select
        label="Component"
        choices={components}
        value={component}
        onChange={(next) => change({ component: next })}
      />
      <Select label="Time" choices={spanChoices} value={since} onChange={(next) => change({ since: next })} />
      <SearchField
        label="User"
        placeholder="User id"
        value={user}
        onChange={(text) => change({ user: text })}
      />
      <SearchField
        label="Session"
        placeholder="Session id"
        value={session}
        onChange={(text) => change({ session: text })}
      />
      <SearchField label="Error contains" value={error} onChange={(text) => change({ error: text })} />
      {isFiltered && (
        <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={clear}>
          Clear
        </Button>
      )}
    </div>
  );
}

function NoJobs({ filters }: { readonly filters: QueueFilters }) {
  const { job, ...rest } = filters;
  if (Object.values(rest).some((value) => value !== "")) {
    return (
      <Empty title="No job matches these filters">
        <p>Remove a filter, or look at another state.</p>
      </Empty>
    );
  }
  return (
    <Empty title="The queue is empty" icon={<ListTree size={28} aria-hidden />}>
      <p>Runs that are started in the background appear here, and stay for a while after they have ended.</p>
    </Empty>
  );
}
