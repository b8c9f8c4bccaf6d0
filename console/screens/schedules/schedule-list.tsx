import { CalendarClock, Plus } from "lucide-react";
import type { Schedule } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { useFreshList } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { ListView, noMatch } from "../../parts/list/list-view.tsx";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
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

const filters: readonly Filter<(typeof names)[number]>[] = [
  { name: "name", label: "Name or target" },
  { name: "enabled", label: "State", choices: stateChoices },
];

/** Every schedule that the reader may see, with what it did and will do. */
export function ScheduleList() {
  const mayWrite = useMay()("schedules:write");
  const [values, change] = useFilters(names);
  const { name, enabled, form, schedule, target } = values;
  const list = useFreshList(useScheduleList(enabled), idOf, enabled);
  const open = (changes: { readonly form: string; readonly schedule?: string }) =>
    change({ schedule: "", target: "", ...changes });
  const edited = list.all.find(({ id }) => id === schedule);
  const acts: Column<Schedule> = {
    id: "acts",
    title: <span className="hidden-visually">Actions</span>,
    width: "32px",
    cell: (one) => (
      <ScheduleActions
        schedule={one}
        folded
        onEdit={() => open({ form: "edit", schedule: one.id })}
        onCopy={() => open({ form: "new", schedule: one.id })}
        onActed={list.refresh}
      />
    ),
  };
  return (
    <Page
      title="Schedules"
      about="What runs by itself, when it last did, and when it will next."
      actions={
        mayWrite && (
          <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => open({ form: "new" })}>
            New schedule
          </Button>
        )
      }
    >
      <Filters filters={filters} values={values} onChange={change}>
        <Legend />
      </Filters>
      <ListView
        label="Schedules"
        list={{ ...list, rows: list.rows.filter((one) => matches(one, name)) }}
        keyOf={idOf}
        columns={[...columns, acts]}
        to={({ id }) => `/schedules/${encodeURIComponent(id)}`}
        rowHeight={72}
        empty={
          isFiltered(filters, values)
            ? noMatch("schedule")
            : {
                title: "Nothing runs by itself yet",
                icon: CalendarClock,
                text: "A schedule runs an agent, a team or a workflow at the times that you choose.",
                action: mayWrite ? (
                  <Button kind="main" onPress={() => open({ form: "new" })}>
                    Create the first schedule
                  </Button>
                ) : (
                  <p>You need the scope “schedules:write” to create one.</p>
                ),
              }
        }
      />
      {(edited ? form !== "" : form === "new" && schedule === "") && mayWrite && (
        <ScheduleForm
          key={`${form}${schedule}`}
          {...(edited && { from: edited })}
          {...(target && { target })}
          isNew={form === "new"}
          onClose={() => open({ form: "" })}
          onDone={list.refresh}
        />
      )}
    </Page>
  );
}

function matches({ name, endpoint, description }: Schedule, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, endpoint, description ?? ""].some((one) => one.toLowerCase().includes(wanted));
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
    from: 440,
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
  if (!enabled) return <span className="faint">paused</span>;
  if (next_run_at === null) return <span className="faint">–</span>;
  return <Time at={next_run_at} />;
}
