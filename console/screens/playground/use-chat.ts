import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type Kind, sessionRunsOf } from "../../api/kinds.ts";
import { chatOf, isBegunHere } from "./chats.ts";

type Of = { readonly kind: Kind; readonly component: string; readonly name: string };

/**
 * A session's chat, with what its record holds.
 *
 * @param session    as the address has it; undefined for one that has not begun
 * @param newSession the id that such a one will have
 */
export function useChat({ kind, component, name }: Of, session: string | undefined, newSession: string) {
  const id = session ?? newSession;
  const chat = useMemo(() => chatOf({ kind, component, session: id, name }), [kind, component, id, name]);
  const turns = useSyncExternalStore(chat.subscribe, chat.snapshot);
  const isRecorded = session !== undefined && !isBegunHere({ kind, component, session });
  const record = useQuery({
    queryKey: ["session-runs", kind, component, id],
    enabled: isRecorded,
    queryFn: () => sessionRunsOf(kind, component, id),
    // The chat continues from what was read; reading again would add nothing to its events.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
  const { data } = record;
  useEffect(() => {
    if (data) chat.load(data);
  }, [chat, data]);
  return { chat, turns, record, isLoading: isRecorded && record.isPending };
}
