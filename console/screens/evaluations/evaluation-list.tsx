import { FlaskConical, Plus, X } from "lucide-react";
import { useMemo } from "react";
import type { EvalRun } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { readingOf } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge, Status } from "../../parts/badge.tsx";
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
import { EvaluationForm } from "./evaluation-form.tsx";
import { nameOf, outcomeOf, typeText } from "./outcome.ts";
import { Progress } from "./progress.tsx";
import { useEvaluationList } from "./use-evaluations.ts";

const names = ["type", "kind", "component", "form", "target"] as const;
const typeChoices = [
  { id: "", text: "All types" },
  ...Object.entries(typeText).map(([id, text]) => ({ id, text })),
];
const kindChoices = [
  { id: "", text: "Agents and teams" },
  { id: "agent", text: "Agents" },
  { id: "team", text: "Teams" },
];
const idOf = ({ id }: EvalRun): string => id;

/** Every evaluation that the reader may see, newest first. */
export function EvaluationList() {
  const may = useMay();
  const [{ type, kind, component, form, target }, change] = useFilters(names);
  const pages = useEvaluationList({ type, kind, component });
  const all = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const { shown, fresh, showNew } = useFresh(all, idOf, `${type} ${kind} ${component}`);
  const isFiltered = [type, kind, component].some((text) => text !== "");
  const reading = readingOf(pages);
  const mayWrite = may("evals:write");
  const clear = () => change({ type: "", kind: "", component: "" });
  return (
    <Page
      title="Evaluations"
      about="How well agents and teams do what they are for, measured by real runs."
      actions={
        mayWrite && (
          <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => change({ form: "new" })}>
            New evaluation
          </Button>
        )
      }
    >
      <div className="filters">
        <SearchField
          label={kind === "team" ? "Team" : "Agent"}
          placeholder="Id"
          value={component}
          onChange={(text) => change({ component: text })}
        />
        <Select label="Kind" choices={kindChoices} value={kind} onChange={(id) => change({ kind: id })} />
        <Select label="Type" choices={typeChoices} value={type} onChange={(id) => change({ type: id })} />
        {isFiltered && (
          <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={clear}>
            Clear
          </Button>
        )}
      </div>
      <ListFrame
        reading={reading}
        count={shown.length}
        empty={<None isFiltered={isFiltered} mayWrite={mayWrite} onNew={() => change({ form: "new" })} />}
        changes={newText(fresh)}
        onShowChanges={showNew}
      >
        <List
          label="Evaluations"
          rows={shown}
          keyOf={idOf}
          columns={columns}
          to={({ id }) => `/evaluations/${encodeURIComponent(id)}`}
          rowHeight={60}
          onEnd={reading.onEnd}
          hasMore={reading.hasMore}
        />
      </ListFrame>
      {form === "new" && mayWrite && (
        <EvaluationForm target={target} onClose={() => change({ form: "", target: "" })} />
      )}
    </Page>
  );
}

type NoneProps = { readonly isFiltered: boolean; readonly mayWrite: boolean; readonly onNew: () => void };

function None({ isFiltered, mayWrite, onNew }: NoneProps) {
  if (isFiltered) {
    return (
      <Empty title="No evaluation matches these filters">
        <p>Remove a filter.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has been evaluated yet" icon={<FlaskConical size={28} aria-hidden />}>
      <p>Give an agent some inputs and what you expect, and see how often it does that.</p>
      {mayWrite ? (
        <Button kind="main" onPress={onNew}>
          Create the first evaluation
        </Button>
      ) : (
        <p>You need the scope “evals:write” to create one.</p>
      )}
    </Empty>
  );
}

const columns: readonly Column<EvalRun>[] = [
  {
    id: "name",
    title: "Evaluation",
    width: "minmax(160px, 1.8fr)",
    cell: (run) => (
      <div>
        <div className="cut">{nameOf(run)}</div>
        <div className="cut small faint">
          {typeText[run.eval_type]} · {run.cases === 1 ? "1 case" : `${run.cases} cases`}
        </div>
      </div>
    ),
  },
  {
    id: "component",
    title: "Component",
    width: "minmax(110px, 1fr)",
    from: 640,
    cell: ({ agent_id, team_id }) => (
      <div>
        <div className="cut">{agent_id ?? team_id}</div>
        <div className="small faint">{team_id === null ? "agent" : "team"}</div>
      </div>
    ),
  },
  {
    id: "model",
    title: "Model",
    width: "minmax(90px, 0.7fr)",
    from: 960,
    cell: ({ model_id }) => <div className="cut">{model_id ?? <span className="faint">–</span>}</div>,
  },
  {
    id: "status",
    title: "Status",
    width: "136px",
    from: 480,
    cell: ({ status, progress }) =>
      status === "running" ? <Progress {...progress} label="Runs that are done" /> : <Status of={status} />,
  },
  {
    id: "result",
    title: "Result",
    width: "116px",
    cell: (run) => <Verdict run={run} />,
  },
  {
    id: "when",
    title: "Started",
    width: "92px",
    end: true,
    from: 720,
    cell: ({ created_at }) => (created_at === null ? "" : <Time at={created_at} />),
  },
];

function Verdict({ run: { eval_type, eval_data, status } }: { readonly run: EvalRun }) {
  const { text, tone } = outcomeOf(eval_type, eval_data);
  if (text === undefined || status === "running") return <span className="faint">–</span>;
  return tone === undefined ? <span className="number">{text}</span> : <Badge tone={tone}>{text}</Badge>;
}
