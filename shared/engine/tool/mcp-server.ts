import type { AskingRun } from "./tool.ts";

/**
 * A server that speaks the Model Context Protocol over streamable HTTP, and which of its tools an agent uses.
 *
 * @typeParam Secrets  the names of the secrets that it declares
 */
export type McpServer<Secrets extends string = never> = {
  readonly url: string;
  /** Public: its name in the error of a run that it did not answer. */
  readonly name?: string;
  /** Names of secrets that `headers` is given; see `defineTool`. */
  readonly secrets?: readonly Secrets[];
  /**
   * Sent with every request, and made for it: from the run that makes it, and from the secrets as they are now. Each user has a
   * session of their own with the server, which is opened anew when a secret has changed.
   */
  readonly headers?: (
    context: AskingRun<Secrets>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Names of the tools that the agent gets; all when absent. */
  readonly include?: readonly string[];
  /** Put before every tool's name, to distinguish the tools of several servers. */
  readonly prefix?: string;
  /** Names of tools that a person confirms before each call. */
  readonly requires_confirmation?: readonly string[];
  /** Longest time for one answer; 60 when absent. */
  readonly timeout_seconds?: number;
};

/** A server whatever the names of its secrets, with how a connection to it is opened for present values. */
export type McpConnection = Omit<McpServer, "secrets" | "headers"> & {
  readonly secrets: readonly string[];
  readonly headers?: McpServer<string>["headers"];
};
