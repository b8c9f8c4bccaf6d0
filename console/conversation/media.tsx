import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useContext, useEffect, useState } from "react";
import type { Media as MediaRecord } from "../../client/index.ts";
import { currentToken } from "../access/credential.ts";
import { send } from "../api/platform.ts";
import { sizeText } from "../parts/amounts.ts";
import { MediaSource } from "./media-source.ts";

type MediaProps = {
  readonly kind: "image" | "audio" | "video" | "file";
  readonly media: MediaRecord;
  readonly session: string;
};

/** A medium of a run. What is stored by the platform is fetched with the reader's credential; nothing comes from elsewhere. */
export function Media({ kind, media, session }: MediaProps) {
  const name = media.filename ?? media.id;
  const find = useContext(MediaSource);
  const { data: address, isError } = useQuery({
    queryKey: ["media", session, media.id],
    queryFn: async () => addressOf((isBare(media) && (await find(media.id))) || media, session),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(
    () => () => {
      if (address) URL.revokeObjectURL(address);
    },
    [address],
  );
  const [isBroken, setBroken] = useState(false);
  if (address && kind === "image" && !isBroken)
    return <img className="media-image" src={address} alt={name} onError={() => setBroken(true)} />;
  // biome-ignore lint/a11y/useMediaCaption: what a run made has no captions
  if (address && kind === "audio") return <audio controls src={address} />;
  // biome-ignore lint/a11y/useMediaCaption: what a run made has no captions
  if (address && kind === "video") return <video className="media-image" controls src={address} />;
  return (
    <a className="media-file" {...(address && { href: address, download: name })}>
      <FileText size={14} aria-hidden />
      <span className="cut">{name}</span>
      {media.object && <span className="small faint">{sizeText(media.object.bytes)}</span>}
      {isError && <span className="small faint">not readable</span>}
    </a>
  );
}

/** Lists of runs only name their media. */
const isBare = ({ content, object }: MediaRecord): boolean => content === undefined && object === undefined;

/** An address of this page for a medium's bytes. Those at addresses of others are not fetched: that would show them who reads. */
async function addressOf(
  { content, mime_type, object }: MediaRecord,
  session: string,
): Promise<string | null> {
  const type = mime_type ?? "application/octet-stream";
  if (content !== undefined) return URL.createObjectURL(new Blob([bytesOf(content, type)], { type }));
  if (object === undefined) return null;
  const path = `/sessions/${encodeURIComponent(session)}/media/${encodeURIComponent(object.key)}`;
  const response = await send(path, { headers: { authorization: `Bearer ${await currentToken()}` } });
  if (!response.ok) throw new Error(`the medium cannot be read (${response.status})`);
  return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
}

/** The content of a text is the text itself, that of others base64. */
const bytesOf = (content: string, type: string): BlobPart =>
  type.startsWith("text/") ? content : Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
