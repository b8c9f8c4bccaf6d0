import type { Client, ComponentAddress, RunAddress, RunEvent, RunOutput } from "../../../client/index.ts";
import { answerCalls } from "./answer-calls.ts";
import type { Terminal } from "./terminal.ts";

type Output = Awaited<ReturnType<Client["runs"]["wait"]>>;
type Events = AsyncIterable<RunEvent>;

/**
 * Runs a component in the terminal: writes its answer as it comes, and asks the person there what the run waits for.
 *
 * @returns the run: ended, or paused where another person has to decide
 * @throws what the client throws
 */
export async function converse(
  client: Client,
  component: ComponentAddress,
  form: { readonly message: string; readonly session_id: string },
  terminal: Terminal,
): Promise<Output> {
  const first = await show(client.runs.stream(component, form), terminal);
  if (first === undefined) throw new Error("the run has sent no event");
  const run: RunAddress = { ...component, run_id: first, session_id: form.session_id };
  for (;;) {
    const output = await client.runs.wait(run);
    if (output.status !== "PAUSED") return output;
    const requirements = isWorkflow(output) ? undefined : await answerCalls(output, terminal);
    if (!requirements) return output;
    await show(client.runs.continue(run, { requirements }), terminal);
  }
}

const isWorkflow = (output: Output): output is Exclude<Output, RunOutput> => "step_results" in output;

/** Writes what the component itself says, and which tools are called. @returns the id of the run */
async function show(events: Events, terminal: Terminal): Promise<string | undefined> {
  let run: string | undefined;
  for await (const event of events) {
    if (run === undefined && "run_id" in event.data && typeof event.data.run_id === "string")
      run = event.data.run_id;
    const text = textOf(event);
    if (text !== "") terminal.write(text);
  }
  return run;
}

function textOf({ event, data }: RunEvent): string {
  switch (event) {
    case "RunContent":
    case "TeamRunContent":
      return data.nested_depth === 0 && typeof data.content === "string" ? data.content : "";
    case "ToolCallStarted":
    case "TeamToolCallStarted":
      return `\n[${data.tool.tool_name} ${JSON.stringify(data.tool.tool_args)}]\n`;
    case "StepStarted":
      return `\n[step ${data.step_name}]\n`;
    default:
      return "";
  }
}
