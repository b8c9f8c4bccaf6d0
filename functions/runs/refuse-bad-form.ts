import type { Agent } from "../../shared/engine/agent.ts";
import { inputFault } from "../../shared/engine/input-schema.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { sseFrame } from "../../shared/events/sse.ts";
import { EventStream } from "../../shared/http/handler.ts";
import type { CreateRunForm } from "../../shared/routes/runs.ts";

/**
 * Refuses what the form's schema cannot know: it depends on the agent.
 *
 * @param now  epoch seconds
 * @returns the refusal where the client reads a stream: one RunError and nothing else
 * @throws ServiceError BAD_REQUEST or NOT_FOUND
 * @source contract, runs-and-queue 3.2 and 3.5
 */
export function refuseBadForm(agent: Agent, form: CreateRunForm, now: number): EventStream | undefined {
  // Agents of the registry have no stored versions to choose from.
  if (form.version !== undefined) throw notFound(`version ${form.version} of agent`, agent.id);
  if (form.factory_input !== undefined && !isObjectText(form.factory_input)) {
    throw new ServiceError("BAD_REQUEST", "factory_input is not a JSON object");
  }
  const fault = inputFault(agent, form.message);
  if (fault === undefined) return undefined;
  if (!form.stream) throw new ServiceError("BAD_REQUEST", fault);
  return new EventStream(single(sseFrame(runError(agent, form, fault, now))));
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** No run exists, so the event names none. @source contract, runs-and-queue 5.2 */
const runError = (agent: Agent, form: CreateRunForm, content: string, now: number) => ({
  created_at: now,
  event: "RunError" as const,
  agent_id: agent.id,
  agent_name: agent.name,
  run_id: "",
  session_id: form.session_id ?? "",
  nested_depth: 0,
  content,
  error_type: "input_check_error",
});

async function* single(frame: string): AsyncGenerator<string> {
  yield frame;
}
