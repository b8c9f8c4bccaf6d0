import * as v from "valibot";
import { A2A_PREFIX } from "../../routes/a2a-prefix.ts";
import { choice, matching, secretName, text, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { component } from "../values/component.ts";

const offUnlessLocal = { otherwise: "false", local: "true" } as const;
const oneComponent = matching(
  component.may,
  new RegExp(`^${component.pattern}$`),
  `must be ${component.form}`,
);

/** Whether background runs are accepted, and what is served in addition to our own routes. */
export const interfaces = {
  /** whether background runs are accepted; with `false` every request that needs the queue is answered with 503 */
  queueEnabled: { variable: "QUEUE_ENABLED", form: yesNo, default: "true" },
  /**
   * what becomes of a background run whose session has a live run, where the request does not say: with `queue` it waits,
   * so that the second of two messages sees the first one's answer
   */
  sessionPolicy: { variable: "SESSION_POLICY", form: choice("queue", "parallel"), default: "queue" },
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
  /** what `POST /agui` runs; by default the first component that is declared */
  aguiComponent: { variable: "AGUI_COMPONENT", form: oneComponent },
  /** whether there is an MCP server at `/mcp`; see [MCP](guide/mcp.md) */
  mcp: { variable: "MCP_ENABLED", form: yesNo, default: offUnlessLocal },
  /**
   * components, declared or stored, that are tools of their own of the MCP server, beside the tools for all components
   */
  mcpTools: {
    variable: "MCP_TOOLS",
    form: matching(
      "`all`, or components as in `aguiComponent`, separated by commas",
      new RegExp(`^(all|${component.pattern}(,${component.pattern})*)?$`),
      `must be all, or a list of ${component.form}, separated by commas`,
    ),
    unset: "",
  },
  /**
   * the component whose agent card everybody may read at `/.well-known/agent-card.json`, without a credential; it names no
   * tools there
   */
  a2aHostAgent: { variable: "A2A_HOST_AGENT", form: oneComponent },
  /**
   * Secrets Manager secret with the key that signs agent cards, see [signed cards](a2a.md#signed-cards); it needs
   * `publicUrl` or `domainName`
   */
  a2aCardKeySecret: { variable: "A2A_CARD_KEY_SECRET", local: false, form: secretName },
  /**
   * address of the service as its clients know it, for agent cards and the MCP server; by default the host that the client
   * asked for
   */
  publicUrl: {
    variable: "PUBLIC_URL",
    form: matching("an address without a path", /^https?:\/\/[^/?#]+$/, "must be an address without a path"),
  },
} as const satisfies Settings;
