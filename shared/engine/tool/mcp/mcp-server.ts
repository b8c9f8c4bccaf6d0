import type { AskingRun } from "../tool.ts";

/** What an agent uses of an MCP server, wherever that runs. */
type McpSettings = {
  /** Public: its name in errors, and in questions that it has for a person. */
  readonly name?: string;
  /** Names of the tools that the agent gets; all when absent. */
  readonly include?: readonly string[];
  /** Put before every tool's name, to distinguish the tools of several servers. */
  readonly prefix?: string;
  /**
   * What becomes of a tool whose name another tool of the agent has: `fault` (when absent) fails the run and names both sources,
   * `prefix` puts the server's `name` before it.
   */
  readonly on_collision?: "fault" | "prefix";
  /** Names of tools that a person confirms before each call; `destructive` for all that do not say that they destroy nothing. */
  readonly requires_confirmation?: readonly string[] | "destructive";
  /** Whether what the server says about its tools' effects counts; true when absent. Otherwise each may do harm when called twice. */
  readonly trust_annotations?: boolean;
  /**
   * What becomes of a call in which the server wants something of a person (since version 2026-07-28): `pause`, when absent, asks in the
   * run as other pauses do, `decline` refuses the call.
   */
  readonly elicitation?: "pause" | "decline";
  /** Longest result, in bytes of its text, that a model may be shown whole; 262144 when absent. */
  readonly max_result_bytes?: number;
  /** Longest time for one answer; 60 when absent. */
  readonly timeout_seconds?: number;
};

type McpOverHttp<Secrets extends string> = {
  readonly command?: never;
  /** Of its endpoint for streamable HTTP. */
  readonly url: string;
  /** Names of secrets that `headers` is given; see `defineTool`. */
  readonly secrets?: readonly Secrets[];
  /**
   * Sent with every request, and made for it: from the run that makes it, and from the secrets as they are now. Each user has a
   * connection of their own with the server, which is opened anew when a secret has changed.
   */
  readonly headers?: (
    context: AskingRun<Secrets>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
};

/** A program that is started, and asked over its input and output: with `npm start` alone, and for all users. */
type McpOverStdio = {
  readonly url?: never;
  readonly headers?: never;
  readonly secrets?: never;
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables of its environment, beside the few that every program needs, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * A server that speaks the Model Context Protocol, and which of its tools an agent uses.
 *
 * @typeParam Secrets  the names of the secrets that it declares
 */
export type McpServer<Secrets extends string = never> = McpSettings & (McpOverHttp<Secrets> | McpOverStdio);

/** A server whatever the names of its secrets, with how a connection to it is opened for present values. */
export type McpConnection = McpSettings & { readonly secrets: readonly string[] } & (
    | Omit<McpOverHttp<string>, "secrets">
    | Omit<McpOverStdio, "secrets">
  );

const TIMEOUT_SECONDS = 60;

/** How long a request to this server may take, and what ends it earlier. */
export const requestLimit = (
  { timeout_seconds = TIMEOUT_SECONDS }: Pick<McpSettings, "timeout_seconds">,
  signal?: AbortSignal,
) => ({
  timeout: timeout_seconds * 1000,
  ...(signal && { signal }),
});

/** A server as people know it. */
export function serverName({ name, command }: Pick<McpConnection, "name" | "command">): string {
  if (name !== undefined) return `the MCP server ${name}`;
  return command === undefined ? "an MCP server" : `the MCP server that ${command} starts`;
}
