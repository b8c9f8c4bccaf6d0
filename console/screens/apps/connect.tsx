import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { Operations } from "../../../client/index.ts";
import { credential, takeRefresh } from "../../access/credential.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/form/fields.tsx";
import { notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { scopeText } from "../access/scope-texts.ts";
import { APPS } from "./connected-apps.tsx";

type Asked = Operations["decideConsent"]["input"]["body"];
type Question = Operations["describeConsent"]["answer"];

const parameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;

/** The request of the client, as it is in the address. The platform checks it; nothing here does. */
const requestIn = (given: URLSearchParams): Omit<Asked, "approve" | "granted"> =>
  Object.fromEntries(
    parameters.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Asks whether an app is let in. It shows who asks, where the answer goes and what the app may do then. */
export default function Connect() {
  const [given] = useSearchParams();
  const asked = requestIn(given);
  const question = useQuery({
    queryKey: ["consent", given.toString()],
    queryFn: () => platform.describeConsent({ query: asked }),
    retry: false,
  });
  return (
    <Page title="Connect an app" narrow>
      {question.error ? (
        <Failed error={question.error} />
      ) : !question.data ? (
        <Skeleton lines={6} />
      ) : question.data.client ? (
        <Decision asked={asked} client={question.data.client} question={question.data} />
      ) : (
        <Faulty to={question.data.redirect_to} />
      )}
    </Page>
  );
}

/** The reader goes back by a press: a page that leads on by itself would send people to addresses that others choose. */
function Faulty({ to }: { readonly to: string | null }) {
  const [isLeft, setLeft] = useState(false);
  return (
    <Card title="Nothing can be granted">
      <div className="stack">
        <p>The app asks in a way that is not possible here, or for nothing that you may do yourself.</p>
        <div className="row">
          <Button
            isDisabled={to === null || isLeft}
            onPress={() => {
              setLeft(true);
              if (to !== null) location.assign(to);
            }}
          >
            Go back to the app
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Decision({
  asked,
  client,
  question,
}: {
  readonly asked: Omit<Asked, "approve" | "granted">;
  readonly client: NonNullable<Question["client"]>;
  readonly question: Question;
}) {
  const [granted, setGranted] = useState<readonly string[]>(question.scopes);
  const [isRenewed] = useState(() => credential()?.refresh !== undefined);
  // Another try hands the same one over: this tab has no second one.
  const taken = useRef<string>(undefined);
  const handedOver = async () => {
    taken.current ??= await takeRefresh();
    return taken.current === undefined ? {} : { issuer_token: taken.current };
  };
  const decide = useMutation({
    mutationFn: async (approve: boolean) => {
      const granting = approve && { granted: [...granted], ...(await handedOver()) };
      return platform.decideConsent({ body: { ...asked, approve, granted: [], ...granting } });
    },
    onSuccess: ({ redirect_to }) => {
      void queryClient.invalidateQueries({ queryKey: APPS });
      location.assign(redirect_to);
    },
    onError: notifyFailure,
  });
  if (decide.isSuccess) {
    return <Notice tone="good">Done. Go on in the app; you can close this page.</Notice>;
  }
  const seconds = isRenewed ? question.lasts_seconds : question.lasts_unasked_seconds;
  const days = Math.round(seconds / 86_400);
  return (
    <Card title={`${client.name} wants to act for you`}>
      <div className="stack">
        <Facts
          of={[
            ["Described by", client.host ?? "itself: its name is not checked"],
            ["The answer goes to", client.goes_to],
            ["It stays connected for", days === 1 ? "a day" : `${days} days`],
          ]}
        />
        {client.is_local && (
          <Notice tone="warn">
            The answer goes to a program on this computer. Allow this only if you have just started it there
            yourself.
          </Notice>
        )}
        <fieldset className="form-group">
          <legend>It may, as you:</legend>
          {question.scopes.map((scope) => (
            <Checkbox
              key={scope}
              isSelected={granted.includes(scope)}
              onChange={(isOn) =>
                setGranted((before) => (isOn ? [...before, scope] : before.filter((one) => one !== scope)))
              }
            >
              {scopeText(scope, "")}
            </Checkbox>
          ))}
        </fieldset>
        <div className="row">
          <Button
            kind="main"
            isDisabled={granted.length === 0 || decide.isPending}
            onPress={() => decide.mutate(true)}
          >
            Allow
          </Button>
          <Button isDisabled={decide.isPending} onPress={() => decide.mutate(false)}>
            Refuse
          </Button>
        </div>
      </div>
    </Card>
  );
}
