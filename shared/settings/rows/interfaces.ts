import * as v from "valibot";
import { A2A_PREFIX } from "../../routes/protocols/a2a-prefix.ts";
import { choice, text, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";

const offUnlessLocal = { otherwise: "false", local: "true" } as const;

/** Which interfaces are served in addition to our own, and where. */
export const interfaces = {
  /** whether other agents can call the components by the agent-to-agent protocol; see [A2A](a2a.md) */
  a2a: { variable: "A2A_ENABLED", form: yesNo, default: offUnlessLocal },
  /** path prefix of these routes */
  a2aPrefix: {
    variable: "A2A_PREFIX",
    form: text(
      "a path of plain segments that no other route begins with",
      v.pipe(
        v.string(),
        v.regex(/^(\/[\w-]+)+$/, "must be a path such as /a2a that nothing else is served below"),
        v.transform((path) => path as `/${string}`), // as checked
      ),
    ),
    default: A2A_PREFIX,
  },
  /** whether front ends can run the components by AG-UI; see [AG-UI](guide/ag-ui.md) */
  agui: { variable: "AGUI_ENABLED", form: yesNo, default: offUnlessLocal },
  /** whether front ends can run the components with the AI SDK's `useChat`; see [useChat](guide/use-chat.md) */
  chat: { variable: "UI_CHAT_ENABLED", form: yesNo, default: offUnlessLocal },
  /** whether clients of OpenAI can run the components at `/v1`; see [OpenAI](guide/openai.md) */
  openai: { variable: "OPENAI_ENABLED", form: yesNo, default: offUnlessLocal },
  /** whether there is an MCP server at `/mcp`; see [MCP](guide/mcp.md) */
  mcp: { variable: "MCP_ENABLED", form: yesNo, default: offUnlessLocal },
  /**
   * where clients of the MCP server get their tokens: `issuer`, at one of `jwtIssuers`; `builtin`, from this service, to which its users
   * let them in on a page of the console ([sign-in](guide/mcp.md#sign-in)); `off`, nowhere
   */
  mcpAuth: {
    variable: "MCP_AUTH",
    form: choice("issuer", "builtin", "off"),
    default: { otherwise: "issuer", local: "builtin" },
  },
} as const satisfies Settings;
