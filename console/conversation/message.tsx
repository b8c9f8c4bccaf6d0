import { Bot, ChevronRight, Settings2, User } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { Media as MediaRecord } from "../../client/index.ts";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { Media } from "./media.tsx";

type BubbleProps = {
  readonly by: "user" | "assistant" | "system";
  readonly name?: string;
  /** Small print beside the name. */
  readonly about?: ReactNode;
  readonly children: ReactNode;
};

const icons = { user: User, assistant: Bot, system: Settings2 };
const names = { user: "User", assistant: "Agent", system: "System" };

/** Who says it, and what. */
export function Bubble({ by, name, about, children }: BubbleProps) {
  const Icon = icons[by];
  return (
    <article className={`bubble bubble-${by}`}>
      <div className="bubble-head">
        <span className="bubble-icon">
          <Icon size={14} aria-hidden />
        </span>
        <span className="bubble-name">{name ?? names[by]}</span>
        {about !== undefined && <span className="small faint">{about}</span>}
      </div>
      <div className="bubble-body stack-tight">{children}</div>
    </article>
  );
}

/** The text of a user: as they wrote it. */
export function Written({ text }: { readonly text: string }) {
  return (
    <div className="plain-text" dir="auto">
      {text}
    </div>
  );
}

/** An answer: Markdown if it is text, else the value. */
export function Answer({ content }: { readonly content: unknown }) {
  if (content === undefined || content === null || content === "") return null;
  if (typeof content === "string") return <Markdown text={content} />;
  return <pre className="code">{JSON.stringify(content, null, 2)}</pre>;
}

/** Text that few need: folded. */
export function Folded({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="folded">
      <button
        type="button"
        className="folded-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={14} className="tool-arrow" aria-hidden />
        {title}
      </button>
      {isOpen && (
        <div className="folded-body" id={id}>
          {children}
        </div>
      )}
    </div>
  );
}

type MediaLists = {
  readonly images?: readonly MediaRecord[] | undefined;
  readonly audio?: readonly MediaRecord[] | undefined;
  readonly videos?: readonly MediaRecord[] | undefined;
  readonly files?: readonly MediaRecord[] | undefined;
};

/** Pictures, sounds, films and files of a message. */
export function MediaOf({
  session,
  images = [],
  audio = [],
  videos = [],
  files = [],
}: MediaLists & { readonly session: string }) {
  const all = [
    ...images.map((media) => ["image", media] as const),
    ...audio.map((media) => ["audio", media] as const),
    ...videos.map((media) => ["video", media] as const),
    ...files.map((media) => ["file", media] as const),
  ];
  if (all.length === 0) return null;
  return (
    <div className="row">
      {all.map(([kind, media]) => (
        <Media key={media.id} kind={kind} media={media} session={session} />
      ))}
    </div>
  );
}
