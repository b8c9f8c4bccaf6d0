import { HttpAgent } from "@ag-ui/client";
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAuiState,
} from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useState } from "react";
import { createRoot } from "react-dom/client";

// Open it with #token=…, which stays in the browser; `npx agent-platform token` prints one.
const given = new URLSearchParams(location.hash.slice(1));
const agent = new HttpAgent({
  url: `${given.get("url") ?? location.origin}/agents/${given.get("agent") ?? "support-desk"}/agui`,
  headers: { Authorization: `Bearer ${given.get("token")}` },
  threadId: crypto.randomUUID(),
});

function ToolCall({ toolName, args, result, approval, respondToApproval }) {
  const call = `${toolName} ${JSON.stringify(args)}`;
  const outcome = approval?.approved === false ? "refused" : (result ?? "…");
  if (!approval || approval.approved !== undefined) {
    return <code>{`${call}: ${typeof outcome === "string" ? outcome : JSON.stringify(outcome)}`}</code>;
  }
  return (
    <span>
      <code>{call}</code>
      <button type="button" onClick={() => respondToApproval({ approved: true })}>
        Allow
      </button>
      <button type="button" onClick={() => respondToApproval({ approved: false })}>
        Refuse
      </button>
    </span>
  );
}

const Text = ({ text }) => <span>{text}</span>;
const parts = { Text, tools: { Fallback: ToolCall } };

function Message() {
  const role = useAuiState(({ message }) => message.role);
  return (
    <MessagePrimitive.Root asChild>
      <li aria-label={role}>
        <MessagePrimitive.Parts components={parts} />
      </li>
    </MessagePrimitive.Root>
  );
}

function Chat() {
  const [error, setError] = useState();
  const runtime = useAgUiRuntime({ agent, onError: setError });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <h1>Support desk</h1>
      <ThreadPrimitive.Root>
        <ul aria-label="Messages">
          <ThreadPrimitive.Messages components={{ Message }} />
        </ul>
        {error && <p role="alert">{error.message}</p>}
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.querySelector("#root")).render(<Chat />);
