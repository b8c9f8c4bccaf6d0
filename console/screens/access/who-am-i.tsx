import { useMe } from "../../access/use-me.ts";
import { Badge } from "../../parts/badge.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import { scopeText } from "./scope-texts.ts";

/** Who is signed in, and what they may do in words. */
export function WhoAmI() {
  const { id, kind, name, scopes, is_admin, admin_scope } = useMe();
  return (
    <Card title="Who you are">
      <div className="stack">
        <Facts
          of={[
            ["Name", name],
            ["Id", <span key="id">{id}</span>],
            ["Kind", kind === "user" ? "user" : "service account"],
            [
              "Rights",
              is_admin ? (
                <Badge key="admin" tone="good">
                  Admin
                </Badge>
              ) : undefined,
            ],
          ]}
        />
        <div className="stack-tight">
          <h3>What your credential allows</h3>
          {scopes.length === 0 ? (
            <p className="soft">Nothing: it carries no scope.</p>
          ) : (
            <ul className="scopes">
              {scopes.map((scope) => (
                <li key={scope} className="scope">
                  <span>{scopeText(scope, admin_scope)}</span>
                  <code className="faint">{scope}</code>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Card>
  );
}
