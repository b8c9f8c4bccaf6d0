import * as v from "valibot";
import { type Holder, holds, holdsSome, mayUse } from "../../../shared/auth/scopes/held-scopes.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { Component } from "../../../shared/runs/index.ts";
import { SentMessage } from "../../../shared/schemas/runs/run-message.ts";
import type { NamedComponent } from "./live-components.ts";
import type { McpSettings } from "./mcp-deps.ts";
import {
  ComponentsResult,
  listComponents,
  listOwnSessions,
  SearchArguments,
  SearchResult,
  SessionsArguments,
  SessionsResult,
  searchFor,
} from "./read-tools.ts";
import { RunResult } from "./run-result.ts";
import {
  ContinueArguments,
  cancelRunOf,
  continueRunOf,
  getRunOf,
  MessageArguments,
  NamedRun,
  RunArguments,
  runComponent,
  sendMessageTo,
} from "./run-tools.ts";
import { type McpTool, mcpTool, type NeededScope } from "./tool.ts";

const kinds = ["agent", "team", "workflow"] as const satisfies Component["kind"][];

/**
 * The tools that a caller's scopes allow. What is not listed cannot be called. A tool for several components checks the one
 * that a call names as well.
 *
 * @param stored  the stored components that are tools of their own for who may run them
 */
export function toolsFor(
  holder: Holder,
  settings: Pick<McpSettings, "registry" | "knowledge" | "tools">,
  stored: readonly NamedComponent[] = [],
): McpTool[] {
  const runs = kinds.filter((kind) => holdsSome(holder, kind, "run"));
  const reads = kinds.filter((kind) => holdsSome(holder, kind, "read"));
  return [
    ...runs.map(runTool),
    ...(runs.length > 0 && reads.length > 0 ? [getTool] : []),
    ...(runs.length > 0 ? [continueTool, sendTool, cancelTool] : []),
    ...reads.map(listTool),
    ...(holds(holder, "sessions:read") ? [sessionsTool] : []),
    ...(holds(holder, "knowledge:read") && settings.knowledge.length > 0 ? [searchTool] : []),
    ...componentTools(holder, settings, stored),
  ];
}

const whole: NeededScope["target"] = { method: "POST", path: MCP_PATH, params: {} };
const plain = (scope: string) => (): NeededScope[] => [{ scope, target: whole }];

const ofComponent = ({ kind, id }: Component, ...actions: ("read" | "run")[]): NeededScope[] =>
  actions.map((action) => ({
    scope: `${kind}s:${action}`,
    target: { method: "POST", path: `/${kind}s/{id}`, params: { id } },
  }));
const ofRun = ({ component_type: kind, component_id: id }: NamedRun): Component => ({ kind, id });

function runTool(kind: Component["kind"]): McpTool {
  const named = (args: object) => String((args as Readonly<Record<string, unknown>>)[`${kind}_id`]);
  return mcpTool({
    name: `run_${kind}`,
    description: `Run ${kind === "agent" ? "an" : "a"} ${kind} and wait for its answer. list_${kind}s names them.`,
    takes: v.object({ [`${kind}_id`]: v.pipe(v.string(), v.nonEmpty()), ...RunArguments.entries }),
    gives: RunResult,
    isReading: false,
    needs: (args) => ofComponent({ kind, id: named(args) }, "run"),
    runs: (args) => ({ kind, id: named(args) }),
    call: (args, call, deps) => {
      const validated = args as v.InferOutput<typeof RunArguments>;
      return runComponent({ kind, id: named(args) }, validated, call, deps);
    },
  });
}

const getTool = mcpTool({
  name: "get_run",
  description: "Read a run: its status, its answer, or what it waits for.",
  takes: NamedRun,
  gives: RunResult,
  isReading: true,
  needs: (args) => ofComponent(ofRun(args), "read", "run"),
  call: getRunOf,
});

const continueTool = mcpTool({
  name: "continue_run",
  description: "Continue a paused run with answers to what it waits for.",
  takes: ContinueArguments,
  gives: RunResult,
  isReading: false,
  needs: (args) => ofComponent(ofRun(args), "run"),
  runs: ofRun,
  call: continueRunOf,
});

const sendTool = mcpTool({
  name: "send_message",
  description: "Say something to a run that has begun: it is shown it before its next model call.",
  takes: MessageArguments,
  gives: SentMessage,
  isReading: false,
  needs: (args) => ofComponent(ofRun(args), "run"),
  call: sendMessageTo,
});

const cancelTool = mcpTool({
  name: "cancel_run",
  description: "Cancel a run: at once while it waits, at its next checkpoint while it is executed.",
  takes: NamedRun,
  gives: RunResult,
  isReading: false,
  needs: (args) => ofComponent(ofRun(args), "run"),
  call: cancelRunOf,
});

const listTool = (kind: Component["kind"]): McpTool =>
  mcpTool({
    name: `list_${kind}s`,
    description: `List the ${kind}s that you may read.`,
    takes: v.object({}),
    gives: ComponentsResult,
    isReading: true,
    needs: () => [{ scope: `${kind}s:read`, target: { method: "GET", path: `/${kind}s`, params: {} } }],
    call: (_, call, deps) => listComponents(kind, call, deps),
  });

const sessionsTool = mcpTool({
  name: "list_sessions",
  description:
    "List your sessions, the newest first. The resource session://<session_id> holds the conversation.",
  takes: SessionsArguments,
  gives: SessionsResult,
  isReading: true,
  needs: plain("sessions:read"),
  call: listOwnSessions,
});

const searchTool = mcpTool({
  name: "search_knowledge",
  description: "Search a knowledge base.",
  takes: SearchArguments,
  gives: SearchResult,
  isReading: true,
  needs: plain("knowledge:read"),
  call: searchFor,
});

/**
 * A tool for each component that the settings make one of, as far as the caller may run it. Where two have the same name, as
 * characters that names do not have are replaced, the declared one and then the newer one has it.
 */
function componentTools(
  holder: Holder,
  { registry, tools }: Pick<McpSettings, "registry" | "tools">,
  stored: readonly NamedComponent[],
): McpTool[] {
  const chosen = new Set(tools.split(","));
  const declared = kinds.flatMap((kind) =>
    registry[`${kind}s`].map(({ id, name, description }) => ({ component: { kind, id }, name, description })),
  );
  const listed: NamedComponent[] = [
    ...declared.filter(({ component: { kind, id } }) => tools === "all" || chosen.has(`${kind}s/${id}`)),
    ...stored,
  ];
  const taken = new Set<string>();
  return listed
    .filter(({ component }) => {
      const name = toolName(component);
      return !taken.has(name) && taken.add(name);
    })
    .filter(({ component }) => mayUse(holder, component, "run"))
    .map(({ component, name, description }) =>
      mcpTool({
        name: toolName(component),
        description: description ?? `Run ${name}.`,
        takes: RunArguments,
        gives: RunResult,
        isReading: false,
        needs: () => ofComponent(component, "run"),
        runs: () => component,
        call: (args, call, deps) => runComponent(component, args, call, deps),
      }),
    );
}

/** Names of tools have letters, digits, _ and -, and at most 64 of them. */
const toolName = ({ kind, id }: Component): string => `${kind}_${id.replace(/[^\w-]/g, "_")}`.slice(0, 64);
