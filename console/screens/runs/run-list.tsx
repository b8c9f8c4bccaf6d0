import { useMemo } from "react";
import { useMe } from "../../access/use-me.ts";
import { runPath } from "../../api/kinds.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countOf } from "../../parts/amounts.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ColumnMenu } from "../../parts/list/column-menu.tsx";
import { type Emptiness, ListView, noMatch } from "../../parts/list/list-view.tsx";
import { sorted, sortingOf } from "../../parts/list/sorting.ts";
import { useChosen } from "../../parts/list/use-chosen.tsx";
import { Page } from "../../parts/page.tsx";
import { runColumns } from "./list/run-columns.tsx";
import { filterNames, filterOf, isRunFiltered, RunFilterBar } from "./list/run-filters.tsx";
import { ViewMenu } from "./list/view-menu.tsx";
import { ManyBar } from "./many-bar.tsx";
import { type RunEntry, useRunList } from "./use-run-list.ts";

const lookNames = ["sort", "hide"] as const;

const idOf = ({ run_id }: RunEntry): string => run_id;

/** Every run that the reader may see, newest first unless another order is asked for. */
export function RunList() {
  const { is_admin } = useMe();
  const [values, change] = useFilters(filterNames);
  const [{ sort, hide }, changeLook] = useFilters(lookNames);
  const filter = useMemo(() => filterOf(values), [values]);
  const list = useRunList(filter);
  const sorting = useMemo(() => sortingOf(sort), [sort]);
  const hidden = useMemo(() => new Set(hide.split(",")), [hide]);
  const rows = useMemo(() => sorted(list.rows, runColumns, sorting), [list.rows, sorting]);
  const chosen = useChosen(list.rows, idOf);
  const offered = runColumns.filter(({ id }) => is_admin || id !== "user");
  const shown = useMemo(() => {
    const choice = chosen.column(({ input_preview }) => input_preview || "a run without input");
    return [choice, ...runColumns.filter(({ id }) => !hidden.has(id) && (is_admin || id !== "user"))];
  }, [chosen, is_admin, hidden]);
  const notes = [
    list.lookedAt,
    sorting && `Sorted among the ${countOf(rows.length, "run")} read so far.`,
  ].filter((note) => note !== undefined);
  return (
    <Page
      title="Runs"
      about={
        is_admin
          ? "What agents, teams and workflows did, for all users."
          : "What agents, teams and workflows did for you."
      }
    >
      <RunFilterBar values={values} onChange={change}>
        <ColumnMenu
          columns={offered.slice(1).map(({ id, title }) => ({ id, name: String(title) }))}
          hidden={hidden}
          onChange={(ids) => changeLook({ hide: ids.join(",") })}
        />
        <ViewMenu />
      </RunFilterBar>
      <ManyBar
        chosen={chosen.rows}
        filter={filter}
        isFiltered={isRunFiltered(values)}
        onClear={chosen.clear}
        onActed={list.refresh}
      />
      <ListView
        label="Runs"
        list={{ ...list, rows }}
        keyOf={idOf}
        columns={shown}
        to={pathOf}
        rowHeight={56}
        sorting={sorting}
        onSort={(next) => changeLook({ sort: next })}
        {...(notes.length > 0 && { foot: <span role="status">{notes.join(" ")}</span> })}
        empty={isRunFiltered(values) ? noMatch("run", "Remove a filter, or look at a longer time.") : noRuns}
      />
    </Page>
  );
}

const noRuns: Emptiness = {
  title: "Nothing has run yet",
  text: "Ask an agent something, and its run appears here.",
  action: (
    <ButtonLink to="/playground" kind="main">
      Open the playground
    </ButtonLink>
  ),
};

const pathOf = ({ component_type, component_id, session_id, run_id }: RunEntry): string =>
  runPath({ kind: component_type, component: component_id, session: session_id, run: run_id });
