import type { Registry } from "../../../shared/engine/define/registry.ts";
import type { RecordAudit } from "../../../shared/http/audit.ts";
import type { HandlerRequest } from "../../../shared/http/handler.ts";
import type { mcpRoutes } from "../../../shared/routes/protocols/mcp.ts";
import type { RunsDeps } from "../../../shared/runs/index.ts";
import type { LiveComponents } from "./live-components.ts";

/** What the MCP server needs in addition to what runs need. */
export type McpSettings = {
  readonly registry: Registry;
  readonly recordAudit: RecordAudit;
  /** Whether clients may confirm what waits for a person. */
  readonly confirms: boolean;
  /** Knowledge bases, by name; the first one is searched where none is named. */
  readonly knowledge: readonly string[];
  /** Components that are tools of their own: `all`, or a list. */
  readonly tools: string;
  /** Those of them that are stored. */
  readonly live: LiveComponents;
  /** Origins that browsers may call from. */
  readonly origins: ReadonlySet<string>;
  /** Address of the service as its clients know it; that of the request when absent. */
  readonly publicUrl: string | undefined;
  /** Issuers whose tokens are accepted, as far as they have an address. */
  readonly issuers: readonly string[];
  /** Whether clients get their tokens from this service. */
  readonly signsIn: boolean;
  readonly osId: string;
};

export type McpDeps = RunsDeps & { readonly mcp: McpSettings };

export type McpRequest = HandlerRequest<typeof mcpRoutes.callMcp>;

/** One call of a tool. */
export type ToolCall = Pick<McpRequest, "principal" | "invocation"> & {
  /** Names the client's span; undefined where it sends none. */
  readonly traceparent: string | undefined;
  /** Aborts when the client is gone or has cancelled the call. */
  readonly signal: AbortSignal;
  /** Has the client ask its user for a yes; undefined where it cannot. */
  readonly confirm?: ((message: string) => Promise<boolean>) | undefined;
  /** Notifies the client of what happens; does nothing where it did not ask for that. */
  readonly progress: (message: string) => void;
};
