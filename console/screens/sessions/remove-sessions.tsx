import type { Kind } from "../../api/kinds.ts";
import { countOf } from "../../parts/amounts.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { useRemoveSessions } from "./session-query.ts";

type RemoveProps = {
  readonly sessions: readonly {
    readonly session_id: string;
    readonly session_type: Kind;
    readonly session_name: string;
  }[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Asks before sessions are deleted, and says what goes with them. */
export function RemoveSessions({ sessions, isOpen, onClose, onDone }: RemoveProps) {
  const remove = useRemoveSessions(() => {
    onClose();
    onDone();
  });
  const [first] = sessions;
  const isOne = sessions.length === 1;
  return (
    <Confirm
      title={isOne ? "Delete this session?" : `Delete ${countOf(sessions.length, "session")}?`}
      isOpen={isOpen}
      onClose={onClose}
      action={isOne ? "Delete the session" : `Delete ${countOf(sessions.length, "session")}`}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(sessions)}
    >
      {isOne && first && (
        <p className="cut" dir="auto">
          “{first.session_name}”
        </p>
      )}
      <p>
        {isOne ? "Its" : "Their"} conversation, runs, state, summary and files are deleted for good, and what
        was learned about {isOne ? "it" : "them"}. Runs that are under way are cancelled.
      </p>
      <p className="soft">
        Jobs and approvals stay as records, without what was said. Memories of the user stay.
      </p>
    </Confirm>
  );
}
