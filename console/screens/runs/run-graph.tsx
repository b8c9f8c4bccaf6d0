import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run, RunPlace } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { GraphView } from "../../graph/graph.tsx";
import { graphOfSteps, graphOfTeam } from "../../graph/graph-of.ts";
import { statesIn } from "../../graph/graph-state.ts";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { describedOf } from "../components/described.ts";
import type { Step } from "./steps.ts";

type RunGraphProps = {
  readonly place: RunPlace;
  readonly run: Run;
  readonly steps: readonly Step[];
  /** Called with the step of the run that a node stands for. */
  readonly onChoose: (step: string) => void;
};

/** The graph of a workflow or a team with what became of each part in a run: where it is, which way it took, what it skipped. */
export function RunGraph({ place, run, steps, onChoose }: RunGraphProps) {
  const { kind, component } = place;
  const {
    data: graph,
    error,
    refetch,
  } = useQuery({
    queryKey: ["graph", kind, component],
    queryFn: () => declaredGraph(kind, component),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const states = useMemo(() => {
    const waiting = "step_requirements" in run ? (run.step_requirements ?? []) : [];
    const paths = run.status === "PAUSED" ? waiting.map(({ step_id }) => step_id) : [];
    return graph && statesIn(graph, steps, { status: run.status, waiting: paths });
  }, [graph, steps, run]);
  if (!graph || !states)
    return error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={6} />;
  const stepOf = (id: string) => states.get(id)?.step;
  return (
    <>
      <GraphView
        label={`Graph of ${component} in this run`}
        graph={graph}
        states={states}
        canChoose={({ id }) => stepOf(id) !== undefined}
        onChoose={({ id }) => onChoose(stepOf(id) ?? "")}
      />
      <p className="small faint">The {kind} as it is declared now; what this run did of it is marked.</p>
    </>
  );
}

async function declaredGraph(kind: RunPlace["kind"], id: string) {
  if (kind === "team") return graphOfTeam(await platform.getTeam({ path: { team_id: id } }));
  return graphOfSteps(describedOf(await platform.getWorkflow({ path: { workflow_id: id } })).steps);
}
