import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import type { Chat } from "./chat.ts";
import type { Turn } from "./turn.ts";
import { TurnView } from "./turn-view.tsx";

/** The reader is at the end if this little is below. */
const NEAR_PX = 64;

type ConversationProps = {
  readonly chat: Chat;
  readonly turns: readonly Turn[];
  /** Shown while nothing has been said. */
  readonly empty: ReactNode;
  readonly onSay: (text: string) => void;
  /** The run that this chat tries again, as `besideOf` names it; empty for any other chat. */
  readonly other?: string;
};

/**
 * The turns of a chat, of which only those in view are in the document. It stays at its end while the reader is there,
 * and where the reader is otherwise.
 */
export function Conversation({ chat, turns, empty, onSay, other = "" }: ConversationProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 160,
    overscan: 4,
    gap: 24,
    paddingStart: 20,
    paddingEnd: 20,
    getItemKey: (at) => turns[at]?.key ?? at,
  });
  const size = virtual.getTotalSize();
  const toEnd = () => {
    const place = scroll.current;
    if (place) place.scrollTop = place.scrollHeight;
  };
  const last = turns.at(-1)?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent brings its sender to the end
  useLayoutEffect(() => {
    follows.current = true;
    setAway(false);
  }, [last, chat]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more to see
  useLayoutEffect(() => {
    if (follows.current) toEnd();
  }, [size, last]);
  const look = () => {
    const place = scroll.current;
    if (!place) return;
    const below = place.scrollHeight - place.scrollTop - place.clientHeight;
    follows.current = below < NEAR_PX;
    setAway(below > place.clientHeight / 2);
  };
  return (
    <div className="chat-scroll-frame">
      <div
        className="chat-scroll"
        ref={scroll}
        onScroll={look}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Conversation"
      >
        {turns.length === 0 ? (
          empty
        ) : (
          <div className="chat-turns" style={{ height: size }}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const turn = turns[index];
              if (!turn) return null;
              return (
                <div
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  className="chat-turn"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <TurnView
                    chat={chat}
                    turn={turn}
                    isLast={index === turns.length - 1}
                    onSay={onSay}
                    other={other}
                  />
                </div>
              );
            })}
          </div>
        )}
      </div>
      {isAway && (
        <div className="chat-to-end">
          <Button size="small" icon={<ArrowDown size={14} aria-hidden />} onPress={toEnd}>
            To the end
          </Button>
        </div>
      )}
    </div>
  );
}
