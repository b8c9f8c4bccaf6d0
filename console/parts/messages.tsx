import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { errorText } from "./state.tsx";

type Message = { readonly id: number; readonly tone: "good" | "bad"; readonly text: string };

const SHOWN_MS = 6_000;
let messages: readonly Message[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

const remove = (id: number): void => change(messages.filter((message) => message.id !== id));

function add(tone: Message["tone"], text: string): void {
  const id = ++last;
  change([...messages.slice(-3), { id, tone, text }]);
  // A failure stays until its reader closes it.
  if (tone === "good") setTimeout(() => remove(id), SHOWN_MS);
}

export const notify = (text: string): void => add("good", text);
export const notifyFailure = (error: unknown): void => add("bad", errorText(error));

/** What was done, and what could not be. */
export function Messages() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <div className="messages" aria-live="polite" role="status">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={`message message-${tone}`}>
          {tone === "good" ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
          <div>{text}</div>
          <Button
            kind="plain"
            size="small"
            icon={<X size={13} aria-hidden />}
            label="Close"
            onPress={() => remove(id)}
          />
        </div>
      ))}
    </div>
  );
}
