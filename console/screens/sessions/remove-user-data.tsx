import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { countOf } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notifyFailure } from "../../parts/messages.tsx";

type UserData = Operations["getUserData"]["answer"];
type Kind = keyof UserData["found"];

/** Each kind in the singular, in the order in which it is shown. */
const kindTexts: Readonly<Record<Kind, string>> = {
  sessions: "session",
  memories: "memory",
  learnings: "learning",
  contents: "content of knowledge",
  schedules: "schedule",
  evaluations: "evaluation",
  datasets: "dataset",
  webhook_endpoints: "webhook endpoint",
  service_accounts: "service account",
  apps: "connected app",
  views: "saved view",
};
const plurals: Partial<Record<Kind, string>> = { memories: "memories", contents: "contents of knowledge" };

/** While it goes on, how far it is is asked so often. */
const POLL_MS = 2_000;

type UserProps = { readonly user: string };

/** Deletes everything of a user by one act, once the reader has seen how much it is and typed whose. */
export function RemoveUserData({ user }: UserProps) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  // Also while the dialog is closed: the list is read again as its sessions go.
  const [isFollowed, setFollowed] = useState(false);
  const { data, error } = useQuery({
    queryKey: queryKeyOf(user),
    enabled: isFollowed,
    queryFn: () => platform.getUserData({ path: { user_id: user } }),
    refetchInterval: (query) => (query.state.data?.removal?.status === "removing" ? POLL_MS : false),
  });
  const sessions = data?.found.sessions;
  const removal = data?.removal?.status;
  useEffect(() => {
    if (removal !== undefined && sessions !== undefined)
      void client.invalidateQueries({ queryKey: ["sessions", "list"] });
  }, [client, removal, sessions]);
  const open = () => {
    setFollowed(true);
    setOpen(true);
  };
  return (
    <div className="row bulk-bar">
      <Button kind="danger" size="small" icon={<Trash2 size={13} aria-hidden />} onPress={open}>
        Delete everything of {user}
      </Button>
      {isOpen && <RemovalDialog user={user} data={data} error={error} onClose={() => setOpen(false)} />}
    </div>
  );
}

const queryKeyOf = (user: string) => ["users", "data", user] as const;

type DialogProps = UserProps & {
  /** Undefined until it is known. */
  readonly data: UserData | undefined;
  readonly error: unknown;
  readonly onClose: () => void;
};

function RemovalDialog({ user, data, error, onClose }: DialogProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => platform.removeUserData({ path: { user_id: user } }),
    onSuccess: (answer) => {
      client.setQueryData(queryKeyOf(user), answer);
      setTyped("");
    },
    onError: notifyFailure,
  });
  const isRemoving = data?.removal?.status === "removing";
  const hasData = data !== undefined && Object.values(data.found).some((count) => count > 0);
  return (
    <Dialog title={`Delete everything of ${user}?`} isOpen onClose={onClose}>
      <div className="stack-tight">
        {data === undefined ? (
          <p className="soft" role="status">
            {error ? "What is stored cannot be counted now." : "Counts what is stored…"}
          </p>
        ) : (
          <Counted data={data} />
        )}
        {!isRemoving && hasData && (
          <>
            <p>
              With the sessions go their runs, traces, files, approvals and feedback, and the cases that
              datasets have of them. Service accounts and apps can no longer call. Records of the audit stay,
              and so do sums of tokens and cost.
            </p>
            <p className="soft">What the user goes on to do is stored again: take the access away first.</p>
            <TextField label={`Type “${user}” to delete it`} value={typed} onChange={setTyped} autoFocus />
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>{isRemoving || !hasData ? "Close" : "Keep as it is"}</Button>
        {!isRemoving && hasData && (
          <Button
            kind="danger-main"
            isDisabled={typed.trim() !== user || remove.isPending}
            onPress={() => remove.mutate()}
          >
            Delete everything of {user}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Counted({ data: { found, removal } }: { readonly data: UserData }) {
  const left = textOf(found);
  const gone = removal && textOf(removal.removed);
  if (removal?.status === "removing")
    return (
      <p role="status">
        It is being deleted{left && `: ${left} are left`}. {gone && `Deleted so far: ${gone}. `}It goes on by
        itself; this may be closed.
      </p>
    );
  return (
    <>
      {removal && <p role="status">Deleted: {gone || "there was nothing"}.</p>}
      <p>{left ? `Stored now: ${left}.` : "Nothing is stored of this user."}</p>
    </>
  );
}

/** What there is, with its number: `2 sessions, 1 memory`. */
function textOf(counts: UserData["found"]): string {
  const kinds = Object.keys(kindTexts) as Kind[]; // keys of a constant table
  const some = kinds.filter((kind) => counts[kind] > 0);
  return some.map((kind) => countOf(counts[kind], kindTexts[kind], plurals[kind])).join(", ");
}
