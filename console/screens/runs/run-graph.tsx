import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run, RunPlace } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { GraphView } from "../../graph/graph.tsx";
import { graphOfSteps, graphOfTeam } from "../../graph/graph-of.ts";
import { statesIn } from "../../graph/graph-state.ts";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { describedConfig, describedOf, graphedTeam } from "../components/described.ts";
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
  const { data, error, refetch } = useQuery({
    queryKey: ["graph", kind, component, place.run],
    queryFn: async () => {
      const version = await versionOf(place);
      return { version, graph: await declaredGraph(place, version) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const graph = data?.graph;
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
      <p className="small faint">
        {data?.version === undefined
          ? `The ${kind} as it is declared now; what this run did of it is marked.`
          : `Version ${data.version} of the ${kind}, which this run had; what it did of it is marked.`}
      </p>
    </>
  );
}

/** The version of a stored component that a run had; undefined for what code declares, and for an unsaved draft. */
async function versionOf({ run }: RunPlace): Promise<number | undefined> {
  const { data } = await platform.listRuns({ query: { run_id: run, limit: 1 } });
  return data.find(({ run_id }) => run_id === run)?.component_version;
}

async function declaredGraph({ kind, component: id }: RunPlace, version: number | undefined) {
  if (kind === "workflow") {
    const query = version === undefined ? {} : { version };
    return graphOfSteps(describedOf(await platform.getWorkflow({ path: { workflow_id: id }, query })).steps);
  }
  const team = await platform.getTeam({ path: { team_id: id } });
  if (version === undefined || version === team.current_version) return graphOfTeam(team);
  const { config } = await platform.getConfigVersion({ path: { component_id: id, version } });
  return graphOfTeam(graphedTeam({ id, name: team.name }, describedConfig(config ?? {}, new Map())));
}
