import type { Tool } from "./tool.ts";

/** A source of tools that are not declared in code, such as an MCP server. */
export type ToolSource = {
  /** Public: shown when the source cannot be reached. */
  readonly name: string;
  /** Names of the secrets with which it is asked; see `ToolRights`. */
  readonly secrets?: readonly string[];
  /**
   * @param secrets  their values
   * @throws the error that kept the source from answering
   */
  readonly list: (
    signal: AbortSignal,
    secrets?: Readonly<Record<string, string>>,
  ) => Promise<readonly Tool[]>;
};
