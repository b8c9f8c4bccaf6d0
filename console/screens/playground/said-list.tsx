import { useMutation } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { notifyFailure } from "../../parts/messages.tsx";
import { errorText } from "../../parts/state.tsx";
import type { Chat } from "./chat.ts";
import { outsideOf, type Said } from "./said.ts";
import { isBusy, type Turn } from "./turn.ts";

type SaidListProps = { readonly chat: Chat; readonly turn: Turn };

/** What was said to a run and is not among its own messages, or not yet. */
export function SaidList({ chat, turn }: SaidListProps) {
  const said = outsideOf(turn.said, turn.tree);
  if (said.length === 0) return null;
  return (
    <ul className="said-list turn-aside" aria-label="Said to this run">
      {said.map((one) => (
        <SaidMessage key={one.message_id} chat={chat} turn={turn} said={one} />
      ))}
    </ul>
  );
}

const states: Readonly<Record<Said["state"], readonly [Tone | undefined, string]>> = {
  sending: ["busy", "Sending"],
  unread: ["busy", "Waits for the next step"],
  taken: ["good", "Read"],
  refused: ["bad", "Refused"],
  moved: [undefined, "Answered next"],
  withdrawn: [undefined, "Withdrawn"],
  failed: ["bad", "Not sent"],
};

function SaidMessage({ chat, turn, said }: SaidListProps & { readonly said: Said }) {
  const { message_id, text, state, error } = said;
  const withdraw = useMutation({
    mutationFn: () => chat.withdraw(turn.key, message_id),
    onError: notifyFailure,
  });
  const isOpen = state === "unread" && isBusy(turn);
  const [tone, word] = state === "unread" && !isOpen ? [undefined, "Not read"] : states[state];
  return (
    <li className="said-message">
      <span className="plain-text" dir="auto">
        {text}
      </span>
      <Badge {...(tone && { tone })}>{word}</Badge>
      {isOpen && (
        <Button
          kind="plain"
          size="small"
          icon={<Undo2 size={13} aria-hidden />}
          isDisabled={withdraw.isPending}
          onPress={() => withdraw.mutate()}
        >
          Withdraw
        </Button>
      )}
      {error !== undefined && <span className="error-text small">{errorText(error)}</span>}
    </li>
  );
}
