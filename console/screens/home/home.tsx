import { MessageCircle } from "lucide-react";
import { useMay, useMayReadRuns, useMe } from "../../access/use-me.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Activity } from "./activity.tsx";
import { Attention } from "./attention.tsx";
import { Board } from "./board.tsx";
import { QueueState } from "./queue-state.tsx";

const runScopes = ["agents:run", "teams:run", "workflows:run"];

/** What needs attention now, and totals of the last hour or day. */
export default function Home() {
  const may = useMay();
  const { is_admin } = useMe();
  const mayRead = useMayReadRuns();
  const mayRun = runScopes.some((scope) => may(scope));
  return (
    <Page
      title="Home"
      about={
        is_admin
          ? "What needs attention, and how the platform is doing."
          : "What waits for you, and what ran for you."
      }
      actions={
        mayRun && (
          <ButtonLink to="/playground" kind="main" icon={<MessageCircle size={15} aria-hidden />}>
            Open the playground
          </ButtonLink>
        )
      }
    >
      <Board mayReadRuns={mayRead} />
      <div className={is_admin ? "home-top" : "stack"}>
        <Attention />
        {is_admin && <QueueState />}
      </div>
      {mayRead ? (
        <Activity />
      ) : (
        <Card title="Activity">
          <p className="soft">
            To see runs here a credential needs the scope “agents:read”, “teams:read” or “workflows:read”.
            What yours allows is listed under Access.
          </p>
        </Card>
      )}
    </Page>
  );
}
