import { ListTree } from "lucide-react";
import { useCallback, useMemo } from "react";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { useComponentChoices } from "../../api/use-component-choices.ts";
import { spanChoices, useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { type Filter, Filters } from "../../parts/list/filters.tsx";
import { type Emptiness, ListView, noMatch } from "../../parts/list/list-view.tsx";
import { useChosen } from "../../parts/list/use-chosen.tsx";
import { useListKeys } from "../../parts/list/use-list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Split } from "../../parts/split.tsx";
import { useNow } from "../../parts/time.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { jobColumns } from "./job-columns.tsx";
import { JobDetail } from "./job-detail.tsx";
import { filterNames, type Job, listQueryOf, type QueueFilters } from "./queue-query.ts";
import { QueueStats } from "./queue-stats.tsx";

const idOf = ({ id }: Job): string => id;

/** The jobs of runs in the background: what waits, what is at work, what failed. */
export default function Queue() {
  const [filters, change, clear] = useFilters(filterNames);
  const { job: selected } = filters;
  const now = useNow();
  const query = useMemo(() => listQueryOf(filters), [filters]);
  const list = usePagedList<Job>({
    key: ["queue", "list", query],
    read: (page, signal) => platform.listJobs({ query: { ...query, ...page } }, { signal }),
    idOf,
  });
  const { rows } = list;
  const chosen = useChosen(rows, idOf);
  const columns = useMemo(
    () => [chosen.column(({ payload }) => payload.input.slice(0, 60)), ...jobColumns(now)],
    [chosen, now],
  );
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const select = useCallback((id: string) => change({ job: id }), [change]);
  useListKeys({ ids, selected: selected || undefined, onSelect: select });
  return (
    <Page title="Queue" about="Jobs of runs in the background: what waits, what is at work, what failed.">
      <QueueStats filters={filters} />
      <QueueFilterBar values={filters} change={change} clear={clear} />
      <Split
        isChosen={selected !== ""}
        list={
          <>
            <BulkBar chosen={chosen.rows} filters={filters} total={list.total} onClear={chosen.clear} />
            <ListView
              label="Jobs"
              list={list}
              keyOf={idOf}
              columns={columns}
              to={({ id }) => addressOf("/queue", { ...filters, job: id })}
              isSelected={({ id }) => id === selected}
              rowHeight={60}
              empty={emptinessOf(filters)}
            />
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

type FilterBarProps = {
  readonly values: QueueFilters;
  readonly change: (changes: Partial<QueueFilters>) => void;
  readonly clear: () => void;
};

function QueueFilterBar({ values, change, clear }: FilterBarProps) {
  const filters: readonly Filter<keyof QueueFilters>[] = [
    { name: "component", label: "Component", choices: useComponentChoices(values.component) },
    { name: "since", label: "Time", choices: spanChoices },
    { name: "user", label: "User", placeholder: "User id" },
    { name: "session", label: "Session", placeholder: "Session id" },
    { name: "error", label: "Error contains" },
  ];
  return <Filters filters={filters} values={values} onChange={change} onClear={clear} />;
}

const emptinessOf = ({ job, ...filters }: QueueFilters): Emptiness =>
  Object.values(filters).some((value) => value !== "")
    ? noMatch("job", "Remove a filter, or look at another state.")
    : {
        title: "The queue is empty",
        icon: ListTree,
        text: "Runs that are started in the background appear here, and stay for a while after they have ended.",
      };
