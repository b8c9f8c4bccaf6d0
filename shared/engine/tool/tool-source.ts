import type { Tool } from "./tool.ts";

/** Where tools come from that are not declared in code, such as an MCP server. */
export type ToolSource = {
  /** Public: shown when the source cannot be reached. */
  readonly name: string;
  /** @throws whatever kept the source from answering */
  readonly list: (signal: AbortSignal) => Promise<readonly Tool[]>;
};
