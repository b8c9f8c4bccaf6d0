/** A server that speaks the Model Context Protocol over streamable HTTP, and which of its tools an agent uses. */
export type McpServer = {
  readonly url: string;
  /** Public: its name in the error of a run that it did not answer. */
  readonly name?: string;
  /** Sent with every request; read whenever a connection is opened, so that a credential may change. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Names of the tools that the agent gets; all when absent. */
  readonly include?: readonly string[];
  /** Put before every tool's name, to tell the tools of several servers apart. */
  readonly prefix?: string;
  /** Names of tools that a person confirms before each call. */
  readonly requires_confirmation?: readonly string[];
  /** Longest time for one answer; 60 when absent. */
  readonly timeout_seconds?: number;
};
