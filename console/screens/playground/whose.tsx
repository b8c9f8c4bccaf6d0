import { useQuery } from "@tanstack/react-query";
import { Eye, GitFork, PenLine } from "lucide-react";
import { createContext, type ReactNode, useState } from "react";
import { useMe } from "../../access/use-me.ts";
import type { Kind } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { OpenInPlayground } from "../../conversation/open-in-playground.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";

export type Whose = {
  /** Who said what stands in the session: the one who is signed in, or the user whose session it is. */
  readonly speaker: string;
  /** The same for what was copied from another session. */
  readonly copiedFrom: string;
  /** Nothing is written into it unless the reader has decided to. */
  readonly isLocked: boolean;
};

export const WhoseSession = createContext<Whose>({ speaker: "You", copiedFrom: "You", isLocked: false });

/** The name of a user, as the conversation is labelled; a session may be unowned. */
const nameOf = (owner: string | null | undefined): string => owner ?? "User";

/** Whose a session is; undefined while that is not known, and for sessions that are one's own by right. */
function useOwner(session: string | undefined) {
  const { is_admin } = useMe();
  const isAsked = is_admin && session !== undefined;
  const { data, isPending } = useQuery({
    queryKey: ["sessions", "one", session],
    // Others see only what is theirs.
    enabled: isAsked,
    queryFn: () => platform.getSession({ path: { session_id: session ?? "" }, query: { history_runs: 0 } }),
    retry: false,
    staleTime: 60_000,
  });
  return { found: data && { owner: data.user_id ?? null }, isPending: isAsked && isPending };
}

type Of = { readonly kind: Kind; readonly component: string };

/**
 * Whose session is open. An admin who opens another user's reads it; to write into it is a decision of its own, which is
 * asked for and forgotten with the session.
 *
 * @param recorded  the session, where it is in the platform's record
 * @param origin    the session that its first runs were copied from
 */
export function useWhose(of: Of, recorded: string | undefined, origin: string | undefined) {
  const me = useMe();
  const { found, isPending } = useOwner(recorded);
  const { found: source } = useOwner(origin);
  const [written, setWritten] = useState<string>();
  const isOthers = found !== undefined && found.owner !== null && found.owner !== me.id;
  const isLocked = isPending || (isOthers && written !== recorded);
  const copied = source && source.owner !== me.id ? source.owner : undefined;
  const whose: Whose = {
    speaker: isOthers ? nameOf(found.owner) : "You",
    copiedFrom: copied === undefined ? "You" : nameOf(copied),
    isLocked,
  };
  const banner: ReactNode =
    isOthers && recorded !== undefined ? (
      <Others
        of={of}
        session={recorded}
        owner={nameOf(found.owner)}
        isLocked={isLocked}
        onWrite={() => setWritten(recorded)}
      />
    ) : copied === undefined ? null : (
      <Notice>
        A copy of the conversation of <strong>{nameOf(copied)}</strong>, in your name. Nothing here reaches
        the original.
      </Notice>
    );
  return { whose, banner };
}

type OthersProps = {
  readonly of: Of;
  readonly session: string;
  readonly owner: string;
  readonly isLocked: boolean;
  readonly onWrite: () => void;
};

function Others({ of, session, owner, isLocked, onWrite }: OthersProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isLocked) {
    return (
      <Notice tone="warn">
        You write into the conversation of <strong>{owner}</strong>.
      </Notice>
    );
  }
  return (
    <div className="whose">
      <span className="whose-text">
        <Eye size={16} aria-hidden />
        <span>
          You read the conversation of <strong>{owner}</strong>.
        </span>
      </span>
      <span className="row">
        <OpenInPlayground
          place={{ ...of, session }}
          owner={owner}
          text="Try it in a copy"
          icon={<GitFork size={15} aria-hidden />}
          isMain
        />
        <Button icon={<PenLine size={15} aria-hidden />} onPress={() => setAsking(true)}>
          Write into it
        </Button>
      </span>
      <Confirm
        title={`Write into the conversation of ${owner}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={`Write as part of ${owner}’s conversation`}
        isDangerous
        onConfirm={() => {
          setAsking(false);
          onWrite();
        }}
      >
        <p>
          What you send, and what is answered, stays in the conversation of <strong>{owner}</strong> and is
          history for the runs after it.
        </p>
        <p>The audit records each message with your name.</p>
      </Confirm>
    </div>
  );
}
