import { CalendarClock, Plus, X } from "lucide-react";
import { useMemo } from "react";
import type { Schedule } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { readingOf } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { newText } from "../../parts/changes.tsx";
import { Select } from "../../parts/form/fields.tsx";
import { type Column, List } from "../../parts/list/list.tsx";
import { ListFrame } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { useFresh } from "../../parts/use-fresh.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { targetOf } from "./target.ts";
import { Hours, Legend, TimeLine } from "./time-line.tsx";
import { useScheduleList } from "./use-schedules.ts";
import { cronWords } from "./when.ts";

const names = ["name", "enabled", "form", "schedule", "target"] as const;
const stateChoices = [
  { id: "", text: "All" },
  { id: "yes", text: "Enabled" },
  { id: "no", text: "Paused" },
];
const idOf = ({ id }: Schedule): string => id;

/** Every schedule that the reader may see, with what it did and will do. */
export function ScheduleList() {
  const may = useMay();
  const [{ name, enabled, form, schedule, target }, change] = useFilters(names);
  const pages = useScheduleList(enabled);
  const all = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const { shown, fresh, showNew } = useFresh(all, idOf, enabled);
  const rows = shown.filter((one) => matches(one, name));
  const isFiltered = name !== "" || enabled !== "";
  const reading = readingOf(pages);
  const open = (changes: { readonly form: string; readonly schedule?: string }) =>
    change({ schedule: "", target: "", ...changes });
  const edited = all.find(({ id }) => id === schedule);
  return (
    <Page
      title="Schedules"
      about="What runs by itself, when it last did, and when it will next."
      actions={
        may("schedules:write") && (
          <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => open({ form: "new" })}>
            New schedule
          </Button>
        )
      }
    >
      <div className="filters">
        <SearchField label="Name or target" value={name} onChange={(text) => change({ name: text })} />
        <Select
          label="State"
          choices={stateChoices}
          value={enabled}
          onChange={(id) => change({ enabled: id })}
        />
        {isFiltered && (
          <Button
            kind="plain"
            icon={<X size={14} aria-hidden />}
            onPress={() => change({ name: "", enabled: "" })}
          >
            Clear
          </Button>
        )}
        <Legend />
      </div>
      <ListFrame
        reading={reading}
        count={rows.length}
        empty={
          <NoSchedules
            isFiltered={isFiltered}
            mayWrite={may("schedules:write")}
            onNew={() => open({ form: "new" })}
          />
        }
        changes={newText(fresh)}
        onShowChanges={showNew}
      >
        <List
          label="Schedules"
          rows={rows}
          keyOf={idOf}
          columns={[
            ...columns,
            {
              id: "acts",
              title: <span className="hidden-visually">Actions</span>,
              width: "32px",
              cell: (one) => (
                <ScheduleActions
                  schedule={one}
                  folded
                  onEdit={() => open({ form: "edit", schedule: one.id })}
                  onCopy={() => open({ form: "new", schedule: one.id })}
                  onActed={showNew}
                />
              ),
            },
          ]}
          to={({ id }) => `/schedules/${encodeURIComponent(id)}`}
          rowHeight={72}
          onEnd={reading.onEnd}
          hasMore={reading.hasMore}
        />
      </ListFrame>
      {(edited ? form !== "" : form === "new" && schedule === "") && may("schedules:write") && (
        <ScheduleForm
          key={`${form}${schedule}`}
          {...(edited && { from: edited })}
          {...(target && { target })}
          isNew={form === "new"}
          onClose={() => open({ form: "" })}
          onDone={showNew}
        />
      )}
    </Page>
  );
}

function matches({ name, endpoint, description }: Schedule, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, endpoint, description ?? ""].some((one) => one.toLowerCase().includes(wanted));
}

function NoSchedules({
  isFiltered,
  mayWrite,
  onNew,
}: {
  readonly isFiltered: boolean;
  readonly mayWrite: boolean;
  readonly onNew: () => void;
}) {
  if (isFiltered) {
    return (
      <Empty title="No schedule matches these filters">
        <p>Remove a filter.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing runs by itself yet" icon={<CalendarClock size={28} aria-hidden />}>
      <p>A schedule runs an agent, a team or a workflow at the times that you choose.</p>
      {mayWrite ? (
        <Button kind="main" onPress={onNew}>
          Create the first schedule
        </Button>
      ) : (
        <p>You need the scope “schedules:write” to create one.</p>
      )}
    </Empty>
  );
}

const columns: readonly Column<Schedule>[] = [
  {
    id: "name",
    title: "Schedule",
    width: "minmax(140px, 1.2fr)",
    cell: (schedule) => (
      <div>
        <div className="cut schedule-name">{schedule.name}</div>
        <div className="cut small faint">{targetText(schedule)}</div>
      </div>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "84px",
    cell: ({ enabled }) => (
      <Badge {...(enabled && { tone: "good" as const })}>{enabled ? "Enabled" : "Paused"}</Badge>
    ),
  },
  {
    id: "when",
    title: "When",
    width: "minmax(140px, 1.2fr)",
    from: 560,
    cell: ({ cron_expr, timezone }) => (
      <div title={cron_expr === "" ? "" : `${cron_expr} in ${timezone}`}>
        <div className="cut-two">{cronWords(cron_expr) ?? cron_expr}</div>
        {cron_expr !== "" && <div className="cut small faint">{timezone}</div>}
      </div>
    ),
  },
  {
    id: "overlap",
    title: "Overlap",
    width: "64px",
    from: 1280,
    cell: ({ overlap }) => <span className="soft">{overlapText[overlap]}</span>,
  },
  {
    id: "line",
    title: <Hours />,
    width: "minmax(240px, 2.2fr)",
    from: 960,
    cell: (schedule) => <TimeLine schedule={schedule} />,
  },
  {
    id: "next",
    title: "Next",
    width: "88px",
    end: true,
    from: 400,
    cell: (schedule) => <Next schedule={schedule} />,
  },
];

export const overlapText = { skip: "Skip", queue: "Wait", allow: "Allow" } as const;

export function targetText(schedule: Schedule): string {
  const target = targetOf(schedule);
  return target ? `${target.kind} ${target.id}` : `${schedule.method} ${schedule.endpoint}`;
}

/** The next time; a paused schedule has none, though its record keeps an old one. */
export function Next({ schedule: { enabled, next_run_at } }: { readonly schedule: Schedule }) {
  if (!enabled || next_run_at === null) return <span className="faint">–</span>;
  return <Time at={next_run_at} />;
}
