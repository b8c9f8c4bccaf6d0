import type { AcceptedRun, RunOutput, WorkflowRunOutput } from "./operations.ts";
import type { Fields, Input, Kind, OperationName } from "./request.ts";

/** An agent, a team or a workflow. */
export type ComponentAddress =
  | { readonly agent_id: string }
  | { readonly team_id: string }
  | { readonly workflow_id: string };

/** Where a run is found: `{ agent_id: "assistant", ...accepted }`. */
export type RunAddress = ComponentAddress & { readonly run_id: string; readonly session_id: string };

/** The finished run of a component. */
export type OutputOf<C extends ComponentAddress> = C extends { readonly workflow_id: string }
  ? WorkflowRunOutput
  : RunOutput;

/** The answer for a run that goes on in the background. A run has `created_at`; that distinguishes them. */
export type Accepted = AcceptedRun & { readonly created_at?: undefined };

/**
 * Whether an answer is that of a run which goes on in the background, and not the run itself. A call with
 * `background: true` is answered so; one that waits never is, because the client polls the run then.
 */
export const isAccepted = (answer: Accepted | RunOutput | WorkflowRunOutput): answer is Accepted =>
  answer.created_at === undefined;

type Operation = "create" | "continue" | "resume" | "cancel" | "get";

/** The kind of a component and the path of its operations. */
export function pathOf(component: ComponentAddress): { readonly kind: Kind; readonly path: Fields } {
  const { agent_id, team_id, workflow_id } = component as Partial<Record<string, string>>;
  if (agent_id !== undefined) return { kind: "Agent", path: { agent_id } };
  if (team_id !== undefined) return { kind: "Team", path: { team_id } };
  return { kind: "Workflow", path: { workflow_id } };
}

/** The name of an operation on runs of a kind. */
export const operationFor = (operation: Operation, kind: Kind): OperationName => `${operation}${kind}Run`;

/** The component that the path of an operation names. */
export const componentIn = ({ path = {} }: Input): ComponentAddress =>
  Object.fromEntries(
    Object.entries(path).filter(([name]) => /^(agent|team|workflow)_id$/.test(name)),
  ) as unknown as ComponentAddress; // an operation on runs has one of them in its path
