import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, Undo2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { RunPlace } from "../../api/kinds.ts";
import { messagesOf, type RunMessage } from "../../api/run-messages.ts";
import type { RunTree } from "../../conversation/run-nodes.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";

const LOOK_MS = 3_000;

const states: Readonly<Record<RunMessage["state"], readonly [Tone | undefined, string]>> = {
  unread: ["busy", "Waits for the next step"],
  taken: ["good", "Read"],
  refused: ["bad", "Refused"],
  moved: [undefined, "Answered next"],
  withdrawn: [undefined, "Withdrawn"],
};

/**
 * Says something to a run under way, which reads it before its next step, and shows what became of it.
 *
 * @param tree  of the run, which shows what it has read
 */
export function SayToRun({ place, tree }: { readonly place: RunPlace; readonly tree: RunTree }) {
  const { kind, component, session, run } = place;
  const client = useQueryClient();
  const messages = messagesOf(kind, component, session);
  const queryKey = ["run-messages", session, run];
  const [text, setText] = useState("");
  const { data } = useQuery({
    queryKey,
    queryFn: () => messages.list(run),
    refetchInterval: ({ state }) =>
      state.data?.messages.some((one) => one.state === "unread") ? LOOK_MS : false,
  });
  const shown = new Set(Object.values(tree.nodes).flatMap(({ parts }) => parts.map(({ id }) => id)));
  const outside = (data?.messages ?? []).filter(({ message_id }) => !shown.has(message_id));
  const again = () => client.invalidateQueries({ queryKey });
  const send = useMutation({
    mutationFn: () => messages.send(run, { message: text, message_id: crypto.randomUUID() }),
    onSuccess: ({ delivery }) => {
      setText("");
      if (delivery === "new_run") notify("The run had ended, so another one answers in its session.");
      void again();
    },
    onError: notifyFailure,
  });
  const withdraw = useMutation({
    mutationFn: (message_id: string) => messages.withdraw(run, message_id),
    onSettled: () => void again(),
    onError: notifyFailure,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") send.mutate();
  };
  return (
    <div className="say-to-run stack-tight">
      {outside.length > 0 && (
        <ul className="said-list" aria-label="Said to this run">
          {outside.map(({ message_id, content, state }) => {
            const [tone, word] = states[state];
            return (
              <li key={message_id} className="said-message">
                <span className="plain-text" dir="auto">
                  {content}
                </span>
                <Badge {...(tone && { tone })}>{word}</Badge>
                {state === "unread" && (
                  <Button
                    kind="plain"
                    size="small"
                    icon={<Undo2 size={13} aria-hidden />}
                    isDisabled={withdraw.isPending}
                    onPress={() => withdraw.mutate(message_id)}
                  >
                    Withdraw
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <form className="say-to-run-form" onSubmit={submit}>
        <TextField
          label="Say something to this run"
          value={text}
          onChange={setText}
          placeholder="It reads this before its next step"
        />
        <Button
          type="submit"
          icon={<ArrowUp size={15} aria-hidden />}
          isDisabled={text.trim() === "" || send.isPending}
        >
          Send
        </Button>
      </form>
    </div>
  );
}
