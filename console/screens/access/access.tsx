import { useMay } from "../../access/use-me.ts";
import { Card, Page } from "../../parts/page.tsx";
import { ConnectedApps } from "../apps/connected-apps.tsx";
import { Accounts } from "./accounts.tsx";
import { WhoAmI } from "./who-am-i.tsx";

/** Who is signed in and what they may do; the credentials of programs. */
export default function Access() {
  const may = useMay();
  return (
    <Page title="Access" about="What you may do here, and the credentials of programs.">
      <WhoAmI />
      <ConnectedApps />
      {may("service_accounts:read") ? (
        <Accounts />
      ) : (
        <Card title="Service accounts">
          <p className="soft">You need the scope “service_accounts:read” to see them.</p>
        </Card>
      )}
    </Page>
  );
}
