import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { errorText } from "../../parts/state.tsx";
import { knownScopes } from "./known-scopes.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import { isPrivileged } from "./scope-texts.ts";
import { readAccountsAgain } from "./use-accounts.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const SCOPE = /^[^\s:]+(:[^\s:]+){1,2}$/;
const NEVER = "never";
const ends = [
  { id: "7", text: "In 7 days" },
  { id: "30", text: "In 30 days" },
  { id: "90", text: "In 90 days" },
  { id: "365", text: "In a year" },
  { id: NEVER, text: "Never" },
];

/** Mints a service account, and shows its token once. */
export function MintAccount({ onClose }: { readonly onClose: () => void }) {
  const [token, setToken] = useState<string>();
  if (token !== undefined) return <ShownOnce title="The token" name="token" text={token} onClose={onClose} />;
  return (
    <Dialog title="Mint a service account" isOpen onClose={onClose} wide>
      <Fields onMinted={setToken} onClose={onClose} />
    </Dialog>
  );
}

type FieldsProps = { readonly onMinted: (token: string) => void; readonly onClose: () => void };

function Fields({ onMinted, onClose }: FieldsProps) {
  const may = useMay();
  const { admin_scope } = useMe();
  // A user cannot pass on what they do not have as a whole.
  const offered = knownScopes
    .filter((scope) => may(scope, "*"))
    .map((scope) => (scope === "platform:admin" ? admin_scope : scope));
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(["agents:run", "agents:read"].filter((scope) => offered.includes(scope))),
  );
  const [more, setMore] = useState("");
  const [end, setEnd] = useState("90");
  const [tokens, setTokens] = useState("");
  const [cost, setCost] = useState("");
  const [isAgreed, setAgreed] = useState(false);
  const typed = more.split(/[\s,]+/).filter((scope) => scope !== "");
  const wrong = typed.filter((scope) => !SCOPE.test(scope));
  const scopes = [...new Set([...chosen, ...typed])];
  const isStrong = scopes.some((scope) => isPrivileged(scope, admin_scope));
  const mint = useMutation({
    mutationFn: () =>
      platform.mintServiceAccount({
        body: {
          name,
          scopes: scopes.map((scope) => ({ scope })),
          ...(end === NEVER ? { never_expires: true } : { expires_in_days: Number(end) }),
          ...(tokens !== "" && { daily_tokens: Number(tokens) }),
          ...(cost !== "" && { daily_cost: Number(cost) }),
          ...(isStrong && { allow_privileged_scopes: isAgreed }),
        },
      }),
    onSuccess: ({ token }) => {
      readAccountsAgain();
      onMinted(token);
    },
  });
  const nameError =
    name === "" || NAME.test(name) ? undefined : "Small letters, digits, - and _; at most 63.";
  const areLimits = [tokens, cost].every((text) => text === "" || Number(text) > 0);
  const isReady =
    NAME.test(name) &&
    scopes.length > 0 &&
    wrong.length === 0 &&
    areLimits &&
    (!isStrong || isAgreed) &&
    !mint.isPending;
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) mint.mutate();
      }}
    >
      <div className="mint-row">
        <TextField
          label="Name"
          placeholder="ci"
          hint="It owns sessions and schedules as sa:<name>, and stays yours."
          error={nameError}
          value={name}
          onChange={setName}
          autoFocus
        />
        <Select label="Expires" choices={ends} value={end} onChange={setEnd} />
      </div>
      <div className="stack-tight">
        <h3>What it may do</h3>
        <ScopeChoice known={offered} chosen={chosen} onChange={setChosen} />
      </div>
      <TextField
        label="Further scopes"
        placeholder="agents:assistant:run"
        hint="For single agents, teams or workflows; separated by spaces."
        error={wrong.length === 0 ? undefined : `Not a scope: ${wrong.join(", ")}`}
        value={more}
        onChange={setMore}
      />
      <div className="mint-row">
        <TextField
          label="Tokens a day"
          inputMode="numeric"
          hint="No limit of its own if empty."
          value={tokens}
          onChange={setTokens}
        />
        <TextField
          label="Dollars a day"
          inputMode="decimal"
          hint="No limit of its own if empty."
          value={cost}
          onChange={setCost}
        />
      </div>
      {isStrong && (
        <div className="notice notice-warn">
          <Checkbox isSelected={isAgreed} onChange={setAgreed}>
            These scopes let whoever has the token change or delete things. I want that.
          </Checkbox>
        </div>
      )}
      {mint.isError && <Notice tone="bad">{errorText(mint.error)}</Notice>}
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="main" type="submit" isDisabled={!isReady}>
          Mint the account
        </Button>
      </div>
    </Form>
  );
}
