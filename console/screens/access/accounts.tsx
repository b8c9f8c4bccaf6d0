import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { readingOf, useRows } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Checkbox } from "../../parts/form/fields.tsx";
import { Hint } from "../../parts/hint.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView } from "../../parts/list/list-view.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { dateOf, Time } from "../../parts/time.tsx";
import { MintAccount } from "./mint-account.tsx";
import { type Account, readAccountsAgain, useAccounts } from "./use-accounts.ts";

const names = ["revoked"] as const;

/** The service accounts that the reader may see, with what can be done with them. */
export function Accounts() {
  const may = useMay();
  const { is_admin } = useMe();
  const [{ revoked }, change] = useFilters(names);
  const accounts = useAccounts(revoked !== "");
  const rows = useRows(accounts);
  const [isMinting, setMinting] = useState(false);
  const [revoking, setRevoking] = useState<Account>();
  const revoke = useMutation({
    mutationFn: ({ id }: Account) => platform.revokeServiceAccount({ path: { account_id: id } }),
    onSuccess: (_, { name }) => {
      notify(`${name} was revoked. Its token ends within half a minute.`);
      setRevoking(undefined);
      readAccountsAgain();
    },
    onError: notifyFailure,
  });
  const columns = columnsOf(may("service_accounts:delete") ? setRevoking : undefined);
  return (
    <section className="stack accounts" aria-labelledby="accounts">
      <div className="row row-spread">
        <h2 id="accounts">Service accounts</h2>
        <div className="row">
          <Checkbox isSelected={revoked !== ""} onChange={(isOn) => change({ revoked: isOn ? "shown" : "" })}>
            With revoked ones
          </Checkbox>
          {may("service_accounts:write") && (
            <Button kind="main" icon={<KeyRound size={14} aria-hidden />} onPress={() => setMinting(true)}>
              Mint an account
            </Button>
          )}
        </div>
      </div>
      <ListView
        label="Service accounts"
        list={{ rows, reading: readingOf(accounts) }}
        keyOf={({ id }) => id}
        columns={is_admin ? columns : columns.filter(({ id }) => id !== "owner")}
        rowHeight={56}
        empty={noAccounts}
      />
      {isMinting && <MintAccount onClose={() => setMinting(false)} />}
      <Confirm
        title={`Revoke ${revoking?.name ?? ""}?`}
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        action="Revoke the account"
        isDangerous
        isBusy={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking)}
      >
        <p>
          Requests with its token are refused within half a minute, and its schedules are disabled. This
          cannot be undone; its owner may mint the name again, with another token.
        </p>
      </Confirm>
    </section>
  );
}

const noAccounts: Emptiness = {
  title: "No service accounts",
  icon: KeyRound,
  text: "A program that calls the platform gets a token of its own, with the scopes that it needs.",
};

function columnsOf(onRevoke: ((account: Account) => void) | undefined): readonly Column<Account>[] {
  return [
    {
      id: "name",
      title: "Name",
      width: "minmax(104px, 2fr)",
      cell: ({ name, token_prefix }) => (
        <div className="content-name">
          <span className="cut">{name}</span>
          <code className="cut small faint">{token_prefix}…</code>
        </div>
      ),
    },
    {
      id: "scopes",
      title: "Scopes",
      width: "minmax(180px, 3fr)",
      from: 720,
      cell: ({ scopes }) => {
        const text = scopes.map(({ raw }) => raw).join(", ");
        return (
          <span className="clamp-two small soft" title={text}>
            {text || "none"}
          </span>
        );
      },
    },
    {
      id: "owner",
      title: "Owner",
      width: "minmax(80px, 1fr)",
      from: 1100,
      cell: ({ user_id }) => <span className="cut soft block">{user_id ?? "–"}</span>,
    },
    {
      id: "used",
      title: "Last used",
      width: "96px",
      from: 960,
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span className="faint">never</span> : <Time at={last_used_at} />,
    },
    { id: "expires", title: "Expires", width: "88px", cell: (account) => <Ends {...account} /> },
    ...(onRevoke
      ? [
          {
            id: "act",
            title: <span className="hidden-visually">Revoke</span>,
            width: "80px",
            end: true,
            cell: (account: Account) =>
              account.revoked_at === null && (
                <Button
                  size="small"
                  kind="danger"
                  aria-label={`Revoke ${account.name}`}
                  onPress={() => onRevoke(account)}
                >
                  Revoke
                </Button>
              ),
          },
        ]
      : []),
  ];
}

function Ends({ revoked_at, expires_at }: Account) {
  if (revoked_at !== null) {
    return (
      <Hint text={dateOf(revoked_at).toLocaleString()}>
        <span>
          <Badge tone="bad">Revoked</Badge>
        </span>
      </Hint>
    );
  }
  if (expires_at === null) return <span className="soft">never</span>;
  if (expires_at * 1000 < Date.now()) return <Badge>Expired</Badge>;
  return <Time at={expires_at} />;
}
