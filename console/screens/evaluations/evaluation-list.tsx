import { FlaskConical, Plus, Table2 } from "lucide-react";
import type { EvalRun } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { useFreshList } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countOf } from "../../parts/amounts.ts";
import { Badge, State } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { ListView, noMatch } from "../../parts/list/list-view.tsx";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { EvaluationForm } from "./evaluation-form.tsx";
import { nameOf, outcomeOf, typeText } from "./outcome.ts";
import { Progress } from "./progress.tsx";
import { useEvaluationList } from "./use-evaluations.ts";

const names = ["type", "kind", "component", "form", "target", "version"] as const;
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

const filtersFor = (kind: string): readonly Filter<(typeof names)[number]>[] => [
  { name: "component", label: kind === "team" ? "Team" : "Agent", placeholder: "Id" },
  { name: "kind", label: "Kind", choices: kindChoices },
  { name: "type", label: "Type", choices: typeChoices },
];

/** Every evaluation that the reader may see, newest first. */
export function EvaluationList() {
  const may = useMay();
  const [values, change] = useFilters(names);
  const { type, kind, component, form, target, version } = values;
  const filters = filtersFor(kind);
  const list = useFreshList(
    useEvaluationList({ type, kind, component }),
    idOf,
    `${type} ${kind} ${component}`,
  );
  const mayWrite = may("evals:write");
  const create = () => change({ form: "new" });
  return (
    <Page
      title="Evaluations"
      about="How well agents and teams do what they are for, measured by real runs."
      actions={
        <>
          <ButtonLink to="/evaluations/datasets" icon={<Table2 size={15} aria-hidden />}>
            Datasets
          </ButtonLink>
          {mayWrite && (
            <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={create}>
              New evaluation
            </Button>
          )}
        </>
      }
    >
      <Filters filters={filters} values={values} onChange={change} />
      <ListView
        label="Evaluations"
        list={list}
        keyOf={idOf}
        columns={columns}
        to={({ id }) => `/evaluations/${encodeURIComponent(id)}`}
        rowHeight={60}
        empty={
          isFiltered(filters, values)
            ? noMatch("evaluation")
            : {
                title: "Nothing has been evaluated yet",
                icon: FlaskConical,
                text: "Give an agent some inputs and what you expect, and see how often it does that.",
                action: mayWrite ? (
                  <Button kind="main" onPress={create}>
                    Create the first evaluation
                  </Button>
                ) : (
                  <p>You need the scope “evals:write” to create one.</p>
                ),
              }
        }
      />
      {form === "new" && mayWrite && (
        <EvaluationForm
          target={target}
          version={Number(version) || undefined}
          onClose={() => change({ form: "", target: "", version: "" })}
        />
      )}
    </Page>
  );
}

const columns: readonly Column<EvalRun>[] = [
  {
    id: "name",
    title: "Evaluation",
    width: "minmax(160px, 1.8fr)",
    cell: (run) => (
      <div>
        <div className="cut" dir="auto">
          {nameOf(run)}
        </div>
        <div className="cut small faint">
          {typeText[run.eval_type]} · {countOf(run.cases, "case")}
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
      status === "running" ? <Progress {...progress} label="Runs that are done" /> : <State of={status} />,
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
