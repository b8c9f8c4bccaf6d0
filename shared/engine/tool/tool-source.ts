import type { Tool } from "./tool.ts";

/** A source of tools that are not declared in code, such as an MCP server. */
export type ToolSource = {
  /** Public: shown when the source cannot be reached. */
  readonly name: string;
  /** @throws the error that kept the source from answering */
  readonly list: (signal: AbortSignal) => Promise<readonly Tool[]>;
};
