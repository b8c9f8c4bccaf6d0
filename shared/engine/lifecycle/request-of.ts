import * as v from "valibot";
import { ClientTool } from "../../schemas/runs/client-tool.ts";
import { isObject } from "../../schemas/values/is-object.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { SessionContext } from "./read-context.ts";

/** The engine's request, from the record of a run. Form fields that the platform does not read go to `parameters`. */
export function requestOf(
  run: StoredRun,
  context: SessionContext & Pick<RunRequest, "session_state">,
): RunRequest {
  const { metadata, created_at, input, user_id } = run.output;
  const { input_content, ...media } = input;
  const { client_tools, dependencies, knowledge_filters, output_schema } = run.kwargs;
  const parameters = Object.entries(run.kwargs).filter(([name]) => !platformFields.has(name));
  return {
    run_id: run.run_id,
    session_id: run.session_id,
    user_id: user_id ?? null,
    input: input_content,
    media,
    ...context,
    ...(metadata && { metadata }),
    ...(isObject(dependencies) && { dependencies }),
    ...(knowledge_filters !== undefined && { knowledge_filters }),
    ...(isObject(output_schema) && { output_schema }),
    // A form field of this name is text, and no list of tools.
    ...(v.is(ClientTools, client_tools) && { client_tools }),
    parameters: Object.fromEntries(parameters),
    created_at,
  };
}

const ClientTools = v.array(ClientTool);

/** Form fields that the platform reads itself. */
const platformFields: ReadonlySet<string> = new Set([
  "client_tools",
  "dependencies",
  "factory_input",
  "knowledge_filters",
  "metadata",
  "output_schema",
  "session_state",
  "stream_events",
  "use_json_schema",
]);
