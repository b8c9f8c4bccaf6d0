import type { JSONSchema7 } from "@ai-sdk/provider";
import * as v from "valibot";
import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import type { Tool } from "./tool.ts";

/** The client validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());

/** Tools that the client of a run brings along. The run pauses before a call, until the client has sent the result. */
export const clientTools = (declared: readonly ClientTool[]): Tool[] =>
  declared.map(({ name, description, parameters }) => ({
    name,
    description: description ?? name,
    parameters: AnyArguments,
    input_schema: { type: "object", properties: {}, ...parameters } as JSONSchema7, // as the client declared it
    effect: "safe",
    external_execution: true,
    external_execution_silent: true,
  }));
