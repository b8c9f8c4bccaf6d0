import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { PlatformError } from "../../client/index.ts";
import { useMe } from "../access/use-me.ts";
import type { RunPlace } from "../api/kinds.ts";
import { platform } from "../api/platform.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { notify, notifyFailure } from "../parts/messages.tsx";

type OpenInPlaygroundProps = {
  readonly place: Omit<RunPlace, "run">;
  /** Whose session it is. */
  readonly owner: string | null | undefined;
  /** What is said again where there is nothing to copy. */
  readonly input?: string;
  readonly text?: string;
  readonly icon?: ReactNode;
  readonly isMain?: boolean;
};

/**
 * Leads to the playground with a conversation: the reader's own goes on, and of another user's a copy in the reader's name is
 * made, so that nothing is written into it.
 */
export function OpenInPlayground(props: OpenInPlaygroundProps) {
  const { place, owner, input, text = "Open in the playground", isMain = false } = props;
  const icon = props.icon ?? <MessageCircle size={15} aria-hidden />;
  const me = useMe();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const component = `/playground/${place.kind}/${encodeURIComponent(place.component)}`;
  const fork = useMutation({
    mutationFn: () => forkOf(place),
    onSuccess: (made) => {
      if (made === undefined) {
        notify("There was nothing to copy yet, so this is a new session of yours.");
        return navigate(input === undefined ? component : `${component}?say=${encodeURIComponent(input)}`);
      }
      void client.invalidateQueries({ queryKey: ["sessions", "list"] });
      navigate(`${component}/${encodeURIComponent(made)}`);
    },
    onError: notifyFailure,
  });
  const look = { icon, ...(isMain && { kind: "main" as const }) };
  if (owner === undefined || owner === null || owner === me.id) {
    return (
      <ButtonLink {...look} to={`${component}/${encodeURIComponent(place.session)}`}>
        {text}
      </ButtonLink>
    );
  }
  return (
    <Button {...look} isDisabled={fork.isPending} onPress={() => fork.mutate()}>
      {fork.isPending ? "Copying…" : text}
    </Button>
  );
}

/** Copies the finished runs of a session. @returns the copy's id; undefined where nothing has finished, or for a workflow's runs */
async function forkOf({
  kind,
  component,
  session: session_id,
}: Omit<RunPlace, "run">): Promise<string | undefined> {
  if (kind === "workflow") return undefined;
  const path = { session_id };
  try {
    const made =
      kind === "team"
        ? await platform.forkTeamSession({ path: { ...path, team_id: component } })
        : await platform.forkAgentSession({ path: { ...path, agent_id: component } });
    return made.session_id;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return undefined;
    throw error;
  }
}
