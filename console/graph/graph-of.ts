/** A step of a workflow, as far as a graph shows it. */
export type GraphedStep = {
  readonly name: string;
  readonly type: string;
  readonly runs?: { readonly kind: "agent" | "team" | "workflow"; readonly id: string };
  readonly steps: readonly GraphedStep[];
  readonly otherwise: readonly GraphedStep[];
};

/** A team, or an agent in one, as far as a graph shows it. */
export type GraphedMember = {
  readonly id: string;
  readonly name?: string | undefined;
  /** Of a team. */
  readonly members?: readonly GraphedMember[] | undefined;
};

export type GraphNode = {
  /** Of a workflow's step its path: the names of the steps around it and its own. Of a member its name, below its teams'. */
  readonly id: string;
  readonly name: string;
  readonly type:
    | "begin"
    | "end"
    | "agent"
    | "team"
    | "workflow"
    | "function"
    | "parallel"
    | "choice"
    | "loop";
  /** What a step executes. */
  readonly runs?: GraphedStep["runs"];
  /** The nodes within which this one is reached at all: a choice, a loop, steps at the same time. */
  readonly within: readonly string[];
};

export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** From the end of a loop's round to its beginning. */
  readonly isBack?: boolean;
};

export type Graph = { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] };

export const BEGIN = "(begin)";
export const END = "(end)";

/** A place that an edge leaves. */
type Exit = { readonly from: string; readonly label?: string };

/** The graph of a workflow's steps, in the order in which they are declared. */
export function graphOfSteps(steps: readonly GraphedStep[]): Graph {
  const nodes: GraphNode[] = [{ id: BEGIN, name: "Input", type: "begin", within: [] }];
  const edges: GraphEdge[] = [];
  const connect = (exits: readonly Exit[], to: string): void => {
    for (const exit of exits) edges.push({ ...exit, to });
  };
  const chain = (
    of: readonly GraphedStep[],
    path: string,
    within: readonly string[],
    entries: readonly Exit[],
  ) => of.reduce<readonly Exit[]>((exits, step) => one(step, path, within, exits), entries);
  const one = (
    step: GraphedStep,
    path: string,
    within: readonly string[],
    entries: readonly Exit[],
  ): readonly Exit[] => {
    const id = path === "" ? step.name : `${path}/${step.name}`;
    if (step.type === "Steps") return chain(step.steps, id, within, entries);
    connect(entries, id);
    nodes.push({ id, name: step.name, type: typeOf(step), within, ...(step.runs && { runs: step.runs }) });
    const inner = [...within, id];
    const branch = (of: readonly GraphedStep[], label: string) => chain(of, id, inner, [{ from: id, label }]);
    switch (step.type) {
      case "Parallel":
        return step.steps.flatMap((part) => one(part, id, inner, [{ from: id }]));
      case "Condition":
        return [...branch(step.steps, "yes"), ...branch(step.otherwise, "no")];
      case "Router":
        return step.steps.flatMap((part) => one(part, id, inner, [{ from: id }]));
      case "Loop": {
        const exits = chain(step.steps, id, inner, [{ from: id }]);
        for (const { from } of exits)
          if (from !== id) edges.push({ from, to: id, label: "again", isBack: true });
        return exits;
      }
      default:
        return [{ from: id }];
    }
  };
  const exits = chain(steps, "", [], [{ from: BEGIN }]);
  nodes.push({ id: END, name: "Output", type: "end", within: [] });
  connect(exits, END);
  return { nodes, edges };
}

function typeOf({ type, runs }: GraphedStep): GraphNode["type"] {
  if (type === "Parallel") return "parallel";
  if (type === "Condition" || type === "Router") return "choice";
  if (type === "Loop") return "loop";
  return runs?.kind ?? (type === "Workflow" ? "workflow" : "function");
}

/** The graph of a team: its leader, and below it its members, which may be teams themselves. */
export function graphOfTeam(team: GraphedMember): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const add = (one: GraphedMember, leader: string | undefined): void => {
    const name = one.name ?? one.id;
    const id = leader === undefined ? name : `${leader}/${name}`;
    const kind = one.members ? "team" : "agent";
    nodes.push({
      id,
      name,
      type: kind,
      runs: { kind, id: one.id },
      within: leader === undefined ? [] : [leader],
    });
    if (leader !== undefined) edges.push({ from: leader, to: id });
    for (const member of one.members ?? []) add(member, id);
  };
  add(team, undefined);
  return { nodes, edges };
}
