import {
  CopilotChat,
  CopilotKitProvider,
  HttpAgent,
  useDefaultRenderTool,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";

// Open it with #token=…, which stays in the browser; `npx agent-platform token` prints one.
const given = new URLSearchParams(location.hash.slice(1));
const agent = new HttpAgent({
  url: `${given.get("url") ?? location.origin}/agents/${given.get("agent") ?? "support-desk"}/agui`,
  headers: { Authorization: `Bearer ${given.get("token")}` },
  threadId: crypto.randomUUID(),
});

function Chat() {
  useDefaultRenderTool();
  useInterrupt({
    render: ({ interrupt, resolve }) => (
      <fieldset>
        <legend>{interrupt?.message}</legend>
        <button type="button" onClick={() => resolve({ approved: true })}>
          Allow
        </button>
        <button type="button" onClick={() => resolve({ approved: false })}>
          Refuse
        </button>
      </fieldset>
    ),
  });
  return <CopilotChat />;
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider selfManagedAgents={{ default: agent }}>
    <Chat />
  </CopilotKitProvider>,
);
