import type { StreamEvent } from "../../api/run-streams.ts";
import type { Step } from "./steps.ts";

/** A step of a run under way, with the step that it is part of. */
export type LiveStep = Step & { readonly parent: string | undefined };

type Clocked = StreamEvent & { readonly created_at: number; readonly run_id: string };

/**
 * The steps of a run under way, put together from its events. An event has the second in which it happened; one that arrives
 * within that second is taken for as late as it arrives.
 */
export class LiveSteps {
  readonly #root: string;
  readonly #steps = new Map<string, LiveStep>();
  #last = 0;

  /** @param root  id of the run whose events these are */
  constructor(root: string) {
    this.#root = root;
  }

  /** @param now  milliseconds since the epoch */
  take(event: StreamEvent, now: number): void {
    if (!("created_at" in event) || !("run_id" in event)) return;
    const at = this.#timeOf(event, now);
    if (event.event.startsWith("Step")) this.#workflowStep(event, at);
    else if ("agent_id" in event || "team_id" in event) this.#ofRun(event, at);
    else this.#workflow(event, at);
  }

  /** Each below the step that it is part of, in the order in which they began. */
  list(): readonly LiveStep[] {
    const parts = Map.groupBy(this.#steps.values(), ({ parent }) => parent);
    const below = (parent: string | undefined, depth: number): LiveStep[] =>
      (parts.get(parent) ?? []).flatMap((step) => [{ ...step, depth }, ...below(step.id, depth + 1)]);
    return below(undefined, 0);
  }

  #timeOf({ created_at }: Clocked, now: number): number {
    const second = created_at * 1000;
    this.#last = Math.max(this.#last, now >= second && now < second + 1000 ? now : second);
    return this.#last;
  }

  #begin(id: string, step: Pick<Step, "name" | "kind"> & Partial<LiveStep>, at: number): void {
    if (this.#steps.has(id)) return;
    const begun = { id, parent: undefined, depth: 0, start: at, duration: 0, failed: false, isRunning: true };
    this.#steps.set(id, { ...begun, ...step });
  }

  #end(id: string, at: number, more: Partial<Step> = {}): void {
    const step = this.#steps.get(id);
    if (!step) return;
    const duration = Math.max(0, at - (step.start ?? at)) / 1000;
    this.#steps.set(id, { ...step, duration, isRunning: false, ...more });
  }

  /** Ends a step, and all that is under way in it. */
  #endWhole(id: string, at: number, more: Partial<Step> = {}): void {
    for (const { id: part, parent, isRunning } of [...this.#steps.values()])
      if (parent === id && isRunning) this.#endWhole(part, at);
    this.#end(id, at, more);
  }

  #workflow(event: Clocked, at: number): void {
    if (event.run_id !== this.#root) return;
    const id = runStepId(this.#root);
    const name = "workflow_name" in event ? event.workflow_name : "Workflow";
    this.#begin(id, { name, kind: "workflow" }, at);
    if (event.event === "WorkflowError") this.#endWhole(id, at, { failed: true, error: event.error });
    if (event.event === "WorkflowPaused") this.#endWhole(id, at);
    if (event.event === "WorkflowCompleted" || event.event === "WorkflowCancelled") this.#endWhole(id, at);
  }

  #workflowStep(event: Clocked, at: number): void {
    if (!("step_name" in event) || event.step_name === undefined) return;
    const id = this.#idOfStep(event.step_id ?? event.step_name, event.event === "StepStarted");
    const parent = this.#steps.has(runStepId(this.#root)) ? runStepId(this.#root) : undefined;
    const end = (more: Partial<Step> = {}) => this.#endWhole(id, at, more);
    if (event.event === "StepStarted" || event.event === "StepContinued")
      this.#begin(
        id,
        { name: event.step_name, path: event.step_id ?? event.step_name, kind: "step", parent },
        at,
      );
    else if (event.event === "StepCompleted") {
      const { success, error } = event.step_response;
      end({ failed: !success, ...(error !== null && { error }) });
    } else if (event.event === "StepError") end({ failed: true, error: event.error });
    else if (pauses.has(event.event)) end();
  }

  /** A step of a loop begins several times: each time is a step of its own. */
  #idOfStep(name: string, begins: boolean): string {
    let id = `step:${name}`;
    for (let round = 2; this.#steps.has(id); round++) {
      if (this.#steps.get(id)?.isRunning) return id;
      const next = `step:${name}:${round}`;
      if (!begins && !this.#steps.has(next)) return id;
      id = next;
    }
    return id;
  }

  #ofRun(event: Clocked, at: number): void {
    const id = runStepId(event.run_id);
    if (!this.#steps.has(id)) this.#begin(id, this.#runOf(event), at);
    const name = event.event.replace(/^Team(?!Task)/, "");
    if (name === "ModelRequestStarted" && "model" in event) {
      const key = `${event.run_id}:model:${this.#callsOf(id)}`;
      this.#begin(key, { name: event.model, kind: "model", parent: id }, at);
    } else if (name === "ModelRequestCompleted" && "input_tokens" in event) {
      const { input_tokens, output_tokens, time_to_first_token } = event;
      const first = time_to_first_token === undefined ? {} : { time_to_first_token };
      this.#end(`${event.run_id}:model:${this.#callsOf(id) - 1}`, at, {
        metadata: { input_tokens, output_tokens, ...first },
      });
    } else if ("tool" in event) this.#tool(event.tool, id, name, at);
    else if (name === "RunCompleted" || name === "RunCancelled" || name === "RunPaused")
      this.#endWhole(id, at);
    else if (name === "RunError" && "content" in event)
      this.#endWhole(id, at, { failed: true, error: String(event.content) });
    else if (name === "RunContinued") this.#again(id);
  }

  #again(id: string): void {
    const step = this.#steps.get(id);
    if (step) this.#steps.set(id, { ...step, isRunning: true, failed: false });
  }

  #callsOf(id: string): number {
    let calls = 0;
    for (const { parent, kind } of this.#steps.values()) if (parent === id && kind === "model") calls++;
    return calls;
  }

  #tool(tool: Called, parent: string, name: string, at: number): void {
    const { tool_call_id: id, tool_name, tool_args, result, tool_call_error } = tool;
    this.#begin(id, { name: tool_name, kind: "tool", parent, input: JSON.stringify(tool_args ?? {}) }, at);
    if (name === "ToolCallStarted") return;
    this.#end(id, at, {
      failed: tool_call_error === true || name === "ToolCallError",
      ...(typeof result === "string" && { output: result }),
    });
  }

  /** The run that an event is of: within its workflow's step, or the run that began it. */
  #runOf(event: Clocked): Pick<LiveStep, "name" | "kind" | "parent"> {
    const isTeam = "team_id" in event;
    const name = "team_name" in event ? event.team_name : "agent_name" in event ? event.agent_name : "Run";
    const step =
      "step_id" in event && event.step_id !== undefined ? this.#idOfStep(event.step_id, false) : undefined;
    const outer = "parent_run_id" in event ? event.parent_run_id : undefined;
    const parents = [outer === undefined || outer === this.#root ? undefined : runStepId(outer), step];
    const inner = event.run_id === this.#root ? undefined : runStepId(this.#root);
    const parent = [...parents, inner].find((one) => one !== undefined && this.#steps.has(one));
    return { name: String(name), kind: isTeam ? "team" : "agent", parent };
  }
}

const pauses: ReadonlySet<string> = new Set(["StepPaused", "StepExecutorPaused", "StepOutputReview"]);

type Called = {
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly tool_args?: unknown;
  readonly result?: unknown;
  readonly tool_call_error?: boolean | null | undefined;
};

const runStepId = (run_id: string): string => `run:${run_id}`;
