import { useMemo } from "react";
import { useLocation } from "wouter";
import { GraphView } from "../../graph/graph.tsx";
import { type GraphedMember, graphOfSteps, graphOfTeam } from "../../graph/graph-of.ts";
import type { DescribedStep } from "./described.ts";

type DeclaredGraphProps = {
  readonly name: string;
  /** Of a workflow. */
  readonly steps?: readonly DescribedStep[];
  readonly team?: GraphedMember;
};

/** The graph of a workflow or a team as it is declared; what is executed leads to its own page. */
export function DeclaredGraph({ name, steps, team }: DeclaredGraphProps) {
  const [, navigate] = useLocation();
  const graph = useMemo(() => (team ? graphOfTeam(team) : graphOfSteps(steps ?? [])), [steps, team]);
  return (
    <GraphView
      label={`Graph of ${name}`}
      graph={graph}
      canChoose={({ runs, within, type }) => runs !== undefined && !(type === "team" && within.length === 0)}
      onChoose={({ runs }) => runs && navigate(`/components/${encodeURIComponent(runs.id)}`)}
    />
  );
}
