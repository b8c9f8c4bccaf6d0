import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Target } from "../../../shared/auth/scopes/scopes.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Component } from "../../../shared/runs/index.ts";
import { issueText } from "../../../shared/schemas/values/issue-text.ts";
import type { McpDeps, ToolCall } from "./mcp-deps.ts";
import type { NamedRun } from "./run-tools.ts";

type ObjectSchema = v.GenericSchema<unknown, object>;

/** A tool of the MCP server. */
export type McpTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  /** The scopes that a call needs, each with what it is about; none where the arguments do not fit. */
  readonly needs: (args: unknown) => readonly NeededScope[];
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
  /** @throws ServiceError with what the caller may know */
  readonly call: (args: unknown, call: ToolCall, deps: McpDeps) => Promise<object>;
  /** Whether an answer of it says that what it was called for has failed. */
  readonly hasFailed: (answer: object) => boolean;
  /** The run that an answer is about, which its call has begun or continued; undefined for a tool that does neither. */
  readonly runIn: (args: unknown, answer: object) => NamedRun | undefined;
};

/** A scope without the id of a component, and the target that a narrower one would name. */
export type NeededScope = { readonly scope: string; readonly target: Target };

const Begun = v.object({ run_id: v.string(), session_id: v.string() });

type Declared<S extends ObjectSchema> = {
  readonly name: string;
  readonly description: string;
  readonly takes: S;
  readonly gives: ObjectSchema;
  /** A failed run is an answer of a tool that reads it, and an error of one that executes it. */
  readonly isReading: boolean;
  readonly needs: (args: v.InferOutput<S>) => readonly NeededScope[];
  /** The component that a call runs; undefined for a tool that runs none. */
  readonly runs?: (args: v.InferOutput<S>) => Component;
  readonly call: (args: v.InferOutput<S>, call: ToolCall, deps: McpDeps) => Promise<object>;
};

/** A tool whose arguments are validated before it is called. */
export const mcpTool = <S extends ObjectSchema>({
  takes,
  gives,
  isReading,
  needs,
  runs,
  ...tool
}: Declared<S>): McpTool => ({
  name: tool.name,
  description: tool.description,
  needs: (args) => {
    const parsed = v.safeParse(takes, args ?? {});
    return parsed.success ? needs(parsed.output) : [];
  },
  inputSchema: schemaOf(takes),
  outputSchema: schemaOf(gives),
  annotations: { readOnlyHint: isReading, openWorldHint: !isReading },
  hasFailed: (answer) => !isReading && "status" in answer && answer.status === "ERROR",
  runIn: (args, answer) => {
    const parsed = v.safeParse(takes, args ?? {});
    if (!runs || !parsed.success || !v.is(Begun, answer)) return undefined;
    const { kind, id } = runs(parsed.output);
    const { run_id, session_id } = answer;
    return { component_type: kind, component_id: id, run_id, session_id };
  },
  call: (args, call, deps) => {
    const parsed = v.safeParse(takes, args ?? {});
    if (parsed.success) return tool.call(parsed.output, call, deps);
    const problems = parsed.issues.map((issue) => issueText(issue, "arguments")).join("; ");
    throw new ServiceError("UNPROCESSABLE", `the arguments do not fit: ${problems}`);
  },
});

/** Without the dialect, which clients do not need; checks that have no equal in JSON Schema are left out. */
function schemaOf(schema: ObjectSchema): object {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  return rest;
}

/** What a tool answers, as the protocol has it. */
export const toolResult = (answer: object, isError: boolean) => ({
  content: [{ type: "text" as const, text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
  ...(isError && { isError }),
});
