import type { RequestPermissionOutcome, SessionUpdate, StopReason } from "@agentclientprotocol/sdk";
import {
  type Client,
  type ComponentAddress,
  PlatformError,
  type RunAddress,
  type RunEvent,
  type ToolExecution,
} from "../../../client/index.ts";
import { openRequirements } from "../../../shared/domain/runs/open-requirements.ts";
import { answered, ended, proposed, updatesOf } from "./updates-of.ts";

/** The editor, as a turn uses it. */
export type Editor = {
  readonly update: (update: SessionUpdate) => Promise<void>;
  /** Asks the person whether a call may be made, once. */
  readonly ask: (call: ReturnType<typeof proposed>) => Promise<RequestPermissionOutcome>;
};

type Output = Awaited<ReturnType<Client["runs"]["wait"]>>;
type Requirement = { readonly id: string; readonly tool_execution: ToolExecution };
type Decision = {
  readonly id: string;
  readonly tool_execution: { readonly tool_call_id: string; readonly confirmed: boolean };
};

/** A run that has failed, with what its caller may know of it. */
export class FailedRun extends Error {}

/**
 * One prompt and what comes of it: a run, streamed to the editor, continued with what the person there decides.
 * `cancel` ends its run, whenever it comes.
 */
export class Turn {
  readonly #client: Client;
  readonly #component: ComponentAddress;
  readonly #session_id: string;
  readonly #editor: Editor;
  readonly #console: string;
  readonly #known = new Set<string>();
  #run: RunAddress | undefined;
  #isCancelled = false;

  /** @param console  address where a person answers what an editor cannot ask */
  constructor(client: Client, component: ComponentAddress, session: string, editor: Editor, console: string) {
    this.#client = client;
    this.#component = component;
    this.#session_id = session;
    this.#editor = editor;
    this.#console = console;
  }

  /** @throws FailedRun; what the client throws */
  async run(message: string): Promise<StopReason> {
    await this.#show(this.#client.runs.stream(this.#component, { message, session_id: this.#session_id }));
    if (!this.#run) throw new FailedRun("The run has sent no event.");
    for (;;) {
      const output = await this.#client.runs.wait(this.#run);
      if (output.status === "CANCELLED") return "cancelled";
      if (output.status === "ERROR") throw new FailedRun(reasonOf(output));
      if (output.status !== "PAUSED") {
        // A workflow streams no answer of its own.
        if ("step_results" in output) await this.#say(output.content);
        return "end_turn";
      }
      const requirements = await this.#decisionsOn(output);
      if (this.#isCancelled) return "cancelled";
      if (!requirements) return "end_turn";
      await this.#show(this.#client.runs.continue(this.#run, { requirements }));
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    if (this.#run) await cancelRun(this.#client, this.#run);
  }

  async #show(events: AsyncIterable<RunEvent>): Promise<void> {
    for await (const event of events) {
      if (!this.#run && "run_id" in event.data && typeof event.data.run_id === "string") {
        this.#run = { ...this.#component, run_id: event.data.run_id, session_id: this.#session_id };
        if (this.#isCancelled) await cancelRun(this.#client, this.#run);
      }
      for (const update of updatesOf(event, this.#known)) await this.#editor.update(update);
    }
  }

  /** @returns undefined where the person in the editor cannot decide it: the run stays paused, and a sentence says where they can */
  async #decisionsOn(output: Output): Promise<readonly Decision[] | undefined> {
    const { calls } =
      "step_results" in output
        ? { calls: [] }
        : openRequirements<Requirement>({ requirements: output.requirements });
    const isAskable = calls.every(
      ({ requirement, questions }) =>
        requirement.tool_execution.approval_type !== "required" && questions.join() === "confirmation",
    );
    if (calls.length === 0 || !isAskable) {
      await this.#say(`This run waits for an answer. Give it at ${this.#console} (run ${output.run_id}).`);
      return undefined;
    }
    const decisions: Decision[] = [];
    for (const { requirement } of calls) {
      const decision = await this.#decisionOn(requirement);
      if (!decision) return undefined;
      decisions.push(decision);
    }
    return decisions;
  }

  async #decisionOn({ id, tool_execution: call }: Requirement): Promise<Decision | undefined> {
    const { tool_call_id } = call;
    const shown = proposed(call);
    await this.#editor.update(
      this.#known.has(tool_call_id)
        ? { sessionUpdate: "tool_call_update", toolCallId: tool_call_id, status: "pending" }
        : { sessionUpdate: "tool_call", ...shown },
    );
    this.#known.add(tool_call_id);
    const outcome = await this.#editor.ask(shown);
    if (outcome.outcome === "cancelled") {
      await this.cancel();
      return undefined;
    }
    const confirmed = outcome.optionId === "allow";
    if (!confirmed) await this.#editor.update(ended(tool_call_id, true, "Not allowed."));
    return { id, tool_execution: { tool_call_id, confirmed } };
  }

  async #say(content: unknown): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
    for (const update of answered(text)) await this.#editor.update(update);
  }
}

/** Where the run ended by itself in the meantime there is nothing left to cancel. */
async function cancelRun(client: Client, run: RunAddress): Promise<void> {
  const { run_id, session_id } = run;
  const query = { session_id };
  try {
    if ("agent_id" in run) await client.cancelAgentRun({ path: { agent_id: run.agent_id, run_id }, query });
    else if ("team_id" in run) await client.cancelTeamRun({ path: { team_id: run.team_id, run_id }, query });
    else await client.cancelWorkflowRun({ path: { workflow_id: run.workflow_id, run_id }, query });
  } catch (error) {
    if (!(error instanceof PlatformError && (error.status === 404 || error.status === 409))) throw error;
  }
}

function reasonOf(output: Output): string {
  const reason = ("error" in output && output.error) || output.content;
  return typeof reason === "string" ? reason : JSON.stringify(reason ?? "The run has failed.");
}
