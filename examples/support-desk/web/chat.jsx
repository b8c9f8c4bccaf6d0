import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

// Open it with #token=…, which stays in the browser; `npx agent-platform token` prints one.
const given = new URLSearchParams(location.hash.slice(1));
const agent = given.get("agent") ?? "support-desk";
const transport = new DefaultChatTransport({
  api: `${given.get("url") ?? location.origin}/agents/${agent}/chat`,
  headers: { Authorization: `Bearer ${given.get("token")}` },
});

function Part({ part, decide }) {
  if (part.type === "text") return <span>{part.text}</span>;
  if (part.type !== "dynamic-tool") return null;
  const call = `${part.toolName} ${JSON.stringify(part.input)}`;
  if (part.state !== "approval-requested") return <code>{`${call}: ${part.state}`}</code>;
  const answer = (approved) => () => decide({ id: part.approval.id, approved });
  return (
    <span>
      <code>{call}</code>
      <button type="button" onClick={answer(true)}>
        Allow
      </button>
      <button type="button" onClick={answer(false)}>
        Refuse
      </button>
    </span>
  );
}

function Chat() {
  const [text, setText] = useState("");
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const send = (event) => {
    event.preventDefault();
    void sendMessage({ text });
    setText("");
  };
  return (
    <main>
      <h1>Support desk</h1>
      <ul aria-label="Messages">
        {messages.map(({ id, parts }) => (
          <li key={id}>
            {parts.map((part, at) => (
              // Parts have no ids, and keep their places
              <Part key={at} part={part} decide={addToolApprovalResponse} />
            ))}
          </li>
        ))}
      </ul>
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />
        <button type="submit" disabled={status !== "ready"}>
          Send
        </button>
      </form>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<Chat />);
