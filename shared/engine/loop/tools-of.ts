import type { JSONSchema7 } from "@ai-sdk/provider";
import * as v from "valibot";
import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import { untilStopped } from "../abort/until-stopped.ts";
import { secretsFor } from "../call/guarded-context.ts";
import type { Member } from "../define/team.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { isRemote } from "../remote/is-remote.ts";
import { remoteTools } from "../remote/remote-tools.ts";
import { teamTools } from "../team/team-tools.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";

type Ports = Pick<EnginePorts, "signal" | "toolSecrets" | "warn">;

export type FoundTools = { readonly tools: readonly Tool[]; readonly fault?: RunFault };

/**
 * The tools that an agent has in one execution: its own, those of its sources, a leader's tools for its members, and those of
 * the run's client.
 *
 * @decided  A source that does not answer fails the run. Otherwise the agent would answer without its tools, and this
 *           would go unnoticed.
 */
export async function toolsOf(
  agent: Member,
  ports: Ports,
  ofClient: readonly ClientTool[] = [],
): Promise<FoundTools> {
  const { signal } = ports;
  const listed = await Promise.all(agent.tool_sources.map((source) => listTools(source, ports)));
  const forMembers = agent.kind === "team" ? teamTools(agent) : [];
  const tools = [
    ...agent.tools,
    ...listed.flatMap((found) => found.tools),
    ...forMembers,
    ...(isRemote(agent) ? remoteTools : []),
    ...clientTools(ofClient),
  ];
  const fault = listed.find((found) => found.fault)?.fault ?? ambiguity(tools);
  return { tools, ...(fault && !signal.aborted && { fault }) };
}

async function listTools(source: ToolSource, ports: Ports): Promise<FoundTools> {
  const { signal } = ports;
  try {
    const secrets = await untilStopped(secretsFor(source, ports), signal);
    return { tools: await untilStopped(source.list(signal, secrets), signal) };
  } catch (thrown) {
    const text = `The tools of ${source.name} could not be listed.`;
    return { tools: [], fault: { cause: "tools", text, thrown } };
  }
}

function ambiguity(tools: readonly Tool[]): RunFault | undefined {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return undefined;
  const text = `The agent has two tools named ${twice}. Give one of their sources a prefix, or rename the client's.`;
  return { cause: "internal", text, thrown: new Error(text) };
}

/** The client validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());

/** Tools that the client of a run brings along. The run pauses before a call, until the client has sent the result. */
const clientTools = (declared: readonly ClientTool[]): Tool[] =>
  declared.map(({ name, description, parameters }) => ({
    name,
    description: description ?? name,
    parameters: AnyArguments,
    input_schema: { type: "object", properties: {}, ...parameters } as JSONSchema7, // as the client declared it
    effect: "safe",
    external_execution: true,
    external_execution_silent: true,
  }));
