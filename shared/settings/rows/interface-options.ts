import { matching, secretName, whole, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { NO_COMPONENT, ONE_COMPONENT } from "../values/chats.ts";

const oneComponent = matching("`agents/<id>`, `teams/<id>` or `workflows/<id>`", ONE_COMPONENT, NO_COMPONENT);

/** What the interfaces of others show, and under which address. */
export const interfaceOptions = {
  /** what `POST /agui` runs; by default the first component that is declared */
  aguiComponent: { variable: "AGUI_COMPONENT", form: oneComponent },
  /**
   * components, declared or stored, that are tools of their own of the MCP server, beside the tools for all components
   */
  mcpTools: {
    variable: "MCP_TOOLS",
    form: matching(
      "`all`, or components as in `aguiComponent`, separated by commas",
      /^(all|(agents|teams|workflows)\/[^/\s,]+(,(agents|teams|workflows)\/[^/\s,]+)*)?$/,
      "must be all, or a list of agents/<id>, teams/<id> or workflows/<id>, separated by commas",
    ),
    unset: "",
  },
  /**
   * whether a client of the MCP server may confirm calls that wait for a person; without it the model behind the client could
   * confirm what it asks for itself, and people confirm in the console, in chats, over HTTP, or asked by a client that can elicit
   */
  mcpConfirm: { variable: "MCP_CONFIRM", form: yesNo, default: "false" },
  /**
   * days that an app stays connected which a user has let in by `mcpAuth=builtin`, before the user is asked again. The identity provider
   * of the console is asked at each refresh; one day at most where it gives no refresh token, see [sign-in](guide/mcp.md#sign-in)
   */
  mcpGrantDays: { variable: "MCP_GRANT_DAYS", form: whole(1, 90), default: "1" },
  /** whether clients may register themselves, which some need; others are known by a document at an address of their maker */
  mcpRegistration: { variable: "MCP_REGISTRATION", form: yesNo, default: "true" },
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
